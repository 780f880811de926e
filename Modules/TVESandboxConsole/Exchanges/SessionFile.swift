import Foundation
import TVEModels
import TVESandbox

/// A page that can be read without a sandbox, with exchanges as a sequence and in full.
///
/// The page names the filter by which the exchanges were selected. It contains no secrets.
struct SessionFile {
    let exchanges: [SandboxExchange]
    let filter: ExchangeFilter
    /// The host and port of the sandbox.
    let host: String
    /// The tester's notes about the session.
    let note: String
    let date: Date
    let names: DeviceNames

    /// The maximum number of exchanges in a file; the exchanges of a long day would make it too large to send.
    static let maximum = 1_000

    /// The text with which each exchange begins and that occurs nowhere else, which a page counts to show the progress.
    static let mark = #"<details class="exchange" id="x"#

    /// The page as a document that is generated exchange by exchange.
    var document: ExchangeDocument {
        let shown = exchanges.suffix(Self.maximum)
        let left = exchanges.count - shown.count
        let page = PageFile(
            title: "Session of \(host), \(date.formatted(.iso8601))",
            head: "<meta http-equiv=\"Content-Security-Policy\" "
                + "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
            style: "\(ConsoleAssets.styles)\n\(SequenceDiagram.css)")
        let masking = Masking(shows: false)
        return ExchangeDocument(
            head: page.beginning + """
                <h1>A session of the TV Everywhere sandbox</h1>
                <p class="quiet">\(facts(left).joined(separator: " · "))</p>
                \(notes)<section aria-labelledby="sequence"><h2 id="sequence">Sequence</h2>
                \(SequencePage.diagram(Array(shown), link: { "#x\($0)" }).html)</section>
                <section aria-labelledby="exchanges-heading"><h2 id="exchanges-heading">Exchanges</h2>

                """,
            separator: "\n", tail: "</section>" + PageFile.end, exchanges: Array(shown)
        ) { exchange in
            let said = ExchangeChanges.texts(exchange).map { " – \($0.escapedForXML)" }.joined()
            let block = """
                \(Self.mark)\(exchange.id)"><summary>\(ExchangeRow.time(exchange.began)) <span class="code \(ExchangeRow.level(exchange))">\(ExchangeRow.status(exchange))</span> \
                <code>\(exchange.method.escapedForXML) \(exchange.path.escapedForXML)</code> \(exchange.facts.title.escapedForXML)\(said)</summary>
                \(ExchangePage.content(exchange, masking, isFile: true))</details>
                """
            return Data(block.utf8)
        }
    }

    /// The tester's notes as HTML.
    private var notes: String {
        note.isEmpty
            ? ""
            : """
            <section aria-labelledby="notes"><h2 id="notes">Notes</h2>
            <p class="card lines">\(ConsolePage.escapedLines(note))</p></section>

            """
    }

    private func facts(_ left: Int) -> [String] {
        let clients = Set(
            exchanges.flatMap { exchange in
                ["AP-SDK-Identifier", "User-Agent"].compactMap { exchange.request.header($0) }.prefix(1)
            }
        ).sorted()
        let seen = Set(exchanges.compactMap { $0.facts.device.map(ExactText.init) })
        let devices = names.ids.filter { seen.contains(ExactText($0)) }.prefix(20).map { names.name($0).escapedForXML }
        return [
            "Saved \(date.formatted(.iso8601)) from \(host.escapedForXML)",
            filter.isEmpty ? "all exchanges" : "filter: <code>\(filter.query().escapedForXML)</code>",
            "\(exchanges.count) exchange\(exchanges.count == 1 ? "" : "s")"
                + (left > 0 ? ", of which the last \(Self.maximum) are here" : ""),
            devices.isEmpty ? nil : "devices: \(devices.joined(separator: "; "))",
            clients.isEmpty ? nil : "clients: \(clients.map { $0.escapedForXML }.joined(separator: ", "))",
            "times in UTC; secrets are not in this file",
        ].compactMap(\.self)
    }
}

/// An HTML page that is complete in one file.
package struct PageFile {
    let title: String
    /// Additional lines for the head of the page.
    var head = ""
    let style: String

    /// Returns a page with the given title, style sheet and content.
    package static func html(_ title: String, style: String, _ content: String) -> String {
        PageFile(title: title, style: style).beginning + content + end
    }

    /// The HTML before the content.
    var beginning: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        \(head)<title>\(title.escapedForXML)</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <main>

        """
    }

    /// The HTML after the content.
    static let end = """

        </main>
        </body>
        </html>

        """
}
