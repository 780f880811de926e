package import TVEConformance
package import TVESandbox

extension Exchange {
    /// What the sandbox recorded, for the judge; a body that it cut counts as missing.
    package init(_ recorded: SandboxExchange) {
        func message(_ message: SandboxExchange.Message) -> Message {
            Message(headers: message.headers, body: message.body.count < message.length ? nil : message.body)
        }
        self.init(
            id: recorded.id, began: recorded.began, milliseconds: recorded.milliseconds, method: recorded.method,
            path: recorded.path, query: recorded.query, address: recorded.address,
            request: message(recorded.request), status: recorded.status, answer: message(recorded.answer))
    }
}
