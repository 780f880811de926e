/// The statement with which an application registers: a JWT that the programmer received for it.
///
/// Anyone who has it can register as the application, so printing it shows only its length.
public struct SoftwareStatement: Sendable, Hashable, Redacting {
    /// The JWT.
    @BytewiseEqual public private(set) var rawValue: String

    /// Wraps a statement.
    ///
    /// - Parameter rawValue: the JWT.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The length of the text, never the text.
    public var redactedDescription: String { "SoftwareStatement(\(rawValue.utf8.count) bytes)" }
}
