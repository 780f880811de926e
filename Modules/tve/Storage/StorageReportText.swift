import TVEStorage

/// An integrity report as text.
enum StorageReportText {
    /// The same as JSON.
    static func object(_ report: IntegrityReport) -> Object {
        let (outcome, count): (String, Int) =
            switch report.outcome {
            case .untouched: ("untouched", 0)
            case .cleared: ("cleared", 0)
            case .repaired(let count): ("repaired", count)
            case .unavailable: ("unavailable", 0)
            }
        return Object(
            outcome: outcome, checked: report.checked, movedAside: count,
            problems: report.problems.map { .init(key: $0.key?.rawValue, reason: sentence($0.reason)) },
            unknown: report.unknownEntries.map(\.rawValue).sorted())
    }

    struct Object: Encodable {
        struct Problem: Encodable {
            let key: String?
            let reason: String
        }
        let outcome: String
        let checked: Int
        let movedAside: Int
        let problems: [Problem]
        let unknown: [String]
    }

    static func lines(_ report: IntegrityReport) -> [String] {
        var lines = report.problems.map { problem in
            "\(problem.key?.rawValue ?? "the store"): \(sentence(problem.reason))"
        }.sorted()
        lines += report.unknownEntries.map {
            "\($0.rawValue): an entry that this version does not know"
        }
        .sorted()
        let milliseconds =
            Double(report.duration.components.attoseconds) / 1e15
            + Double(report.duration.components.seconds) * 1e3
        let time = "\((milliseconds * 10).rounded() / 10) ms"
        switch report.outcome {
        case .untouched: lines.append("\(report.checked) values checked in \(time); nothing was removed.")
        case .cleared: lines.append("Everything was removed; the viewer is logged out.")
        case .repaired(let count): lines.append("\(count) of \(report.checked) values were moved aside in \(time).")
        case .unavailable(let error): lines.append("The store cannot be used: \(error). Nothing was removed.")
        }
        return lines
    }

    private static func sentence(_ reason: IntegrityReport.Reason) -> String {
        switch reason {
        case .probeFailed: "a value that was written did not come back"
        case .damaged(.truncated): "its end is missing"
        case .damaged(.checksum): "bytes do not fit their checksum"
        case .unreadable: "cannot be opened: damaged, moved, or sealed with another key"
        case .invalid: "is not what the entry promises"
        case .misplaced: "belongs to another entry"
        case .unusable(let error): "cannot be read or written for good: \(error)"
        }
    }
}
