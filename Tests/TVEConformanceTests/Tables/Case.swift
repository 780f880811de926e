import Testing

@testable import TVEConformance

/// What a client did, and what the judge says of one row.
struct Case: Sendable, CustomTestStringConvertible {
    enum Verdict: Equatable {
        /// The row is kept, and these exchanges show it.
        case kept([Int])
        /// The row is broken, each time with the numbers of the exchanges and a sentence.
        case broken([String])
        /// Nothing in the recording shows anything of the row.
        case nothing
        /// Nothing can be said, because the recording lacks something.
        case unsure(String)

        static func keeps(_ exchanges: Int...) -> Verdict { .kept(exchanges) }

        /// - Parameter problems: each as `1, 2: The sentence.`
        static func breaks(_ problems: String...) -> Verdict { .broken(problems) }
    }

    let testDescription: String
    let verdict: Verdict
    let sent: [Sent]

    init(_ what: String, _ verdict: Verdict, _ sent: Sent...) {
        self.init(what, verdict, sent: sent)
    }

    init(_ what: String, _ verdict: Verdict, sent: [Sent]) {
        testDescription = what
        self.verdict = verdict
        self.sent = sent
    }

    /// Judges the recording by one row, and compares.
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
            self = note.hasPrefix("Nothing was recorded that shows it: ") ? .nothing : .unsure(note)
        }
    }
}
