import Foundation
import TVEModels
import TVESandbox

/// One exchange in full.
enum ExchangePage {
    static func page(_ exchange: SandboxExchange, _ request: SandboxRequest) -> ConsolePage {
        ConsolePage(
            view: .exchanges, title: "Exchange \(exchange.id)",
            content:
                "<p><a href=\"/\">All exchanges</a></p>\n<article class=\"exchange\">\(content(exchange, request))</article>"
        )
    }

    static func content(_ exchange: SandboxExchange, _ request: SandboxRequest) -> String {
        let masking = Masking(shows: request.query["secrets"] == "1")
        let step = ServiceStep.named(exchange.facts.step)
        let path = "/console/exchanges/\(exchange.id)"
        let faults = exchange.faults.map { FaultDescription($0) }
            .map { "<p class=\"fault-line\"><strong>\($0.title)</strong>: \($0.about) <small>\($0.source)</small></p>" }
        let objection = exchange.objection.map {
            "<p class=\"fault-line\"><strong>Refused</strong>: \($0.escapedForXML)</p>"
        }
        return """
            <h2 class="target"><span class="code \(ExchangeRow.level(exchange))">\(exchange.status)</span> \
            <code>\(exchange.method.escapedForXML) \(masking.text(exchange.target).escapedForXML)</code></h2>
            <p class="actions">
            <a class="button" href="\(path)\(masking.shows ? "" : "?secrets=1")" data-secrets="\(masking.shows ? 0 : 1)">\(masking.shows ? "Hide" : "Show") secrets</a>
            <button type="button" data-copy-from="/console/api/exchanges/\(exchange.id)/curl">Copy as curl</button>
            </p>
            <dl class="facts">
            \(fact("Step", step.map { "<strong>\($0.title.escapedForXML)</strong>. \($0.about.escapedForXML) <small>\($0.source.escapedForXML)</small>" } ?? ""))
            \(fact("When", "\(exchange.began.formatted(.iso8601)), answered in \(ExchangeRow.took(exchange.milliseconds))"))
            \(fact("Device", exchange.facts.device.map { "<code>\($0.escapedForXML)</code>" } ?? ""))
            \(fact("Requestor", (exchange.facts.requestor?.text ?? "").escapedForXML))
            \(fact("Flow", exchange.facts.flow.map { "<a href=\"/console/sequence?flow=\($0)\">\($0), as a sequence</a>" } ?? ""))
            </dl>
            \(objection ?? "")\(faults.joined())
            \(tokens(exchange, masking))
            \(message("Request", exchange.request, masking))
            \(message("Answer", exchange.answer, masking))
            """
    }

    private static func fact(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : "<dt>\(name)</dt><dd>\(value)</dd>"
    }

    private static func message(_ title: String, _ message: SandboxExchange.Message, _ masking: Masking) -> String {
        let rows = message.headers.map {
            "<tr><th scope=\"row\">\($0.name.escapedForXML)</th><td>\(masking.value($0.value, of: $0.name).escapedForXML)</td></tr>"
        }
        let body = BodyText(message, masking)
        let shown =
            body.text.isEmpty
            ? "<p class=\"quiet\">No body.</p>"
            : "<h4>Body <small>\(body.kind), \(message.length) bytes</small></h4><pre class=\"body\" tabindex=\"0\">\(ConsolePage.escapedLines(body.text))</pre>"
        return """
            <section aria-label="\(title)"><h3>\(title)</h3>
            <details open><summary>Headers (\(message.headers.count))</summary>
            <table class="headers"><caption class="unseen">Headers of the \(title.lowercased())</caption><tbody>\(rows.joined())</tbody></table></details>
            \(shown)</section>
            """
    }

    private static func tokens(_ exchange: SandboxExchange, _ masking: Masking) -> String {
        let found = TokenFinder(exchange).found
        guard !found.isEmpty else { return "" }
        let blocks = found.map { token in
            let rows = token.fields.map { field in
                let value = field.isSecret && !masking.shows ? "••••••" : field.value
                let left =
                    field.ends.map { " <span class=\"left\" data-until=\"\($0.milliseconds)\"></span>" } ?? ""
                return
                    "<tr><th scope=\"row\">\(field.name.escapedForXML)</th><td><code>\(value.escapedForXML)</code>\(left)</td>"
                    + "<td class=\"quiet\">\(field.meaning.escapedForXML)</td></tr>"
            }
            return """
                <details class="token" open><summary>\(token.title.escapedForXML) <small>\(token.place.escapedForXML)</small></summary>
                <table><caption class="unseen">Fields of the \(token.title.escapedForXML)</caption><tbody>\(rows.joined())</tbody></table></details>
                """
        }
        return "<section aria-label=\"Tokens\"><h3>Tokens</h3>\(blocks.joined())</section>"
    }
}
