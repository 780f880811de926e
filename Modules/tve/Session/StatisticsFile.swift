import Foundation
import TVEStorage
import TVETracking

/// The statistics of all runs with one store, beside it.
struct StatisticsFile {
    private let url: URL

    init(directory: URL) {
        url = directory.appendingPathComponent("statistics.json")
    }

    /// What was kept; nothing when there is none or it cannot be read.
    var statistics: Statistics {
        (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Statistics.self, from: $0) } ?? Statistics()
    }

    /// Adds a run; a run whose counts cannot be kept is a run all the same.
    func add(_ run: Statistics) {
        var sum = statistics
        sum.merge(run)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try? encoder.encode(sum).write(to: url, options: .atomic)
    }

    func remove() throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }
}
