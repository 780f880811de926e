import Foundation
import TVESandbox

/// What `tve sandbox --json` prints: one object a line.
struct SandboxLine: Encodable {
    private let event: String
    /// Of the start: where the sandbox answers, and what a change over HTTP must show.
    private var baseURL: String?
    private var changeToken: String?
    private var exchange: SandboxExchange?
    private var change: String?

    init(_ sandbox: Sandbox) {
        event = "started"
        baseURL = sandbox.baseURL.absoluteString
        changeToken = sandbox.changeToken
    }

    init(_ event: SandboxEvent) {
        switch event {
        case .exchange(let exchange):
            self.event = "exchange"
            self.exchange = exchange
        case .change(let sentence):
            self.event = "change"
            change = sentence
        }
    }
}
