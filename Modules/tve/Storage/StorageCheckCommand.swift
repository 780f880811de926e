public import ArgumentParser
import Foundation
import TVEFlowEngine
public import TVEStorage

/// Checks a store.
struct StorageCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the store and every value in it.",
        discussion: """
            report only looks; none does not even that; all logs the viewer out when anything is wrong; repair moves aside only what is wrong; \
            clear removes everything unseen. Ends with 0 when nothing is wrong, 1 when something was, 2 when the store could \
            not be used.
            """)

    @OptionGroup var location: StorageLocation

    @Option(help: "report, none, all, repair or clear.")
    var mode = IntegrityMode.report

    @OptionGroup var json: JSONOption

    func run() async throws {
        let store = EntitlementStore(backend: try location.open(), reader: .codec, fingerprint: "")
        let report = store.check(mode) { checked, all in Terminal.progress("checked", checked, of: all) }
        if json.isOn {
            try Printer.json(StorageReportText.object(report))
        } else {
            for line in StorageReportText.lines(report) { Printer.line(line) }
        }
        switch report.outcome {
        case .unavailable: throw ExitCode(2)
        case _ where !report.problems.isEmpty: throw ExitCode(1)
        default: break
        }
    }
}

extension IntegrityMode: ExpressibleByArgument {}
