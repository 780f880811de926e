import Foundation
import TVEConformance
import TVEModels
import TVESandbox
import TVESandboxConsole

/// A conformance report as a page that can be sent.
///
/// The page needs no other file, and contains no header, body, query or registration code.
struct ConformancePage {
    let report: ConformanceReport
    let subject: String
    private let own: [ExpectationOutcome]
    private let rows: ConformanceRows

    init(report: ConformanceReport, own: [ExpectationOutcome] = [], exchanges: [Exchange], subject: String) {
        self.own = own
        self.report = report
        self.subject = String(subject.prefix(200))
        rows = ConformanceRows(exchanges)
    }

    var html: String {
        let groups = [("Failed", TVEConformance.Finding.Outcome.fail), ("Passed", .pass), ("Not observed", .notSeen)]
        return PageFile.html(
            "REST API v2: acceptance list",
            style: [Self.style, ConformanceRows.css, SequenceDiagram.css].joined(separator: "\n"),
            """
            <h1>REST API v2: acceptance list</h1>
            <p class="verdict \(report.exchangeCount == 0 ? "" : report.isAcceptable(with: own) ? "good" : "bad")">\(verdict)</p>
            <p>\(report.summary.escapedForXML) Judged: <code>\(subject.escapedForXML)</code></p>
            <p class="quiet">\(ConformanceReport.disclaimer.escapedForXML)</p>
            \(expectations)
            \(groups.map { section($0, $1) }.joined(separator: "\n"))
            \(oldCalls)
            """)
    }

    private var verdict: String {
        guard report.exchangeCount > 0 else { return "Nothing was judged." }
        guard report.isAcceptable else { return "A mandatory row fails." }
        let isAcceptable = report.isAcceptable(with: own)
        return "No mandatory row fails\(isAcceptable ? "" : ", but one of your own expectations is not met")."
    }

    private var expectations: String {
        guard !own.isEmpty else { return "" }
        let rows = own.map { OwnExpectations.row($0) { _ in nil } }
        return """
            <section aria-label="Own expectations">
            <h2>Own expectations <span class="count">\(own.count)</span></h2>
            \(rows.joined(separator: "\n"))
            </section>
            """
    }

    private func section(_ title: String, _ outcome: TVEConformance.Finding.Outcome) -> String {
        let findings = report.findings(outcome)
        guard !findings.isEmpty else { return "" }
        return """
            <section aria-label="\(title)">
            <h2>\(title) <span class="count">\(findings.count)</span></h2>
            \(findings.map { rows.html($0, isOpen: outcome == .fail) }.joined(separator: "\n"))
            </section>
            """
    }

    private var oldCalls: String {
        guard !report.oldCalls.isEmpty else { return "" }
        let rows = report.oldCalls.map {
            "<tr><td><code>\($0.call.escapedForXML)</code></td><td>\($0.count)</td>"
                + "<td>\($0.replacement.escapedForXML)</td></tr>"
        }
        return """
            <section aria-label="Old calls">
            <h2>Calls of the classic services and of REST API v1</h2>
            <div class="wide"><table><thead><tr><th scope="col">Call</th><th scope="col">Times</th><th scope="col">In REST API v2</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
            </section>
            """
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #16202c; --note: #566375; --line: #c3ccd8; --good: #1c6b35; --bad: #b3261e }
        @media (prefers-color-scheme: dark) { :root { --paper: #10151c; --ink: #e4eaf2; --note: #a3b0c0; --line: #3b4757; --good: #7fd69a; --bad: #ff8a80 } }
        body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink) }
        main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem }
        h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem } .count { color: var(--note); font-weight: 400 }
        .verdict { font-size: 1.15rem; font-weight: 600; margin: .3rem 0 } .good { color: var(--good) } .bad { color: var(--bad) }
        .quiet { color: var(--note); font-size: .9rem } code { overflow-wrap: anywhere }
        .wide { overflow-x: auto } table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line) }
        """
}
