import Foundation
import TVEModels
import TVESandbox

/// The forms below an exchange, which edit and resend its request and compare it with another exchange.
enum ReplayForm {
    static func html(_ exchange: SandboxExchange, _ masking: Masking) -> String {
        """
        <details id="edit-request"><summary>Edit and send again</summary>\(editor(exchange, masking))</details>
        <form class="bar" method="get" action="/console/compare" aria-label="Compare with another exchange">
        <input type="hidden" name="left" value="\(exchange.id)">
        <label>Compare with exchange <input name="right" type="number" min="1" required inputmode="numeric" value="\(max(1, exchange.id - 1))"></label>
        <button>Compare</button></form>
        """
    }

    private static func editor(_ exchange: SandboxExchange, _ masking: Masking) -> String {
        // The editor would send a masked token as it is displayed.
        guard masking.shows else {
            return """
                <p class="quiet"><a href="/console/exchanges/\(exchange.id)?secrets=1" data-secrets="1">Show the secrets</a> to edit the request.</p>
                """
        }
        guard exchange.request.isWhole else {
            return "<p class=\"quiet\">The whole body is not stored. The request cannot be sent again here.</p>"
        }
        guard let body = String(validUTF8: exchange.request.body) else {
            return "<p class=\"quiet\">The body is not text. The request can be sent again as it was.</p>"
        }
        let headers = exchange.request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return """
            <form data-replay="\(exchange.id)">
            <p class="bar"><label>Method <input name="method" value="\(exchange.method.escapedForXML)" size="8" required></label>
            <label class="wide-field">Path and query <input name="target" value="\(exchange.target.escapedForXML)" required></label></p>
            <p><label>Headers, one a line <textarea name="headers" rows="6" spellcheck="false">\(ConsolePage.escapedLines(headers))</textarea></label></p>
            <p><label>Body <textarea name="body" rows="6" spellcheck="false">\(ConsolePage.escapedLines(body))</textarea></label></p>
            <button>Send</button></form>
            """
    }
}
