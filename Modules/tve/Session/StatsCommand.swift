import ArgumentParser
import Foundation
import TVEModels
import TVETracking

struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show statistics of the calls of all runs: attempts, failures by reason, durations.")

    @OptionGroup var store: StoreDirectory
    @OptionGroup var json: JSONOption

    @Flag(help: "Delete the statistics.")
    var reset = false

    func run() throws {
        let file = StatisticsFile(directory: store.url)
        if reset { return try file.remove() }
        let statistics: Statistics
        do {
            statistics = try file.read()
        } catch {
            let reason = error is DecodingError ? "they are damaged, or of another version" : error.reasonForPeople
            throw ToolFailure(FileFault.statisticsUnreadable(reason: reason))
        }
        if json.isOn { return try Printer.json(statistics, isIndented: true) }
        try Printer.line(
            line("call", numbers: ["attempts", "successes", "median", "95 %"], failures: "failures"))
        for call in CallReport.Call.allCases {
            let counts = statistics[call]
            guard counts.attempts > 0 else { continue }
            let failures = counts.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            let numbers = [
                "\(counts.attempts)", "\(counts.successes)", text(0.5, of: counts.latency),
                text(0.95, of: counts.latency),
            ]
            try Printer.line(line(call.rawValue, numbers: numbers, failures: failures))
        }
    }

    /// Returns a line of the table, in whose columns the numbers end at the same place.
    private func line(_ call: String, numbers: [String], failures: String) -> String {
        let columns = zip(numbers, [9, 10, 8, 8]).map { $0.leftPadded(to: $1) }
        return ([call.padded(to: 13)] + columns + [failures]).joined(separator: " ")
    }

    /// Returns a duration that the given share of the calls did not exceed.
    private func text(_ share: Double, of latency: LatencyHistogram) -> String {
        guard latency.total > 0 else { return "–" }
        guard let duration = latency.quantile(share) else {
            // The last bucket has no end, so only its start is known, which is the end of the bucket before it.
            return "≥\(text(.milliseconds(1 << (latency.counts.count - 2))))"
        }
        return "<\(text(duration))"
    }

    private func text(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds < 10_000 ? "\(Int(bounded: milliseconds)) ms" : "\(Int(bounded: milliseconds / 1_000)) s"
    }
}

/// The file with the statistics of all runs that used a store, in the directory of the store.
struct StatisticsFile {
    private let url: URL

    init(directory: URL) {
        url = directory.appendingPathComponent("statistics.json")
    }

    /// Returns the stored statistics, which are empty if the file does not exist.
    func read() throws -> Statistics {
        guard FileManager.default.fileExists(atPath: url.path) else { return Statistics() }
        return try JSONDecoder().decode(Statistics.self, from: Data(contentsOf: url))
    }

    /// Adds the statistics of a run.
    ///
    /// A run still succeeds if its statistics cannot be stored. An unreadable file is not changed.
    func add(_ run: Statistics) {
        guard let lock = try? takeLock(), var sum = try? read() else { return }
        sum.merge(run)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Only its owner can read the file, like everything else in the directory of a store.
        if let bytes = try? encoder.encode(sum) { _ = WholeFile.replace(url.path, bytes) }
        withExtendedLifetime(lock) {}
    }

    /// Takes the lock, with which only one run at a time reads, adds and writes.
    ///
    /// The wait ends after a second, so that a suspended run that holds the lock does not block the others.
    private func takeLock() throws(FileLock.Failure) -> FileLock {
        try FileLock(url.path + ".lock", patience: .seconds(1))
    }

    /// Deletes the statistics.
    ///
    /// A run that is adding its own has read the others already, and would write them again.
    func remove() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        var lock: FileLock?
        do throws(FileLock.Failure) {
            lock = try takeLock()
        } catch .held {
            throw ToolFailure(FileFault.statisticsInUse)
        } catch {
            // Nobody who cannot open the file of the lock adds anything. The removal itself says what is not permitted.
        }
        defer { withExtendedLifetime(lock) {} }
        // Another run may have deleted them meanwhile.
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw ToolFailure(FileFault.statisticsNotDeleted(reason: error.reasonForPeople))
        }
    }
}
