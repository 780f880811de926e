/// A key that may have signed media tokens, with a name by which a verdict says which key it was.
public struct MediaTokenKey: Sendable {
    /// The name, for example `2026-11`; it is never compared with anything in a token.
    public let name: String
    /// The key.
    public let key: TokenVerificationKey

    /// Names a key.
    ///
    /// - Parameters:
    ///   - name: the name, compared as UTF-8 bytes.
    ///   - key: the key.
    public init(name: String, key: TokenVerificationKey) {
        self.name = name
        self.key = key
    }
}
