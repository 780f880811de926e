/// The statement with which an application registers: a JWT that the programmer received for it.
///
/// Anyone who has it can register as the application, so printing it shows only its length.
public struct SoftwareStatement: Sendable, Hashable, Redacting {
    /// The JWT.
    public let rawValue: String

    /// Wraps a statement.
    ///
    /// - Parameter rawValue: the JWT.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Compares the texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue.isSameBytes(as: right.rawValue) }

    /// The length of the text, never the text.
    public var redactedDescription: String { "SoftwareStatement(\(rawValue.utf8.count) bytes)" }
}
