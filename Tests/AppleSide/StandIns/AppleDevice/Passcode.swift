/// How far a device is open; decides which keychain items can be read.
public enum Passcode: Sendable, Hashable, CaseIterable {
    /// The viewer has not unlocked it since it was started.
    case neverEntered
    /// It was unlocked after the start, and is locked now.
    case locked
    /// It is unlocked.
    case unlocked
}
