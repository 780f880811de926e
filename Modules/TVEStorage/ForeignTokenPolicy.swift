/// What happens to entitlements in the store that are bound to another device (API reference, sanitizer).
public enum ForeignTokenPolicy: Sendable {
    /// They stay, unseen: another app that shares the store may need them. The default.
    case ignore
    /// They go: with an old device id they would never be of use again.
    case remove
    /// Everything goes, this device's own entitlements too, as version 1.8 did it.
    case removeEverything
}
