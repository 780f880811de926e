/// Why encrypted metadata could not be opened.
public enum MetadataDecryptionError: Error, Sendable, Hashable {
    /// The text is no RSA private key.
    case notAKey
    /// The value is no Base64 of whole blocks.
    case notEncrypted
    /// The value was encrypted for another key.
    case wrongKey
}
