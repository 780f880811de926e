/// A call of the keychain.
public enum KeychainCall: Sendable, Hashable {
    /// `SecItemCopyMatching`.
    case copyMatching
    /// `SecItemAdd`.
    case add
    /// `SecItemUpdate`.
    case update
}
