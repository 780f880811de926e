import Foundation

/// The environment variables that take the place of options.
enum Variables {
    /// Returns the value of a variable, or `nil` if it is not set.
    ///
    /// An empty variable is treated as missing, because build servers set a variable to an empty text if its secret is
    /// not available.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value of a variable without the white space around it, or `nil` if nothing is left.
    ///
    /// A file of variables with the line ends of Windows adds some, which no message would show.
    static func trimmed(_ name: String) -> String? {
        value(name).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
