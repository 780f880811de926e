import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestTraits

/// Sends a fixture's requests to its sandbox, which runs as long as the transport exists.
final class SandboxTransport: HTTPTransport {
    enum Wire: Sendable {
        /// With a socket and a server, as an app's requests.
        case http
        /// As a call of the sandbox's routes.
        case direct

        /// Direct, so that long tables are quick; over HTTP in the long tests.
        static let usual: Wire = LongTests.areOn ? .http : .direct
    }

    /// The sandboxes that a browser can call directly, by authority.
    fileprivate static let running = Guarded<[String: Sandbox]>([:])
    fileprivate static let http = URLSessionTransport(timeout: .hanging)

    private let authority: String?

    init(_ sandbox: Sandbox, over wire: Wire) {
        authority = wire == .direct ? "127.0.0.1:\(sandbox.baseURL.port ?? 0)" : nil
        self.sandbox = sandbox
        if let authority { Self.running.withLock { $0[authority] = sandbox } }
    }

    private let sandbox: Sandbox

    deinit {
        if let authority { _ = Self.running.withLock { $0.removeValue(forKey: authority) } }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        try await BrowserTransport().send(request, body: body)
    }
}

/// Sends a browser's requests: directly to the sandbox if its fixture does so.
struct BrowserTransport: HTTPTransport {
    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard let sandbox = SandboxTransport.running.withLock({ $0[request.authority ?? ""] }) else {
            return try await SandboxTransport.http.send(request, body: body)
        }
        guard !Task.isCancelled else { throw .cancelled }
        let answer = await sandbox.routes.answer(request, body: body)
        return answer
    }
}
