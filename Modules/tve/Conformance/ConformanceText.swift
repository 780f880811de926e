import TVEConformance
import TVEModels
import TVESandbox
import TVESandboxConsole

/// A conformance report as lines of text for people.
struct ConformanceText {
    let report: ConformanceReport
    /// The tester's own expectations with their results.
    var own: [ExpectationOutcome] = []

    var lines: [String] {
        var lines = report.findings.flatMap(lines)
        if !own.isEmpty {
            lines += ["", "Own expectations:"]
            lines += own.flatMap { outcome in
                ["      \(outcome.rowOutcome.title.padded(to: 12)) \(outcome.expectation.name)"]
                    + outcome.problems.map { String(repeating: " ", count: 19) + $0 }
            }
        }
        if !report.oldCalls.isEmpty {
            lines += ["", "Calls of the classic services and of REST API v1, and what replaces them:"]
            lines += report.oldCalls.map { "  \($0.call), \(Printer.count($0.count, "time")): \($0.replacement)" }
        }
        return lines + ["", report.summary, ConformanceReport.disclaimer]
    }

    private func lines(_ finding: TVEConformance.Finding) -> [String] {
        let kind = finding.row.obligation == .mandatory ? "" : " (recommended)"
        let head =
            "\(finding.row.id.padded(to: 5)) \(finding.outcome.title.padded(to: 12)) \(finding.row.sentence)\(kind)"
        let blank = String(repeating: " ", count: 19)
        switch finding.outcome {
        case .pass: return [head]
        case .notSeen: return [head, blank + (finding.note ?? "")]
        case .fail:
            let places = finding.problems.map { problem in
                let numbers = problem.exchanges.map { "\($0)" }.joined(separator: ", ")
                return "\(blank)\(problem.sentence) [\(numbers)]"
            }
            let rest = finding.problemCount - finding.problems.count
            return [head] + places + (rest > 0 ? ["\(blank)and \(rest) more"] : []) + [
                "\(blank)→ \(finding.row.advice)"
            ]
        }
    }
}

/// A conformance report as JSON.
struct ConformanceJSON: Encodable {
    private let isAcceptable: Bool
    private let disclaimer = ConformanceReport.disclaimer
    private let report: ConformanceReport
    private let expectations: [Expectation]

    private struct Expectation: Encodable {
        let name, result: String
        let problems: [String]
        let exchanges: [Int]
    }

    init(_ report: ConformanceReport, _ own: [ExpectationOutcome]) {
        self.report = report
        expectations = own.map {
            Expectation(
                name: $0.expectation.name, result: $0.result.rawValue, problems: $0.problems, exchanges: $0.exchanges)
        }
        isAcceptable = report.isAcceptable(with: own)
    }
}

extension ConformanceReport {
    /// Returns a Boolean value that indicates whether neither a mandatory row nor an expectation of the tester fails.
    func isAcceptable(with own: [ExpectationOutcome]) -> Bool {
        isAcceptable && !own.contains { $0.result == .broken }
    }
}

/// A conformance report as JUnit tests, which build servers read.
///
/// Only a mandatory row or an expectation of the tester that is broken is a failed test.
struct JUnitReport {
    let report: ConformanceReport
    /// The tester's own expectations with their results.
    var own: [ExpectationOutcome] = []
    /// The reason for which the report is no verdict on the client, or `nil` if it is one.
    var error: String?

    var xml: String {
        let errors = [error].compactMap(\.self)
        let tests: [String] = report.findings.map(test) + own.map(test) + errors.map(errorTest)
        let failures = report.findings.count { isFailure($0) } + own.count { $0.result == .broken }
        let skipped =
            report.findings.count { !isFailure($0) && $0.outcome != .pass } + own.count { $0.result == .notSeen }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="Acceptance list of REST API v2" tests="\(tests.count)" failures="\(failures)" errors="\(errors.count)" skipped="\(skipped)">
            \(tests.joined(separator: "\n"))
            <system-out>\(ConformanceReport.disclaimer.escapedForXML)</system-out>
            </testsuite>

            """
    }

    private func isFailure(_ finding: TVEConformance.Finding) -> Bool {
        finding.outcome == .fail && finding.row.obligation == .mandatory
    }

    private func errorTest(_ reason: String) -> String {
        let result = "<error message=\"\(reason.escapedForXML)\"/>"
        return "<testcase classname=\"run\" name=\"The client is judged.\">\(result)</testcase>"
    }

    private func test(_ outcome: ExpectationOutcome) -> String {
        let result =
            switch outcome.result {
            case .kept: ""
            case .notSeen: "<skipped message=\"No client has reached the step.\"/>"
            case .broken: "<failure message=\"\(outcome.problems.joined(separator: " ").escapedForXML)\"/>"
            }
        return "<testcase classname=\"own\" name=\"\(outcome.expectation.name.escapedForXML)\">\(result)</testcase>"
    }

    private func test(_ finding: TVEConformance.Finding) -> String {
        let name = "\(finding.row.id): \(finding.row.sentence)".escapedForXML
        let text = finding.problems.map(\.sentence).joined(separator: " ").escapedForXML
        let result =
            switch finding.outcome {
            case .pass: ""
            case .notSeen: "<skipped message=\"\((finding.note ?? "").escapedForXML)\"/>"
            case .fail where isFailure(finding):
                "<failure message=\"\(text)\">\(finding.row.advice.escapedForXML)</failure>"
            case .fail: "<skipped message=\"recommended, and failed: \(text)\"/>"
            }
        return "<testcase classname=\"\(finding.row.obligation.rawValue)\" name=\"\(name)\">\(result)</testcase>"
    }
}
