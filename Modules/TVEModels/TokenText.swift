/// The text of a signed token exactly as the service sent it.
///
/// What was signed is bytes, so this text is what gets stored and what is sent back; it is never rebuilt from parsed
/// values. Printing it shows only its length.
public struct TokenText: Sendable, Hashable, Redacting {
    /// The token, signature envelope included.
    public let rawValue: String

    /// Wraps the text of a token.
    ///
    /// - Parameter rawValue: the token, signature envelope included, unescaped and not Base64-wrapped.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The length of the text, never the text.
    public var redactedDescription: String { "TokenText(\(rawValue.utf8.count) bytes)" }
}
