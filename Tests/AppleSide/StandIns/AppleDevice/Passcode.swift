/// The lock state of a device, which decides which keychain items can be read.
public enum Passcode: Sendable, Hashable, CaseIterable {
    /// The viewer has not unlocked it since the start.
    case neverEntered
    /// It was unlocked after the start, and is locked now.
    case locked
    /// It is unlocked.
    case unlocked
}
