import Foundation
import TVEModels
import TVESandbox

/// The flow of one application on a device, as a diagram.
enum SequencePage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let flows = routes.log.flows
        let wanted = request.query["flow"].flatMap { Int($0) } ?? flows.first?.number
        let exchanges = Dictionary(grouping: routes.log.exchanges) { $0.facts.flow }
        let all = wanted.flatMap { exchanges[$0] } ?? []
        let names = DeviceNames(routes)
        let options = flows.map { flow in
            (value: "\(flow.number)", title: title(of: flow, exchanges[flow.number] ?? [], names))
        }
        guard wanted != nil, !all.isEmpty else {
            return ConsolePage(
                view: .sequence, title: "Sequence",
                content: "<p>There is no flow yet. One begins when an application registers.</p>")
        }
        // Older exchanges are in the list of exchanges.
        let shown = all.suffix(400)
        let left = all.count - shown.count
        return ConsolePage(
            view: .sequence, title: "Sequence",
            content: """
                <form class="bar" method="get" action="/console/sequence" data-on-change>
                \(ConsolePage.select("Flow", "flow", options.map { ($0.value, $0.title) }, chosen: "\(wanted ?? 0)"))
                <button>Show</button>
                </form>
                \(comparison(options, wanted))
                <p class="quiet">\(ExchangeRow.date(shown.first?.began ?? routes.state.now)), \(request.host.escapedForXML). Times in milliseconds since the flow began. \(left > 0 ? "The first \(left) exchanges are left out. " : "")Each line links to its exchange.</p>
                \(diagram(Array(shown)) { "/console/exchanges/\($0)" }.html)
                """)
    }

    /// The name of a flow: when it began, whose it is, and its last outcome, by which flows of one device are told apart.
    private static func title(
        of flow: FlowIndex.Flow, _ exchanges: [SandboxExchange], _ names: DeviceNames
    ) -> String {
        let began = exchanges.first.map { $0.began.formatted(timeOfDay) + " UTC" }
        let outcome = exchanges.last { ![.done, .waiting].contains($0.outcome.kind) }?.outcome.text
        return [
            "\(flow.number): " + (began ?? "no longer stored"), flow.device.map(names.name) ?? "a device",
            flow.requestor?.text ?? "no requestor", outcome.map { String($0.prefix(48)) },
            "\(flow.count) exchange\(flow.count == 1 ? "" : "s")",
        ].compactMap(\.self).joined(separator: " – ")
    }

    private static let timeOfDay = Date.ISO8601FormatStyle(timeZone: .gmt).time(includingFractionalSeconds: false)

    /// The choice of another flow to compare with, if there is one.
    private static func comparison(_ flows: [(value: String, title: String)], _ wanted: Int?) -> String {
        let others = flows.filter { $0.value != wanted.map { "\($0)" } }.map { ($0.value, $0.title) }
        guard let wanted, !others.isEmpty else { return "" }
        return """
            <form class="bar" method="get" action="/console/compare"><input type="hidden" name="of" value="flows"><input type="hidden" name="left" value="\(wanted)">
            \(ConsolePage.select("Compare with", "right", others))
            <button>Compare</button></form>
            """
    }

    /// Whether an application asked for a page by itself before a browser opened it, as this library does in the classic
    /// dialect.
    private static func isOwn(_ exchange: SandboxExchange, before others: ArraySlice<SandboxExchange>) -> Bool {
        guard ["authenticateSAML", "authenticate"].contains(exchange.facts.step),
            exchange.request.header("User-Agent")?.containsBytes(of: "Mozilla/") != true
        else { return false }
        return others.contains { $0.target.isSameBytes(as: exchange.target) }
    }

    /// - Parameter link: the target of a line's link, by the number of its exchange.
    static func diagram(_ exchanges: [SandboxExchange], link: (Int) -> String) -> SequenceDiagram {
        let beginning = exchanges.first?.began ?? Date(timeIntervalSince1970: 0)
        let steps = exchanges.enumerated().map { place, exchange in
            let known = ServiceStep.named(exchange.facts.step)
            let faults = exchange.faults.map { " – \(FaultDescription($0).title)" }.joined()
            let outcome = exchange.outcome
            let said = outcome.text.isEmpty || outcome.kind == .fault ? "" : " – \(outcome.text)"
            let isApp = isOwn(exchange, before: exchanges[(place + 1)...])
            var step = SequenceDiagram.Step(
                from: known?.sender == .browser && !isApp ? 3 : 0, to: known?.isProvider == true ? 2 : 1,
                text:
                    "\(exchange.facts.title): \(exchange.method) \(String(exchange.path.prefix(120)))  \(exchange.status)\(said)\(faults)",
                began: exchange.began.timeIntervalSince(beginning) * 1000)
            step.link = link(exchange.id)
            step.duration = exchange.milliseconds
            step.isFailure =
                exchange.status >= 400 || exchange.faults.contains(.dropped)
                || [.denied, .wrongPassword].contains(outcome.kind)
            return step
        }
        return SequenceDiagram(parties: ["App", "Service", "Provider", "Browser"], steps: steps)
    }
}
