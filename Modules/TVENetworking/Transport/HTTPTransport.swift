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
    /// No connection: no network, refused, or cut.
    case unreachable
    /// The name of the host is unknown.
    case unknownHost
    /// A proxy is unknown or does not let the request pass; it may want a login.
    case proxyFailed
    /// No complete answer in time.
    case timedOut
    /// The server's certificate or the TLS connection cannot be trusted, for a reason that the system does not tell.
    case notTrusted
    /// The server's certificate cannot be trusted.
    case certificateNotTrusted(CertificateFault)
    /// The answer is longer than the limit, in bytes.
    case answerTooLarge(limit: Int)
    /// The answer is not HTTP, or the request cannot be sent.
    case invalid
    /// The task was cancelled.
    case cancelled
    /// Another failure; with the system's error number.
    case other(code: Int)

    /// What is wrong with the certificate of a server.
    public enum CertificateFault: Sendable, Hashable {
        /// No authority that the system trusts has signed it.
        case unknownAuthority
        /// It is for another host.
        case wrongName
        /// It is no longer valid.
        case expired
        /// It is not valid yet.
        case notYetValid
    }
}

/// A service's answer to one request, in either dialect.
struct HTTPAnswer {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var isSuccess: Bool { (200...299).contains(status) }

    /// The error of an answer that cannot be read: what it is instead, where that shows.
    ///
    /// - Parameter error: the error of its reader.
    func unread(_ error: ServiceError) -> ServiceError {
        let type = WebPage.type(headers[.contentType], body)
        return type.map { .webPage(status: status, type: $0) } ?? error
    }
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
