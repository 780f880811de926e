public import Foundation
public import HTTPTypes
import TVEModels
public import TVENetworking

/// A transport that answers from a script and records its requests, either alone or in front of a real transport.
public final class ScriptedTransport: HTTPTransport {
    /// A closure that returns the answer to a request, or `nil` to pass the request on.
    public typealias Script = @Sendable (HTTPRequest, Data?) -> Answer?

    /// A closure that can wait before it returns the answer to a request, or `nil` to pass the request on.
    public typealias Interception = @Sendable (HTTPRequest, Data?) async -> Answer?

    /// A scripted answer.
    public enum Answer: Sendable {
        /// An HTTP answer with this status and body.
        case response(status: Int, body: String)
        /// An error in place of an answer.
        case failure(TransportError)
        /// The real transport's answer, with its body changed.
        case rewritten(@Sendable (String) -> String)
    }

    private let next: (any HTTPTransport)?
    private let script: Guarded<Interception>
    private let log = Guarded<[String]>([])

    /// Creates a transport that answers from a script.
    ///
    /// - Parameters:
    ///   - next: the transport for the requests that the script passes on; if it is `nil`, they fail as unreachable.
    ///   - script: the closure that decides about each request.
    public init(next: (any HTTPTransport)? = nil, script: @escaping Script = { _, _ in nil }) {
        self.next = next
        self.script = Guarded({ script($0, $1) })
    }

    /// Replaces the script for further requests.
    ///
    /// - Parameter script: the closure that decides about each request.
    public func setScript(_ script: @escaping Script) { setInterception { script($0, $1) } }

    /// Replaces the script for further requests with one that can wait.
    ///
    /// - Parameter interception: the closure that decides about each request.
    public func setInterception(_ interception: @escaping Interception) { script.withLock { $0 = interception } }

    /// The methods and paths of all requests so far, without their queries.
    public var requests: [String] { log.withLock(\.self) }

    /// Returns the answer of the script or of the real transport, as `HTTPTransport` requires.
    ///
    /// - Parameters:
    ///   - request: the method, the URL and the header fields.
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
