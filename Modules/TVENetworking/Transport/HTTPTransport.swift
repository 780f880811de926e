public import Foundation
public import HTTPTypes

/// A client that sends HTTP requests.
///
/// Supply your own transport to add certificate pinning, a proxy or logging, or to answer from a test.
///
/// A transport follows no redirects, stores no cookies, and always ends within a time that it chooses. It sends and
/// reads the values of header fields as UTF-8.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// Any task may call this method.
    ///
    /// - Parameters:
    ///   - request: the method, URL and header fields.
    ///   - body: the bytes to send, or nil for none.
    /// - Returns: the head of the answer and its whole body, whatever the status is.
    /// - Throws: ``TransportError`` if there is no complete answer.
    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data)
}

/// The reason for which an HTTP request got no answer.
public enum TransportError: Error, Sendable, Equatable {
    /// There is no connection: the network is missing or may not be used, or the connection was refused or cut.
    case unreachable
    /// The name of the host is unknown.
    case unknownHost
    /// A proxy is unknown or refuses the request, perhaps because it requires a login.
    case proxyFailed
    /// There was no complete answer in time.
    case timedOut
    /// The server's certificate or the TLS connection is not trusted, for a reason that the system does not state.
    case notTrusted
    /// The server's certificate is not trusted.
    case certificateNotTrusted(CertificateFault)
    /// The answer is longer than the limit, in bytes.
    case answerTooLarge(limit: Int)
    /// The request could not be sent, or the answer is not valid HTTP, or it is compressed although the request did not
    /// allow that.
    case invalid
    /// The task was cancelled.
    case cancelled
    /// The exchange failed for another reason, with this error number of the system.
    case other(code: Int)

    /// The fault of a server's certificate.
    public enum CertificateFault: Sendable, Hashable {
        /// The certificate was not signed by an authority that the system trusts.
        case unknownAuthority
        /// The certificate was issued for another host.
        case wrongName
        /// The certificate is no longer valid.
        case expired
        /// The certificate is not valid yet.
        case notYetValid
    }
}

/// A service's answer to one request, in either dialect.
struct HTTPAnswer {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var isSuccess: Bool { (200...299).contains(status) }

    /// Returns the error for an answer that is unreadable, which is `.webPage` if the answer is a web page.
    ///
    /// - Parameter error: the error of the reader of the answer.
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
