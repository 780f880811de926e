/// The text of a signed token exactly as the service sent it.
///
/// The signature covers bytes, so this text is stored and sent back; it is never rebuilt from parsed values. Printing
/// it shows only its length.
public struct TokenText: Sendable, Hashable, Redacting {
    /// The token, signature envelope included.
    @BytewiseEqual public private(set) var rawValue: String

    /// Wraps the text of a token.
    ///
    /// - Parameter rawValue: the token, signature envelope included, unescaped and not Base64-wrapped.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether this is not a signed token but the copy of a login or permission that a service keeps (REST API v2): a
    /// signed token begins with an element, a copy with a brace.
    package var isCopy: Bool { rawValue.utf8.first == UInt8(ascii: "{") }

    /// The length of the text, never the text.
    public var redactedDescription: String { "TokenText(\(rawValue.utf8.count) bytes)" }
}
