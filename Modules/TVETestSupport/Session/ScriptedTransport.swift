public import Foundation
public import HTTPTypes
import TVEModels
public import TVENetworking

/// A transport that answers from a script, in front of a real transport or alone, and records its requests.
public final class ScriptedTransport: HTTPTransport {
    /// The answer to a request; nil passes it on.
    public typealias Script = @Sendable (HTTPRequest, Data?) -> Answer?

    /// The answer to a request, after waiting if necessary; nil passes it on.
    public typealias Interception = @Sendable (HTTPRequest, Data?) async -> Answer?

    /// A scripted answer.
    public enum Answer: Sendable {
        /// An HTTP answer.
        case response(status: Int, body: String)
        /// No answer.
        case failure(TransportError)
        /// The real transport's answer, with its body changed.
        case rewritten(@Sendable (String) -> String)
    }

    private let next: (any HTTPTransport)?
    private let script: Guarded<Interception>
    private let log = Guarded<[String]>([])

    /// Answers from a script.
    ///
    /// - Parameters:
    ///   - next: receives the requests that the script passes on; without it they fail as unreachable.
    ///   - script: decides about each request.
    public init(next: (any HTTPTransport)? = nil, script: @escaping Script = { _, _ in nil }) {
        self.next = next
        self.script = Guarded({ script($0, $1) })
    }

    /// Replaces the script from the next request on.
    ///
    /// - Parameter script: decides about each request.
    public func setScript(_ script: @escaping Script) { setInterception { script($0, $1) } }

    /// Replaces the script from the next request on with one that may wait.
    ///
    /// - Parameter interception: decides about each request.
    public func setInterception(_ interception: @escaping Interception) { script.withLock { $0 = interception } }

    /// Method and path of every request so far, without the query.
    public var requests: [String] { log.withLock(\.self) }

    /// Answers by the script; see `HTTPTransport`.
    ///
    /// - Parameters:
    ///   - request: method, URL and header fields.
    ///   - body: the bytes to send.
    /// - Returns: the scripted or real answer.
    /// - Throws: the scripted or real failure.
    public func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path.map { String($0.divided(at: "?").before) } ?? ""
        log.withLock { $0.append("\(request.method.rawValue) \(path)") }
        let decide = script.withLock(\.self)
        switch await decide(request, body) {
        case .response(let status, let body):
            return (HTTPResponse(status: .init(code: status)), Data(body.utf8))
        case .failure(let error):
            throw error
        case .rewritten(let rewrite):
            let (response, answer) = try await pass(request, body)
            return (response, Data(rewrite(String(decoding: answer, as: UTF8.self)).utf8))
        case nil:
            return try await pass(request, body)
        }
    }

    private func pass(_ request: HTTPRequest, _ body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard let next else { throw .unreachable }
        return try await next.send(request, body: body)
    }
}
