import ArgumentParser
import Foundation

/// How long one exchange with a service may take.
enum ExchangeTimeLimit {
    private static let allowed = 1...3_600

    /// The limit in the command's option, else in `TVE_TIMEOUT`, else the usual one.
    ///
    /// - Parameters:
    ///   - seconds: the command's option.
    ///   - usual: the usual limit in seconds.
    static func limit(_ seconds: Int? = nil, usual: Int = 30) throws -> Duration {
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
