import ArgumentParser
import Foundation

/// How long one exchange with a service may take.
enum ExchangeTimeLimit {
    private static let usual = 30
    private static let allowed = 1...3_600

    /// The limit that a command was given, else that of `TVE_TIMEOUT`, else half a minute.
    ///
    /// - Parameter seconds: what the command was given.
    static func limit(_ seconds: Int? = nil) throws -> Duration {
        if let seconds {
            guard allowed.contains(seconds) else { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
            return .seconds(seconds)
        }
        guard let text = ProcessInfo.processInfo.environment["TVE_TIMEOUT"] else { return .seconds(usual) }
        guard let seconds = Int(text), allowed.contains(seconds) else {
            throw ValidationError("TVE_TIMEOUT is \(text), and not 1 to 3600 seconds.")
        }
        return .seconds(seconds)
    }
}
