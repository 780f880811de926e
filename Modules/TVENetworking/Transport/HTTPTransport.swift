public import Foundation
public import HTTPTypes

/// Sends one HTTP request at a time: supply your own to add pinning, proxies, logging or a fake.
///
/// A transport follows no redirects, stores no cookies, and always ends within a time it chooses.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer. Any task may call it.
    ///
    /// - Parameters:
    ///   - request: method, URL and header fields.
    ///   - body: the bytes to send, nil for none.
    /// - Returns: the head of the answer and its whole body, whatever the status.
    /// - Throws: ``TransportError`` when there is no complete answer.
    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data)
}

/// Why an HTTP request got no answer.
public enum TransportError: Error, Sendable, Equatable {
    /// No connection: no network, unknown host, refused, or cut.
    case unreachable
    /// No complete answer in time.
    case timedOut
    /// The server's certificate or the TLS connection cannot be trusted.
    case notTrusted
    /// The answer is longer than the limit, in bytes.
    case answerTooLarge(limit: Int)
    /// The answer is not HTTP, or the request cannot be sent.
    case invalid
    /// The task was cancelled.
    case cancelled
    /// Another failure; with the system's error number.
    case other(code: Int)
}

/// A service's answer to one request, in either dialect.
struct HTTPAnswer {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var isSuccess: Bool { (200...299).contains(status) }
}

extension HTTPTransport {
    func answer(to request: HTTPRequest, body: Data? = nil) async throws(ServiceError) -> HTTPAnswer {
        do throws(TransportError) {
            let (response, bytes) = try await send(request, body: body)
            return HTTPAnswer(status: response.status.code, headers: response.headerFields, body: bytes)
        } catch {
            throw .transport(error)
        }
    }
}
