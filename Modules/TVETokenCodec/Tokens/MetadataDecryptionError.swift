/// Why encrypted metadata could not be decrypted.
public enum MetadataDecryptionError: Error, Sendable, Hashable {
    /// The text is not an RSA private key.
    case notAKey
    /// The value is not Base64 of whole blocks, which is visible without the key.
    case notEncrypted
    /// The value could not be decrypted with this key; the reason is not given (see ``MetadataDecryptionKey``).
    case cannotBeOpened
}
