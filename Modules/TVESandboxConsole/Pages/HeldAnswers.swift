import Foundation
import TVEModels
import TVESandbox

/// A section with the held answers and their forms for release, and with the rules for the answers to hold next.
enum HeldAnswers {
    static func html(_ routes: SandboxRoutes) -> String {
        let held = routes.holds.held
        let rules = routes.holds.rules.map { rule in
            let step = rule.step.flatMap(ServiceStep.named)?.title ?? "any step of an app"
            let device = rule.device.map { ", device \(ExchangeRow.short($0))" } ?? ""
            return "<li class=\"fault-line\">The next answer to <strong>\((step + device).escapedForXML)</strong></li>"
        }
        let waiting =
            rules.isEmpty
            ? ""
            : """
            <ul class="faults">\(rules.joined())</ul>
            <button type="button" data-api="DELETE /console/api/holds" data-done="No further answer will be held.">Stop holding answers</button>
            """
        guard !held.isEmpty || !rules.isEmpty else { return "" }
        return """
            <section aria-labelledby="held"><h2 id="held">Held answers</h2>
            \(held.map(form).joined(separator: "\n"))
            \(waiting)</section>
            """
    }

    private static func form(_ held: RequestHolds.Held) -> String {
        let kinds: [SandboxWorld.Fault.Kind] = [.dropped, .cutBody, .garbledBody, .throttled, .captivePortal]
        let text = String(validUTF8: held.body)
        let editor =
            text.map {
                """
                <label>Body, with its secrets <textarea name="body" rows="8" spellcheck="false">\(ConsolePage.escapedLines($0))</textarea></label>
                """
            } ?? "<p class=\"quiet\">The body is not text; it goes as it is.</p>"
        return """
            <form class="card held" id="held-\(held.id)" data-release="\(held.id)" aria-label="Answer of exchange \(held.id)">
            <h3><a href="/console/exchanges/\(held.id)">Exchange \(held.id)</a>: \(held.step.title.escapedForXML)</h3>
            <p class="quiet">It goes by itself <span data-until-here="\(held.until.milliseconds)"></span>. The client may give up before: this library and <code>tve</code> wait 30 seconds.</p>
            <label>Status <input name="status" type="number" min="200" max="599" value="\(held.status)" required></label>
            \(editor)
            \(ConsolePage.select("With a fault", name: "fault", any: "none", options: kinds.map { ($0.rawValue, $0.title) }))
            <button aria-label="Release the answer of exchange \(held.id)">Release</button></form>
            """
    }
}
