import ArgumentParser
import TVEFlowEngine
import TVEStorage

struct StorageCheckCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the store and every value in it.",
        discussion: """
            report checks and changes nothing; none does not even check; all removes every login and token when anything \
            is wrong; repair moves aside only what is wrong; clear removes everything without a check. Exits with 0 when \
            nothing is wrong, 1 when something was, and 2 when the store cannot be used.
            """)

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Option(help: "What the command checks and removes, as described above.")
    var mode = IntegrityMode.report

    @OptionGroup var json: JSONOption

    func run() async throws {
        let store = EntitlementStore(backend: try location.open(), reader: .codec, fingerprint: "")
        let progress = Terminal.Progress("checked")
        let report = store.check(mode) { checked, all in progress.show(checked, of: all) }
        if json.isOn {
            try Printer.json(Object(report, places))
        } else {
            for line in report.lines(places) { try Printer.line(line) }
        }
        switch report.outcome {
        case .unavailable: throw ExitCode.unknown
        case _ where !report.problems.isEmpty: throw ExitCode.failure
        default: break
        }
    }

    private struct Object: Encodable {
        struct Problem: Encodable {
            let key: String?
            let reason: String
        }
        let outcome: String
        let checked: Int
        let movedAside: Int
        let problems: [Problem]
        let unknown: [String]

        init(_ report: IntegrityReport, _ places: StorePlaces) {
            (outcome, movedAside) =
                switch report.outcome {
                case .untouched: ("untouched", 0)
                case .cleared: ("cleared", 0)
                case .repaired(let count): ("repaired", count)
                case .unavailable: ("unavailable", 0)
                }
            checked = report.checked
            problems = report.problems.map {
                Problem(key: $0.key?.rawValue, reason: StoreFinding($0.reason, at: places).sentences.found)
            }
            unknown = report.unknownEntries.map(\.rawValue).sorted()
        }
    }
}

extension IntegrityReport {
    /// Returns the report as lines of text for people.
    fileprivate func lines(_ places: StorePlaces) -> [String] {
        let findings = problems.map { StoreFinding($0.reason, at: places).sentences }
        let found = zip(problems, findings).map { problem, finding in
            (problem.key.map { "\($0.rawValue): " } ?? "") + finding.found
        }
        let unknown = unknownEntries.map { "\($0.rawValue): \(StoreFinding.unknownEntry)" }
        // Findings with the same advice share one sentence. The advice to repair the store is printed only if the check
        // changed nothing.
        let advice = Set(findings.map { $0.advice }).filter { outcome == .untouched || $0 != StoreProblem.repair }
        let values = Printer.count(checked, "value")
        let time = Printer.time(duration / .milliseconds(1))
        let result =
            switch outcome {
            case .untouched: "\(values) checked in \(time); nothing was removed."
            case .cleared: "Everything was removed; the viewer is logged out."
            case .repaired(let count): "\(count) of \(values) moved aside in \(time)."
            case .unavailable(let error): "\(StoreProblem(error, at: places).text) Nothing was removed."
            }
        return found.sorted() + unknown.sorted() + [([result] + advice.sorted()).joined(separator: " ")]
    }
}
