import Foundation
import TVEStorage
import TVETracking

/// The statistics of all runs with one store, in a file beside it.
struct StatisticsFile {
    private let url: URL

    init(directory: URL) {
        url = directory.appendingPathComponent("statistics.json")
    }

    /// The stored statistics; empty when there are none.
    ///
    /// - Throws: errors of the file system or the decoder.
    func read() throws -> Statistics {
        guard FileManager.default.fileExists(atPath: url.path) else { return Statistics() }
        return try JSONDecoder().decode(Statistics.self, from: Data(contentsOf: url))
    }

    /// Adds a run.
    ///
    /// A run whose counts cannot be stored still succeeds, and an unreadable file is not changed.
    func add(_ run: Statistics) {
        // One run at a time reads, adds and writes.
        let lock = open(url.path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if lock >= 0 { close(lock) } }
        guard lock >= 0, Self.take(lock), var sum = try? read() else { return }
        sum.merge(run)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try? encoder.encode(sum).write(to: url, options: .atomic)
    }

    /// Waits for the lock for a second at most: a run that was stopped while it held it must not stop the others.
    private static func take(_ lock: Int32) -> Bool {
        for _ in 0..<1_000 {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(1_000)
        }
        return false
    }

    func remove() throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }
}
