import Foundation
import TVEModels

/// Closes connections whose client stalls in the middle of a request or an answer.
///
/// One check per second of all of them costs less than a timer for each.
final class ConnectionWatch: Sendable {
    private let limit: Duration
    private let deadlines = Guarded<[Int32: ContinuousClock.Instant]>([:])

    init(limit: Duration) {
        self.limit = limit
    }

    /// Starts the time limit of a client, unless it is already running.
    func begin(_ file: Int32) {
        let end = ContinuousClock.now + limit
        deadlines.withLock { $0[file] = $0[file] ?? end }
    }

    /// Stops the time limit; called before the file is closed, so that it cannot affect another connection.
    func end(_ file: Int32) {
        deadlines.withLock { _ = $0.removeValue(forKey: file) }
    }

    /// Checks once a second until the task is cancelled.
    func run() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            look(at: .now)
        }
    }

    /// Closes connections whose time limit has passed.
    func look(at now: ContinuousClock.Instant) {
        deadlines.withLock { deadlines in
            for (file, end) in deadlines where end < now { shutdown(file, Int32(SHUT_RDWR)) }
            deadlines = deadlines.filter { $0.value >= now }
        }
    }

    /// How many connections have a running time limit.
    var count: Int { deadlines.withLock(\.count) }
}
