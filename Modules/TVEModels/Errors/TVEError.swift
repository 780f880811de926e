/// The one error of the public API: what failed, what to do about it, and the documented status code.
///
/// Two errors are equal when their codes are; the rest is context.
public struct TVEError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed.
    public let code: Code
    /// The documented status code that goes with it.
    public let status: StatusCode?
    /// A text that may be shown: the provider's own for a denial, a plain sentence otherwise.
    ///
    /// Never a secret.
    public let message: String?
    /// The lower layer's error, when there is one.
    public let underlying: (any Error)?
    /// What to do about the error: the service's advice, else the usual one for the code.
    public let recovery: Recovery

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what failed.
    ///   - status: the documented status code.
    ///   - message: a text that may be shown.
    ///   - recovery: what to do about it; nil for the usual advice for the code.
    ///   - underlying: the lower layer's error.
    public init(
        _ code: Code, status: StatusCode? = nil, message: String? = nil, recovery: Recovery? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.underlying = underlying
        self.recovery = recovery ?? code.recovery
    }

    /// Code, status, text and cause in one line, without secrets.
    public var description: String {
        var parts = [code.rawValue]
        if let status { parts.append("[\(status)]") }
        if let message { parts.append(message) }
        if let underlying { parts.append("(\(underlying))") }
        return parts.joined(separator: " ")
    }

    /// Compares the codes alone.
    public static func == (left: TVEError, right: TVEError) -> Bool { left.code == right.code }
}
