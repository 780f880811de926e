import Foundation
import TVEModels
import TVESandbox

/// The exchanges, newest first, with new ones as they come.
enum ExchangesPage {
    /// How many lines a new page has.
    static let maximumRows = 300

    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let filter = ExchangeFilter(request.query)
        let all = routes.log.exchanges
        let rows = all.reversed().lazy.filter(filter.fits).prefix(maximumRows).map(ExchangeRow.html)
        let host = request.host
        let devices = Set(all.compactMap(\.facts.device)).sorted()
        return ConsolePage(
            view: .exchanges, title: "Exchanges",
            content: """
                <form id="filter" class="bar" role="search" aria-label="Filter exchanges">
                <label>Text <input name="text" type="search" value="\((request.query["text"] ?? "").escapedForXML)" autocomplete="off"></label>
                \(ConsolePage.select("Device", "device", any: "all", devices.map { ($0, ExchangeRow.short($0)) }, chosen: filter.device))
                \(ConsolePage.select("Dialect", "dialect", any: "all", ServiceStep.Dialect.allCases.map { ($0.rawValue, $0.title) }, chosen: filter.dialect))
                \(ConsolePage.select("Status", "status", any: "all", [("ok", "successful"), ("failed", "failed"), ("fault", "with a fault")], chosen: filter.status))
                <noscript><button>Filter</button></noscript>
                <button type="button" id="pause" aria-pressed="false">Pause</button>
                <button type="button" id="clear" data-api="DELETE /console/api/exchanges" data-done="All exchanges were removed.">Clear</button>
                <a class="button" href="/console/api/har" download="sandbox.har">Export HAR</a>
                </form>
                <p id="waiting" hidden><button type="button" id="show">Show new exchanges</button></p>
                <div class="split">
                <div class="list">
                <table id="exchanges"\(rows.isEmpty ? " hidden" : "")>
                <caption class="unseen">Exchanges, newest first</caption>
                <thead><tr><th scope="col">Time, UTC</th><th scope="col">Status</th><th scope="col">Request</th><th scope="col">Step</th>
                <th scope="col">Dialect</th><th scope="col">Device</th><th scope="col">Requestor</th><th scope="col">Flow</th><th scope="col">Took</th></tr></thead>
                <tbody id="rows">
                \(rows.joined(separator: "\n"))
                </tbody>
                </table>
                <section id="none" class="card"\(rows.isEmpty ? "" : " hidden")>
                <h2>There are no exchanges yet</h2>
                <p>To see a whole login, run this in another terminal:</p>
                <pre><code id="try">swift run tve demo --service http://\(host.escapedForXML)</code></pre>
                <p>Or point your app at <code>http://\(host.escapedForXML)/adobe-services</code>; <a href="/console/accounts">Accounts</a> has the software
                statement and the accounts that can log in.</p>
                </section>
                </div>
                <section id="detail" aria-label="The chosen exchange" hidden tabindex="-1"></section>
                </div>
                """)
    }
}
