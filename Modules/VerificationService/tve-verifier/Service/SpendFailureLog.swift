import Logging
import NIOConcurrencyHelpers
import TVERedisUses
import TVETokenVerification

/// A log of the reasons for which the memory could not tell whether a token was spent.
///
/// A Redis that is full, or that refuses a command, stays connected, so nothing else in the log says why no token is
/// granted. Failures come with every request, so each kind is logged once a minute.
struct SpendFailureLog: Sendable {
    private static let pause = Duration.seconds(60)

    private let logger: Logger
    private let logged = NIOLockedValueBox([String: ContinuousClock.Instant]())

    init(logger: Logger) {
        self.logger = logger
    }

    /// Logs a failure unless one of its kind was logged within the last minute.
    ///
    /// - Returns: the kind of the failure, for the label of a counter.
    func record(_ error: any Error) -> String {
        let kind = (error as? RedisUsesError)?.kind ?? (error is MemoryMediaTokenUses.Full ? "full" : "other")
        let now = ContinuousClock.now
        let isDue = logged.withLockedValue { logged in
            if let last = logged[kind], last.duration(to: now) < Self.pause { return false }
            logged[kind] = now
            return true
        }
        if isDue { logger.error("A token could not be spent. \(error)", metadata: ["reason": "\(kind)"]) }
        return kind
    }
}
