import Foundation
import TVEModels
import TVESandbox

/// A page with a lane for each device.
///
/// A lane shows the device's name, the number of its requests in flight, and its last exchanges with the reasons for
/// their outcomes.
enum LanesPage {
    /// The maximum number of lanes.
    private static let maximumLanes = 12
    /// The maximum number of exchanges in a lane.
    private static let maximumExchanges = 25

    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let all = routes.log.all
        let nicknames = routes.notes.withLock(\.nicknames)
        let names = DeviceNames(all, nicknames)
        let byDevice = Dictionary(grouping: all) { ExactText($0.facts.device ?? "") }
        let lanes = names.ids.prefix(maximumLanes).map { id in
            lane(
                of: id, name: names.name(id), nickname: nicknames[ExactText(id)],
                exchanges: byDevice[ExactText(id)] ?? [])
        }
        let left = names.ids.count - lanes.count
        return ConsolePage(
            view: .lanes, title: "Lanes",
            content: """
                <p class="quiet">A lane for each device, the last one in use first. \(left > 0 ? "\(left) more are in the list of <a href=\"/\">exchanges</a>. " : "")What a browser does belongs to the device whose login it is.</p>
                \(lanes.isEmpty ? "<p>No device has sent anything yet.</p>" : "<div class=\"lanes\">\(lanes.joined(separator: "\n"))</div>")
                """)
    }

    private static func lane(
        of id: String, name: String, nickname: String?, exchanges: [SandboxExchange]
    ) -> String {
        let open = exchanges.count { !$0.isSent }
        let title = name.escapedForXML
        let path = id.escapedForPath
        let lines = exchanges.suffix(maximumExchanges).reversed().map(line)
        let heading = "lane-\(path)"
        return """
            <section class="lane" aria-labelledby="\(heading)"><h2 id="\(heading)">\(title)</h2>
            <p class="quiet"><a href="/?device=\(path)">\(exchanges.count) exchange\(exchanges.count == 1 ? "" : "s")</a> · <code title="\(id.escapedForXML)">\(ExchangeRow.short(id).escapedForXML)</code>\(open > 0 ? " · <strong class=\"moved\">\(open) in flight</strong>" : "")</p>
            <details><summary>Name this device</summary>
            <form class="actions" data-api="PUT /console/api/devices/\(path)/name" data-done="The device has its name." aria-label="Name of \(title)">
            <label>Name <input name="name" maxlength="\(TesterNotes.maximumNameLength)" value="\((nickname ?? "").escapedForXML)" autocomplete="off"></label><button>Save</button></form></details>
            <ol>\(lines.joined(separator: "\n"))</ol></section>
            """
    }

    private static func line(_ exchange: SandboxExchange) -> String {
        let changes = ExchangeChanges(exchange).marks
        let objection = exchange.objection.map {
            "<p class=\"fault-line\"><strong>Refused</strong>: \($0.escapedForXML)</p>"
        }
        // A denial or a refusal is shown on a line of its own.
        let outcome = exchange.outcome
        let said = outcome.kind == .denied || exchange.objection != nil ? "" : ExchangeRow.outcomeHTML(outcome)
        let took =
            exchange.isSent
            ? ExchangeRow.took(exchange.milliseconds)
            : "<span data-since=\"\(exchange.began.milliseconds)\">in flight</span>"
        return """
            <li\(exchange.isSent ? "" : " data-open")><span class="code \(ExchangeRow.level(exchange))">\(ExchangeRow.status(exchange))</span> <a href="/console/exchanges/\(exchange.id)">\(exchange.facts.title.escapedForXML)</a>\(changes)\(said)
            <small>\(ExchangeRow.time(exchange.began)) · \(took)</small>\(DenialReason.html(exchange))\(objection ?? "")</li>
            """
    }
}
