import Foundation

/// User defaults for a single test, in two suites, which are removed at the end of the test.
final class TemporaryDefaults {
    /// The name of the suite with the first copy.
    let suite = "tve-test-\(UUID().uuidString)"
    /// The names of both suites.
    var suites: [String] { [suite, "\(suite).copy"] }

    deinit {
        for name in suites {
            UserDefaults(suiteName: name)?.removePersistentDomain(forName: name)
            let file = URL.homeDirectory.appendingPathComponent(".config/\(name).plist")
            try? FileManager.default.removeItem(at: file)
        }
    }
}
