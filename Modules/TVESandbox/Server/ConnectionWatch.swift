import Foundation
import TVEModels

/// Ends connections whose client keeps the sandbox waiting in the middle of a request or an answer.
///
/// One look a second over all of them costs less than a timer for each.
final class ConnectionWatch: Sendable {
    private let limit: Duration
    private let deadlines = Guarded<[Int32: ContinuousClock.Instant]>([:])

    init(limit: Duration) {
        self.limit = limit
    }

    /// From now on the client has so long; a time that runs already runs on.
    func begin(_ file: Int32) {
        let end = ContinuousClock.now + limit
        deadlines.withLock { $0[file] = $0[file] ?? end }
    }

    /// The client may take its time again; comes before the file is closed, so that no other connection is meant.
    func end(_ file: Int32) {
        deadlines.withLock { _ = $0.removeValue(forKey: file) }
    }

    /// Looks once a second until the task is cancelled.
    func run() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            look(at: .now)
        }
    }

    /// Ends what has run out of time.
    func look(at now: ContinuousClock.Instant) {
        deadlines.withLock { deadlines in
            for (file, end) in deadlines where end < now { shutdown(file, Int32(SHUT_RDWR)) }
            deadlines = deadlines.filter { $0.value >= now }
        }
    }

    /// How many connections have a time that runs.
    var count: Int { deadlines.withLock(\.count) }
}
