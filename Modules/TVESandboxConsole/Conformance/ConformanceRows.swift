import Foundation
package import TVEConformance
import TVEModels
import TVESandbox

/// The rows of a conformance report as HTML, for the console and for a page that can be sent.
///
/// Each row can be expanded to show the exchanges that support its outcome. The HTML contains no header, body, query or
/// registration code.
package struct ConformanceRows {
    private let exchanges: [Int: Exchange]
    private let beginning: Date
    private let link: (Int) -> String?

    /// Creates the rows for the exchanges of a report.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges that were judged.
    ///   - link: the address of the page that shows an exchange, by its number; `nil` if there is no such page.
    package init(_ exchanges: [Exchange], link: @escaping (Int) -> String? = { _ in nil }) {
        self.exchanges = Dictionary(exchanges.map { ($0.id, $0) }) { first, _ in first }
        beginning = exchanges.map(\.began).min() ?? Date(timeIntervalSince1970: 0)
        self.link = link
    }

    /// The style sheet of the rows.
    ///
    /// A page also needs the style sheet of sequence diagrams, and defines the colours itself.
    package static let css = EmbeddedFile.text("conformance.css")

    /// Returns the row of a finding as HTML.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - isOpen: a Boolean value that indicates whether the row is expanded at first.
    package func html(_ finding: Finding, isOpen: Bool = false) -> String {
        let row = finding.row
        let body =
            switch finding.outcome {
            case .fail:
                finding.problems.map { "<p class=\"problem\">\($0.sentence.escapedForXML)</p>\(diagram($0.exchanges))" }
                    .joined(separator: "\n") + more(finding.problemCount - finding.problems.count, "places")
                    + "<p><b>What to change:</b> \(row.advice.escapedForXML)</p>"
            case .pass: diagram(finding.evidence) + more(finding.evidenceCount - finding.evidence.count, "exchanges")
            case .notSeen: "<p>\((finding.note ?? "").escapedForXML)</p>"
            }
        let advised = row.obligation == .recommended ? " <span class=\"kind\">recommended</span>" : ""
        return """
            <details class="row \(finding.outcome.rawValue)" id="\(row.id)" data-state="\(finding.outcome.rawValue) \(finding.problemCount) \(finding.evidenceCount)"\(isOpen ? " open" : "")>
            <summary><span class="id">\(row.id)</span> <span class="word">\(finding.outcome.title.lowercased())</span> \(row.sentence.escapedForXML)\(advised)</summary>
            \(body)
            <p class="quiet">Evidence: \(row.evidence.escapedForXML). Source: \(row.source.escapedForXML).</p>
            </details>
            """
    }

    private func more(_ count: Int, _ what: String) -> String {
        count > 0 ? "<p class=\"quiet\">and \(count) more \(what)</p>" : ""
    }

    private func diagram(_ ids: [Int]) -> String {
        let steps = ids.compactMap { exchanges[$0] }.sorted { ($0.began, $0.id) < ($1.began, $1.id) }.map { exchange in
            let status = exchange.status == 0 ? "no answer" : "\(exchange.status)"
            var step = SequenceDiagram.Step(
                from: exchange.isPage ? 2 : 0, to: 1, text: "\(exchange.id): \(exchange.outline)  \(status)",
                began: exchange.began.timeIntervalSince(beginning) * 1_000)
            step.link = link(exchange.id)
            step.isFailure = exchange.status == 0 || exchange.status >= 400
            return step
        }
        return steps.isEmpty ? "" : SequenceDiagram(parties: ["Client", "Service", "Browser"], steps: steps).html
    }
}

extension Finding.Outcome {
    /// The outcome as a word for people.
    package var title: String {
        switch self {
        case .pass: "pass"
        case .fail: "FAIL"
        case .notSeen: "not observed"
        }
    }
}

extension ConformanceReport {
    /// A sentence with the number of rows for each outcome.
    package var summary: String {
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let failed = findings(.fail)
        let mandatory = failed.count { $0.row.obligation == .mandatory }
        let exchanges = count(exchangeCount, "exchange")
        let clients = count(clientCount, "client")
        return
            "\(count(findings(.pass).count, "row")) passed, \(failed.count) failed (\(mandatory) mandatory), "
            + "\(findings(.notSeen).count) not observed, in \(exchanges) of \(clients)."
    }
}
