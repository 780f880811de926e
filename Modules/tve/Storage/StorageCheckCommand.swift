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

    @Option(help: "report, none, all, repair or clear.")
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
        case .unavailable: throw ExitCode(2)
        case _ where !report.problems.isEmpty: throw ExitCode(1)
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
            problems = report.problems.map { Problem(key: $0.key?.rawValue, reason: $0.reason.sentence(places)) }
            unknown = report.unknownEntries.map(\.rawValue).sorted()
        }
    }
}

extension IntegrityReport {
    /// Returns the report as lines of text for people.
    fileprivate func lines(_ places: StorePlaces) -> [String] {
        let problems = problems.map { "\($0.key?.rawValue ?? "the store"): \($0.reason.sentence(places))" }
        let unknown = unknownEntries.map { "\($0.rawValue): this version does not know the entry" }
        let values = Printer.count(checked, "value")
        let time = Printer.time(duration / .milliseconds(1))
        let result =
            switch outcome {
            case .untouched where problems.isEmpty: "\(values) checked in \(time); nothing was removed."
            case .untouched: "\(values) checked in \(time); nothing was removed. \(StoreProblem.repair)"
            case .cleared: "Everything was removed; the viewer is logged out."
            case .repaired(let count): "\(count) of \(values) moved aside in \(time)."
            case .unavailable(let error): "\(StoreProblem(error, at: places).text) Nothing was removed."
            }
        return problems.sorted() + unknown.sorted() + [result]
    }
}

extension IntegrityReport.Reason {
    fileprivate func sentence(_ places: StorePlaces) -> String {
        switch self {
        case .probeFailed: "a value that was written for a test could not be read back"
        case .damaged(.truncated): "the end is missing"
        case .damaged(.checksum): "the bytes do not match their checksum"
        case .unreadable: "the value cannot be decrypted: it is damaged, was moved, or is sealed with another key"
        case .invalid: "the value is not valid for this entry"
        case .misplaced: "the value belongs to another entry"
        case .unusable(let error): "trying again does not help: \(StoreProblem(error, at: places).cause)"
        }
    }
}
