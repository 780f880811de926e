import Foundation
import TVEModels
import TVESandbox

/// A lane for each device: its name, what is in flight, and its last exchanges with what has decided about them.
enum LanesPage {
    /// Most lanes, and most exchanges in one.
    private static let maximumLanes = 12
    private static let maximumExchanges = 25

    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let all = routes.log.all
        let nicknames = routes.notes.withLock(\.nicknames)
        let names = DeviceNames(all, nicknames)
        let byDevice = Dictionary(grouping: all) { ExactText($0.facts.device ?? "") }
        let lanes = names.ids.prefix(maximumLanes).map { id in
            lane(id, names.name(id), nicknames[ExactText(id)], byDevice[ExactText(id)] ?? [])
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
        _ id: String, _ name: String, _ nickname: String?, _ exchanges: [SandboxExchange]
    ) -> String {
        let open = exchanges.count { !$0.isSent }
        let (title, path) = (name.escapedForXML, id.escapedForPath)
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
        let faults = exchange.faults.map { kind in
            "<p class=\"fault-line\"><strong>\(FaultDescription(kind).title.escapedForXML)</strong>: a fault was on. <a href=\"/console/faults#on\">Faults</a></p>"
        }.joined()
        let objection = exchange.objection.map {
            "<p class=\"fault-line\"><strong>Refused</strong>: \($0.escapedForXML)</p>"
        }
        // Denials have a line of their own, with a link.
        let outcome = exchange.outcome
        let said = outcome.kind == .denied || exchange.objection != nil ? "" : ExchangeRow.outcomeHTML(outcome)
        let took =
            exchange.isSent
            ? ExchangeRow.took(exchange.milliseconds)
            : "<span data-since=\"\(exchange.began.milliseconds)\">in flight</span>"
        return """
            <li\(exchange.isSent ? "" : " data-open")><span class="code \(ExchangeRow.level(exchange))">\(ExchangeRow.status(exchange))</span> <a href="/console/exchanges/\(exchange.id)">\(exchange.facts.title.escapedForXML)</a>\(said)
            <small>\(ExchangeRow.time(exchange.began)) · \(took)</small>\(DenialReason.html(exchange))\(faults)\(objection ?? "")</li>
            """
    }
}
