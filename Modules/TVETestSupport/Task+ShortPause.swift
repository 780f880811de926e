extension Task where Success == Never, Failure == Never {
    /// Waits a millisecond, for a test that asks again and again whether something has happened.
    ///
    /// Asking without a pause would take the core from what it waits for.
    package static func shortPause() async {
        try? await sleep(for: .milliseconds(1))
    }
}
