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
