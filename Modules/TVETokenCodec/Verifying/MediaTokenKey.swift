/// A key that may have signed media tokens, with a name for verdicts.
public struct MediaTokenKey: Sendable {
    /// The name, for example `2026-11`; it is never compared with a value in a token.
    public let name: String
    /// The key.
    public let key: TokenVerificationKey

    /// Makes a key with a name.
    ///
    /// - Parameters:
    ///   - name: the name, compared as UTF-8 bytes.
    ///   - key: the key.
    public init(name: String, key: TokenVerificationKey) {
        self.name = name
        self.key = key
    }
}
