import ArgumentParser
import Foundation
import TVETracking

/// Prints the outcomes of all calls of all runs.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Say what the calls of all runs came to: attempts, failures by reason, durations.")

    @Option(name: .shortAndLong, help: "The store's directory; by default that of the app \"tve\".")
    var directory: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Begin anew.")
    var reset = false

    func run() throws {
        var options = SessionOptions()
        options.directory = directory
        let file = StatisticsFile(directory: options.storeURL)
        if reset { return try file.remove() }
        let statistics: Statistics
        do {
            statistics = try file.read()
        } catch {
            throw ToolFailure("The statistics cannot be read (\(error.localizedDescription)); --reset deletes them.")
        }
        if json {
            return try Printer.json(statistics, isIndented: true)
        }
        Printer.line("call           attempts  successes  median     95 %  failures")
        for call in CallReport.Call.allCases {
            let counts = statistics[call]
            guard counts.attempts > 0 else { continue }
            let failures = counts.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            let columns = [
                call.rawValue.padding(toLength: 13, withPad: " ", startingAt: 0), right(counts.attempts, 9),
                right(counts.successes, 10), right(text(counts.latency.quantile(0.5)), 8),
                right(text(counts.latency.quantile(0.95)), 8), failures,
            ]
            Printer.line(columns.joined(separator: " "))
        }
    }

    private func text(_ duration: Duration?) -> String {
        guard let duration else { return "–" }
        let milliseconds = duration / .milliseconds(1)
        return milliseconds < 10_000 ? "<\(Int(milliseconds)) ms" : "<\(Int(milliseconds / 1_000)) s"
    }

    private func right(_ value: some CustomStringConvertible, _ width: Int) -> String {
        let text = value.description
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
