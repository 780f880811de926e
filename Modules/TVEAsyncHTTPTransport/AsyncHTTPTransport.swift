#if AsyncHTTPTransport
import AsyncHTTPClient
public import Foundation
public import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import TVEModels
public import TVENetworking

/// A transport over async-http-client, which uses no processor time while it waits for an answer.
///
/// It is meant for programs on Linux that run for a long time. It keeps the same promises as `URLSessionTransport`, and
/// one more: no answer ends the program (Documentation/Specification/Decided.md, "Known to fail"). It uses HTTP/1.1
/// only.
public final class AsyncHTTPTransport: HTTPTransport, Redacting {
    private let client: HTTPClient
    private let timeout: Duration
    private let maximumBytes: Int

    /// Creates a transport with its own connections.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of a whole exchange.
    ///   - maximumBytes: the length of the longest answer that is accepted, in bytes.
    public init(timeout: Duration = .seconds(30), maximumBytes: Int = 16 << 20) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Spans contain the request's path, which may contain a code.
        configuration.tracing.tracer = nil
        // Over HTTP/2, a server chooses any number as the status, and a negative one ends the program inside the
        // client's libraries. The parser of HTTP/1 accepts only three digits.
        configuration.httpVersion = .http1Only
        // The default is ten seconds. The limit of a day exists because a deadline cannot be as far away as a
        // `Duration`.
        configuration.timeout.connect = TimeAmount(min(timeout.asTimeLimit, .seconds(86_400)))
        // Otherwise, the client retries until that limit if no server listens.
        configuration.connectionPool.retryConnectionEstablishment = false
        self.timeout = timeout.asTimeLimit
        self.maximumBytes = maximumBytes
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // A client that was not shut down ends the program. The shutdown cannot fail, because there are no requests:
        // they would retain this transport.
        client.shutdown { [client] _ in withExtendedLifetime(client) {} }
    }

    /// The name of the type, because a client's description may contain what it sends.
    public var redactedDescription: String { "AsyncHTTPTransport" }

    /// Sends a request; see `HTTPTransport`.
    ///
    /// An exchange that takes longer than the transport's limit ends with `.timedOut`.
    public func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard let outgoing = HTTPClientRequest(request, body: body) else { throw .invalid }
        // The client's own limit ends with the head of the answer, so an exchange with a slow body would never end.
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await self.exchange(outgoing) }
            group.addTask {
                do { try await Task.sleep(for: self.timeout) } catch { return .failure(.cancelled) }
                return .failure(.timedOut)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        if case .failure = outcome, Task.isCancelled { throw .cancelled }
        return try outcome.get()
    }

    private typealias Outcome = Result<(HTTPResponse, Data), TransportError>

    private func exchange(_ request: HTTPClientRequest) async -> Outcome {
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            guard let head = HTTPResponse(response) else { return .failure(.invalid) }
            let body = try await response.body.collect(upTo: maximumBytes)
            return .success((head, Data(buffer: body)))
        } catch is NIOTooManyBytesError {
            return .failure(.answerTooLarge(limit: maximumBytes))
        } catch {
            return .failure(TransportError(error))
        }
    }
}

extension HTTPClientRequest {
    /// Creates the client's request, or returns nil for a request without a web address.
    fileprivate init?(_ request: HTTPRequest, body: Data?) {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let authority = request.authority, !authority.isEmpty
        else { return nil }
        self.init(url: "\(scheme)://\(authority)\(request.path ?? "/")")
        method = .init(rawValue: request.method.rawValue)
        for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        if let body { self.body = .bytes(ByteBuffer(bytes: body)) }
    }
}

extension HTTPResponse {
    /// Creates the head of the client's answer, or returns nil if its status is not one of HTTP.
    fileprivate init?(_ response: HTTPClientResponse) {
        guard let status = Status(received: response.status.code) else { return nil }
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: status, headerFields: fields)
    }
}

extension HTTPResponse.Status {
    /// Creates the status of an answer, or returns nil for a number that does not have three digits.
    ///
    /// The initializer of the library ends the program for such a number.
    init?(received code: UInt) {
        guard (100...999).contains(code) else { return nil }
        self.init(code: Int(code))
    }
}
#endif
