/// Whose device a token belongs to.
public enum TokenBinding: Sendable, Hashable {
    /// This device's.
    case mine
    /// Another device's.
    case foreign
    /// No device's: the token carries no fingerprint.
    case unbound
}
