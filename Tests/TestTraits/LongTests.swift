import Foundation

/// The loops that take minutes: off in `swift test`, on with `TVE_LONG_TESTS=1`.
public enum LongTests {
    /// Whether they run.
    ///
    /// Short ones of the same kind always do.
    public static let areOn = ProcessInfo.processInfo.environment["TVE_LONG_TESTS"] == "1"
}
