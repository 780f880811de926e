import Foundation

/// The environment variables that take the place of options.
enum Variables {
    /// Returns the value of a variable, or `nil` if it is not set.
    ///
    /// An empty variable counts as not set, because build servers write a secret that they do not have so.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
