/// The text of a signed token exactly as the service sent it.
///
/// The signature covers the bytes of this text, so the client stores it and sends it back unmodified. It is never
/// rebuilt from parsed values. Printing the value shows only its length.
public struct TokenText: Sendable, Hashable, Redacting {
    /// The token, signature envelope included.
    @BytewiseEqual public private(set) var rawValue: String

    /// Wraps the text of a token.
    ///
    /// - Parameter rawValue: the token, signature envelope included, unescaped and not Base64-wrapped.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// A Boolean value that indicates whether this is a copy of a login or permission that a service stores (REST API
    /// v2), and not a signed token.
    ///
    /// A signed token begins with an element, a copy with a brace.
    package var isCopy: Bool { rawValue.utf8.first == UInt8(ascii: "{") }

    /// A description that contains the length of the text and never the text.
    public var redactedDescription: String { "TokenText(\(rawValue.utf8.count) bytes)" }
}
