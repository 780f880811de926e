/// What happens to entitlements in the store that are bound to another device (API reference, sanitizer).
public enum ForeignTokenPolicy: Sendable {
    /// They stay, invisible to this app: another app that shares the store may need them. The default.
    case ignore
    /// They are removed: with an old device id they will never be used again.
    case remove
    /// Everything is removed, this device's own entitlements too, as in version 1.8.
    case removeEverything
}
