import Foundation
package import TVEConformance
import TVEModels
package import TVESandbox

/// The tester's own expectations and their results, as HTML beside the rows of the acceptance list.
package enum OwnExpectations {
    static func html(_ routes: SandboxRoutes, _ exchanges: [SandboxExchange]) -> String {
        let rows = routes.expectationOutcomes(in: exchanges).map { outcome in
            row(outcome, actions: remove(outcome.expectation.name)) { "/console/exchanges/\($0)" }
        }
        return """
            <section aria-labelledby="own-heading"><h2 id="own-heading">Your own expectations</h2>
            <div id="own" class="acceptance">\(rows.isEmpty ? "<p class=\"quiet\">None yet.</p>" : rows.joined(separator: "\n"))</div>
            <details id="expect"><summary>Expect something</summary>
            \(form)
            <p class="quiet">Judged in each flow, an application on a device; what is left empty does not matter. Expectations are a part of the world: <a href="/console/api/world" download="world.json">save it</a>, and <code>tve sandbox --world world.json</code> and <code>tve conformance --expect world.json</code> judge by them.</p></details></section>
            """
    }

    /// Returns the conditions of an expectation in words.
    private static func conditions(_ expectation: SandboxWorld.Expectation) -> String {
        let step = ServiceStep.named(expectation.step)?.title ?? expectation.step
        let count: String? =
            switch (expectation.atLeast, expectation.atMost) {
            case (let least?, let most?): least == most ? times(least) : "\(least) to \(times(most))"
            case (let least?, nil): "at least \(times(least))"
            case (nil, let most?): "at most \(times(most))"
            case (nil, nil): nil
            }
        let pause = expectation.pause.map { pause in
            "\(expectation.status.map { "after a \($0), " } ?? "")not again within \(pause) s"
        }
        let before = expectation.follows.map { "after \(ServiceStep.named($0)?.title ?? $0)" }
        return "\(step): " + [count, before, pause].compactMap(\.self).joined(separator: "; ")
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private static func remove(_ name: String) -> String {
        """
        <p class="actions"><button type="button" class="small" data-api="DELETE /console/api/expectations/\(name.escapedForPath)" data-undo="world" data-done="The expectation was removed." aria-label="Remove the expectation \(name.escapedForXML)">Remove</button></p>
        """
    }

    /// Returns an expectation and its result as HTML, for the console or for a page that can be sent.
    ///
    /// - Parameters:
    ///   - outcome: the expectation with its result.
    ///   - actions: the HTML of the buttons for the expectation; empty for a page that can be sent.
    ///   - link: the address of the page that shows an exchange, by its number; `nil` if there is no such page.
    package static func row(_ outcome: ExpectationOutcome, actions: String = "", link: (Int) -> String?) -> String {
        let name = outcome.expectation.name
        let style = outcome.rowOutcome.rawValue
        let word = outcome.rowOutcome.title.lowercased()
        let problems = outcome.problems.map { "<p class=\"problem\">\($0.escapedForXML)</p>" }.joined()
        let exchanges = outcome.exchanges.map { id in link(id).map { "<a href=\"\($0)\">\(id)</a>" } ?? "\(id)" }
            .joined(separator: ", ")
        return """
            <details class="row \(style)" id="own-\(name.escapedForPath)" data-state="\(style) \(outcome.problems.count) \(outcome.exchanges) \(name.escapedForXML)">
            <summary><span class="word">\(word)</span> \(name.escapedForXML)</summary>
            <p class="quiet">\(conditions(outcome.expectation).escapedForXML)</p>\(problems)
            \(exchanges.isEmpty ? "" : "<p>Exchanges \(exchanges)</p>")
            \(actions)
            </details>
            """
    }

    private static let form: String = {
        let steps = ServiceStep.rows.filter { $0.dialect != .sandbox }
            .map { ($0.id, "\($0.dialect.title): \($0.title) (\($0.id))") }
        return """
            <form class="bar" id="expectation-form" data-api="POST /console/api/expectations" data-undo="world" data-done="The expectation was added.">
            <label class="wide-field">What do you expect? <input name="name" required maxlength="100" placeholder="waits after a 429" autocomplete="off"></label>
            \(ConsolePage.select("At the step", name: "step", options: steps))
            <label>At least, times <input name="atLeast" type="number" min="1" max="100000" inputmode="numeric"></label>
            <label>At most, times <input name="atMost" type="number" min="0" max="100000" inputmode="numeric"></label>
            \(ConsolePage.select("Only after", name: "follows", any: "anything", options: steps))
            <label>After the status <input name="status" type="number" min="200" max="599" placeholder="any" inputmode="numeric"></label>
            <label>wait, seconds <input name="pause" type="number" min="1" max="86400" inputmode="numeric"></label>
            <button>Expect it</button></form>
            """
    }()
}

extension ExpectationOutcome {
    /// The result as the outcome of a row of the vendor's list, beside which it is shown.
    package var rowOutcome: Finding.Outcome {
        switch result {
        case .kept: .pass
        case .broken: .fail
        case .notSeen: .notSeen
        }
    }
}
