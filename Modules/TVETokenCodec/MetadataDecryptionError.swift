/// Why encrypted metadata could not be opened.
public enum MetadataDecryptionError: Error, Sendable, Hashable {
    /// The text is no RSA private key.
    case notAKey
    /// The value is no Base64 of whole blocks, which everybody can see without the key.
    case notEncrypted
    /// The value could not be opened with this key; why is not said (see ``MetadataDecryptionKey``).
    case cannotBeOpened
}
