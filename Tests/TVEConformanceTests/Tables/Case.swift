import Testing

@testable import TVEConformance

/// The requests of a client, and the verdict of the judge about one row.
struct Case: Sendable, CustomTestStringConvertible {
    enum Verdict: Equatable {
        /// The client follows the row, as these exchanges show.
        case kept([Int])
        /// The client breaks the row. Each text has the numbers of the exchanges and a sentence.
        case broken([String])
        /// The recording shows nothing that concerns the row.
        case nothing
        /// The verdict is uncertain, because the recording lacks something.
        case unsure(String)

        static func keeps(_ exchanges: Int...) -> Verdict { .kept(exchanges) }

        /// Creates a verdict of a broken row.
        ///
        /// - Parameter problems: the problems, each in the form `1, 2: The sentence.`
        static func breaks(_ problems: String...) -> Verdict { .broken(problems) }
    }

    let testDescription: String
    let verdict: Verdict
    let sent: [Sent]

    init(_ what: String, verdict: Verdict, _ sent: Sent...) {
        self.init(what, verdict: verdict, sent: sent)
    }

    init(_ what: String, verdict: Verdict, sent: [Sent]) {
        testDescription = what
        self.verdict = verdict
        self.sent = sent
    }

    /// Judges the recording by one row, and compares the verdict.
    func check(_ row: String, _ location: SourceLocation = #_sourceLocation) throws {
        let report = ConformanceReport(judging: sent.exchanges)
        let finding = try #require(report.findings.first { $0.row.id == row })
        #expect(Verdict(finding) == verdict, sourceLocation: location)
    }
}

extension Case.Verdict {
    fileprivate init(_ finding: Finding) {
        switch finding.outcome {
        case .pass: self = .kept(finding.evidence)
        case .fail:
            self = .broken(
                finding.problems.map { problem in
                    "\(problem.exchanges.map { "\($0)" }.joined(separator: ", ")): \(problem.sentence)"
                })
        case .notSeen:
            let note = finding.note ?? ""
            self = note.hasPrefix("The recording lacks what would show this: ") ? .nothing : .unsure(note)
        }
    }
}
