import Foundation
import TVESandbox

/// A line of `tve sandbox --json`: one object per line.
struct SandboxLine: Encodable {
    private let event: String
    /// At the start: the sandbox's URL, and the token for changes over HTTP.
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
