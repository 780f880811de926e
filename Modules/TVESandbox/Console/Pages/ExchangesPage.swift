import Foundation
import TVEModels

/// The exchanges, newest first, with new ones as they come.
enum ExchangesPage {
    /// How many lines a new page has.
    static let maximumRows = 300

    static func page(_ router: SandboxRouter, _ request: SandboxRequest) -> ConsolePage {
        let filter = ExchangeFilter(request.query)
        let all = router.log.exchanges
        let rows = all.reversed().lazy.filter(filter.fits).prefix(maximumRows).map(ExchangeRow.html)
        let host = SandboxInfo.host(request)
        let devices = Set(all.compactMap(\.facts.device)).sorted()
        return ConsolePage(
            view: .exchanges, title: "Exchanges",
            content: """
                <form id="filter" class="bar" role="search" aria-label="Filter exchanges">
                <label>Text <input name="text" type="search" value="\((request.query["text"] ?? "").escapedForXML)" autocomplete="off"></label>
                <label>Device <select name="device"><option value="">all</option>\(options(devices.map { ($0, ExchangeRow.short($0)) }, filter.device))</select></label>
                <label>Dialect <select name="dialect"><option value="">all</option>\(options(ServiceStep.Dialect.allCases.map { ($0.rawValue, $0.title) }, filter.dialect))</select></label>
                <label>Status <select name="status"><option value="">all</option>\(options([("ok", "worked"), ("failed", "failed"), ("fault", "broken on purpose")], filter.status))</select></label>
                <noscript><button>Filter</button></noscript>
                <button type="button" id="pause" aria-pressed="false">Pause</button>
                <button type="button" id="clear" data-api="DELETE /console/api/exchanges" data-done="All exchanges were forgotten.">Clear</button>
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
                <h2>Nothing has come in yet</h2>
                <p>See a whole login, from another terminal:</p>
                <pre><code id="try">swift run tve demo --service http://\(host.escapedForXML)</code></pre>
                <p>Or point your app at <code>http://\(host.escapedForXML)/adobe-services</code>; <a href="/console/accounts">Accounts</a> has the software
                statement and who can log in.</p>
                </section>
                </div>
                <section id="detail" aria-label="The chosen exchange" hidden tabindex="-1"></section>
                </div>
                """)
    }

    static func options(_ values: [(String, String)], _ chosen: String) -> String {
        values.map { value, title in
            "<option value=\"\(value.escapedForXML)\"\(value.isSameBytes(as: chosen) ? " selected" : "")>\(title.escapedForXML)</option>"
        }.joined()
    }
}
