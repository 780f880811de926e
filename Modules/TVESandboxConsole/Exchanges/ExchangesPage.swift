import Foundation
import TVEModels
import TVESandbox

/// A page with the exchanges that match the filter in the address, newest first, and the one that the address opens.
struct ExchangesPage {
    /// The maximum number of rows on a page; the address of the next page names the last row.
    static let maximumRows = 100

    private let routes: SandboxRoutes
    private let request: SandboxRequest
    private let filter: ExchangeFilter
    private let all: [SandboxExchange]
    private let found: [SandboxExchange]
    /// The number of the exchange above the first row, or `nil` for the newest rows.
    private let before: Int?
    private let chosen: SandboxExchange?
    private let names: DeviceNames

    init(_ routes: SandboxRoutes, request: SandboxRequest, index: SearchIndex) {
        self.routes = routes
        self.request = request
        filter = ExchangeFilter(request.query)
        let all = routes.log.all
        self.all = all
        found = filter.matches(in: all, index: index)
        names = DeviceNames(all, routes.notes.withLock(\.nicknames))
        before = request.query["before"].flatMap { Int($0) }
        let open = request.query["open"].flatMap { Int($0) }
        chosen = open.flatMap { id in all.first { $0.id == id } }
    }

    var page: ConsolePage {
        let statuses = [
            ("ok", "successful"), ("failed", "failed"), ("fault", "with a fault"), ("granted", "granted"),
            ("denied", "denied"), ("wrongPassword", "wrong password"), ("waiting", "waiting"), ("error", "error"),
        ]
        let flow = filter.flow.map {
            "<label>Flow <select name=\"flow\"><option value=\"\">all</option>"
                + "<option selected>\($0)</option></select></label>"
        }
        return ConsolePage(
            view: .exchanges, title: "Exchanges",
            content: """
                <form id="filter" class="bar" role="search" aria-label="Filter exchanges" method="get" action="/">
                <label>Text <input name="text" type="search" value="\(filter.text.escapedForXML)" placeholder="path, body, token …" autocomplete="off"></label>
                \(ConsolePage.select("Device", name: "device", any: "all", options: names.choices, chosen: filter.device))
                \(ConsolePage.select("Dialect", name: "dialect", any: "all", options: ServiceStep.Dialect.allCases.map { ($0.rawValue, $0.title) }, chosen: filter.dialect))
                \(ConsolePage.select("Status", name: "status", any: "all", options: statuses, chosen: filter.status))
                \(flow ?? "")<noscript><button>Filter</button></noscript>
                <button type="button" id="pause" aria-pressed="false">Pause</button>
                <button type="button" id="clear" data-api="DELETE /console/api/exchanges" data-undo="exchanges" data-done="All exchanges were removed.">Clear</button>
                <a class="button" data-filtered="/console/api/har" href="/console/api/har\(filter.query())" download="sandbox.har" data-counts="\(HARFile.mark.escapedForXML)">Export HAR</a>
                <a class="button" data-filtered="/console/api/session" href="/console/api/session\(filter.query())" download="session.html" data-counts="\(SessionFile.mark.escapedForXML)">Save the session</a>
                </form>
                <p id="exporting" class="actions" hidden><label for="export-bar" id="export-text"></label> <progress id="export-bar" max="1" value="0"></progress> <button type="button" id="export-stop">Stop</button></p>
                \(notes)
                <p id="waiting" hidden><button type="button" id="show">Show new exchanges</button></p>
                <div class="split\(chosen == nil ? "" : " open")">
                <div class="list" id="list" tabindex="-1">\(list)</div>
                <section id="detail" aria-label="The chosen exchange"\(chosen == nil ? " hidden" : "") tabindex="-1">\(chosen.map { ExchangePage.content($0, request) } ?? "")</section>
                </div>
                """, skipsTo: ("list", "exchanges"))
    }

    private var notes: String {
        let notes = routes.notes.withLock(\.self)
        return """
            <details id="notes-box"\(notes.text.isEmpty ? "" : " open")><summary>Notes</summary>
            <p id="notes-note" class="fault-line" hidden></p>
            <textarea id="notes" rows="4" maxlength="\(TesterNotes.maximumLength / 4)" data-version="\(notes.version)" aria-label="Notes" aria-describedby="notes-about" placeholder="What you saw, and what you expected">\(ConsolePage.escapedLines(notes.text))</textarea>
            <p class="quiet" id="notes-about">Saved as you type, and part of the file of Save the session. <span id="notes-saved" role="status"></span></p></details>
            """
    }

    /// The list of exchanges as HTML, which the script also loads without the rest of the page.
    var list: String {
        let newer = before.map { before in found.filter { $0.id < before } } ?? found
        let shown = newer.suffix(Self.maximumRows)
        let rows = rows(shown.reversed())
        let count =
            filter.isEmpty
            ? "\(found.count) exchange\(found.count == 1 ? "" : "s")"
            : "\(found.count) of \(all.count) exchanges match the filter"
        let older = shown.count < newer.count ? shown.first?.id : nil
        // The exchange above the last page, which ends with the first exchange of all.
        let last = found.count > Self.maximumRows ? found[Self.maximumRows].id : nil
        let host = request.host.escapedForXML
        return """
            <p class="pages"><span id="count">\(count)</span>
            \(before == nil ? "" : "<a href=\"/\(filter.query())\">Newest</a>")
            \(older.map { "<a rel=\"next\" href=\"/\(filter.query([("before", "\($0)")]))\">Older</a>" } ?? "")
            \(older == nil ? "" : last.map { "<a href=\"/\(filter.query([("before", "\($0)")]))\">Oldest</a>" } ?? "")</p>
            <table id="exchanges"\(rows.isEmpty ? " hidden" : "")>
            <caption class="unseen">Exchanges, newest first</caption>
            <thead><tr><th scope="col">Time<span class="zone">, UTC</span></th><th scope="col">Status</th><th scope="col">Request</th><th scope="col">Step</th>
            <th scope="col">Dialect</th><th scope="col">Device</th><th scope="col">Requestor</th><th scope="col">Flow</th><th scope="col">Took</th></tr></thead>
            <tbody id="rows">
            \(rows)
            </tbody>
            </table>
            <section id="nothing" class="card"\(rows.isEmpty && !all.isEmpty ? "" : " hidden")>
            <h2>Nothing matches</h2>
            <p>The text is searched in paths, headers, bodies and tokens of all exchanges that are stored. <a href="/">Show all exchanges</a></p>
            </section>
            <section id="none" class="card"\(all.isEmpty && rows.isEmpty ? "" : " hidden")>
            <h2>There are no exchanges yet</h2>
            <p>To see a whole login, run this in another terminal:</p>
            <pre><code id="try">swift run tve demo --service http://\(host)</code></pre>
            <p>Or point your app at this sandbox. <a href="/console/accounts">Accounts</a> has the addresses, the software statement and the
            accounts that can log in.</p>
            </section>
            """
    }

    /// Returns the rows as HTML, with the marks between them if no filter hides exchanges.
    private func rows(_ exchanges: [SandboxExchange]) -> String {
        var marks = filter.isEmpty ? routes.log.marks : []
        if let before { marks.removeAll { $0.after >= before } }
        var lines: [String] = []
        for exchange in exchanges {
            while let mark = marks.last, mark.after >= exchange.id {
                lines.append(ExchangeRow.mark(mark))
                marks.removeLast()
            }
            lines.append(ExchangeRow.html(exchange, names, chosen: exchange.id == chosen?.id))
        }
        return lines.joined(separator: "\n")
    }
}
