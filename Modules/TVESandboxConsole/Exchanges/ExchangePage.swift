import Foundation
import TVEModels
import TVESandbox

/// A page that shows one exchange completely.
enum ExchangePage {
    /// Returns the page of an exchange, with links to the exchanges beside it in a list.
    static func page(_ exchange: SandboxExchange, in all: [SandboxExchange], _ request: SandboxRequest) -> ConsolePage {
        func link(_ way: String, to other: SandboxExchange?, _ title: String) -> String {
            other.map { " <a rel=\"\(way)\" href=\"/console/exchanges/\($0.id)\">\(title)</a>" } ?? ""
        }
        return ConsolePage(
            view: .exchanges, title: "Exchange \(exchange.id)",
            content: """
                <p><a href="/">All exchanges</a>\(link("prev", to: all.last { $0.id < exchange.id }, "Previous"))\(link("next", to: all.first { $0.id > exchange.id }, "Next"))</p>
                <article class="exchange">\(content(exchange, request))</article>
                """)
    }

    static func content(_ exchange: SandboxExchange, _ request: SandboxRequest) -> String {
        content(exchange, Masking(shows: request.query["secrets"] == "1"))
    }

    /// Returns an exchange as HTML, with the bodies before the headers.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - masking: the masking of secrets.
    ///   - isFile: a Boolean value that indicates whether the HTML is part of a file, which has no buttons and links
    ///     for a running sandbox.
    static func content(_ exchange: SandboxExchange, _ masking: Masking, isFile: Bool = false) -> String {
        let step = ServiceStep.named(exchange.facts.step)
        let faults = ExchangeChanges(exchange).changes
            .map { "<p class=\"fault-line\"><strong>\($0.title)</strong>: \($0.about) <small>\($0.source)</small></p>" }
        let objection = exchange.objection.map {
            "<p class=\"fault-line\"><strong>Refused</strong>: \($0.escapedForXML)</p>"
        }
        // A denial and a refusal have boxes of their own.
        let outcome = exchange.outcome
        let said = outcome.kind == .denied || exchange.objection != nil ? "" : ExchangeRow.outcomeHTML(outcome)
        let about = step.map {
            "<p class=\"quiet about\"><strong>\($0.title.escapedForXML)</strong>. \($0.about.escapedForXML) "
                + "<small>\($0.source.escapedForXML)</small></p>"
        }
        return """
            <h2 class="target"><span class="code \(ExchangeRow.level(exchange))">\(ExchangeRow.status(exchange))</span> \
            <code>\(exchange.method.escapedForXML) \(masking.text(exchange.target).escapedForXML)</code></h2>
            \(isFile ? "" : actions(exchange, masking))
            <p class="facts">\(said)\(facts(exchange, isFile: isFile))</p>
            \(about ?? "")
            \(objection ?? "")\(faults.joined())\(DenialReason.html(exchange, isFile: isFile))
            \(body("Answer", of: exchange.answer, masking: masking))
            \(tokens(exchange, masking, isFile: isFile))
            \(body("Request", of: exchange.request, masking: masking))
            \(headers("Headers of the request", of: exchange.request, masking: masking))
            \(headers("Headers of the answer", of: exchange.answer, masking: masking))
            \(isFile ? "" : ReplayForm.html(exchange, masking))
            """
    }

    private static func actions(_ exchange: SandboxExchange, _ masking: Masking) -> String {
        """
        <p class="actions">
        <a class="button" href="/console/exchanges/\(exchange.id)\(masking.shows ? "" : "?secrets=1")" data-secrets="\(masking.shows ? 0 : 1)">\(masking.shows ? "Hide" : "Show") secrets</a>
        <button type="button" data-copy-from="/console/api/exchanges/\(exchange.id)/curl">Copy as curl</button>
        <button type="button" data-api="POST /console/api/exchanges/\(exchange.id)/replay" data-opens data-done="The request was sent again.">Send again</button>
        </p>
        """
    }

    private static func facts(_ exchange: SandboxExchange, isFile: Bool) -> String {
        let took =
            exchange.isSent
            ? "sent after \(ExchangeRow.took(exchange.milliseconds))"
            : "<span data-since=\"\(exchange.began.milliseconds)\">in flight</span>"
        let device = exchange.facts.device.map { id in
            let link = isFile ? "" : " <a href=\"/?device=\(id.escapedForPath)\">its exchanges</a>"
            return "device <code title=\"\(id.escapedForXML)\">\(ExchangeRow.short(id).escapedForXML)</code>\(link)"
        }
        let flow = exchange.facts.flow.map {
            isFile ? "flow \($0)" : "<a href=\"/console/sequence?flow=\($0)\">Flow \($0), as a sequence</a>"
        }
        return [
            "\(ExchangeRow.date(exchange.began)), \(took)", device,
            exchange.facts.requestor.map { "requestor <code>\($0.text.escapedForXML)</code>" }, flow,
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static func body(_ title: String, of message: SandboxExchange.Message, masking: Masking) -> String {
        let body = BodyText(message, masking)
        let nothing =
            message.isWhole
            ? "No body."
            : message.length < 0
                ? "The body was not read, because its length is unknown."
                : "The body of \(message.length) bytes was too long to be stored."
        let shown =
            body.text.isEmpty
            ? "<p class=\"quiet\">\(nothing)</p>"
            : "<pre class=\"body\" tabindex=\"0\" aria-label=\"Body of the \(title.lowercased())\">"
                + "\(ConsolePage.escapedLines(body.text))</pre>"
        let length = body.text.isEmpty ? "" : " <small>\(body.kind), \(message.length) bytes</small>"
        return "<section aria-label=\"\(title)\"><h3>\(title)\(length)</h3>\n\(shown)</section>"
    }

    private static func headers(_ title: String, of message: SandboxExchange.Message, masking: Masking) -> String {
        let rows = message.headers.map { name, value in
            "<tr><th scope=\"row\">\(name.escapedForXML)</th>"
                + "<td>\(masking.value(value, of: name).escapedForXML)</td></tr>"
        }
        return """
            <details><summary>\(title) (\(message.headers.count))</summary>
            <table class="headers"><caption class="unseen">\(title)</caption><tbody>\(rows.joined())</tbody></table></details>
            """
    }

    private static func tokens(_ exchange: SandboxExchange, _ masking: Masking, isFile: Bool) -> String {
        let found = TokenFinder(exchange).found
        guard !found.isEmpty else { return "" }
        let blocks = found.map { token in
            let rows = token.fields.map { field in
                let value = field.isSecret && !masking.shows ? "••••••" : field.value
                let date = field.date.map(ExchangeRow.date)
                let left = field.ends.map { isFile ? "" : countdown(to: $0, of: token) } ?? ""
                return
                    "<tr><th scope=\"row\">\(field.name.escapedForXML)</th>"
                    + "<td><code>\(date ?? value.escapedForXML)</code>\(left)</td>"
                    + "<td class=\"quiet\">\(field.meaning.escapedForXML)</td></tr>"
            }
            return """
                <details class="token" open><summary>\(token.title.escapedForXML) <small>\(token.place.escapedForXML)</small></summary>
                <table><caption class="unseen">Fields of the \(token.title.escapedForXML)</caption><tbody>\(rows.joined())</tbody></table></details>
                """
        }
        return "<section aria-label=\"Tokens\"><h3>Tokens</h3>\(blocks.joined())</section>"
    }

    /// Returns the remaining lifetime of a token as HTML, with a button that moves the clock to its end.
    private static func countdown(to date: Date, of token: FoundToken) -> String {
        """
         <span class="left" data-until="\(date.milliseconds)"></span> <button type="button" class="small" data-api="POST /console/api/clock" data-body="{&quot;to&quot;:\(date.milliseconds)}" data-undo="clock" data-done="The clock has moved." aria-label="Move the clock there: to the end of the \(token.title.escapedForXML)">Move the clock there</button>
        """
    }
}
