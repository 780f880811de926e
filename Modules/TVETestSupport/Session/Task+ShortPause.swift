extension Task where Success == Never, Failure == Never {
    /// Waits a millisecond, for a test that polls until something has happened.
    ///
    /// Polling without a pause would take the core from the code it waits for.
    package static func shortPause() async {
        try? await sleep(for: .milliseconds(1))
    }
}
