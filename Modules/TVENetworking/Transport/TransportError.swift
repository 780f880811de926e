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
