import Foundation
import TVEModels
import TVESandbox

/// A page that shows the flow of an application on a device as a diagram.
enum SequencePage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let flows = routes.log.flows
        // The log has the exchanges in the order of their answers.
        let exchanges = Dictionary(grouping: routes.log.exchanges.sorted { $0.id < $1.id }) { $0.facts.flow }
        // A flow remains when its exchanges are no longer shown.
        guard let newest = flows.first(where: { exchanges[$0.number] != nil }) ?? flows.first else {
            return ConsolePage(
                view: .sequence, title: "Sequence",
                content: "<p>There is no flow yet. One begins when an application registers.</p>")
        }
        let wanted = request.query["flow"].flatMap { Int($0) } ?? newest.number
        let names = DeviceNames(routes)
        let options = flows.map { flow in
            (value: "\(flow.number)", title: title(of: flow, exchanges: exchanges[flow.number] ?? [], names: names))
        }
        let choice = """
            <form class="bar" method="get" action="/console/sequence" data-on-change>
            \(ConsolePage.select("Flow", name: "flow", options: options.map { ($0.value, $0.title) }, chosen: "\(wanted)"))
            <button>Show</button>
            </form>
            """
        guard let all = exchanges[wanted] else {
            return ConsolePage(
                view: .sequence, title: "Sequence",
                content: "\(choice)\n<p>No exchange of this flow is stored.</p>")
        }
        // The page shows only the last exchanges; the list of exchanges contains the older ones.
        let shown = all.suffix(400)
        let left = all.count - shown.count
        return ConsolePage(
            view: .sequence, title: "Sequence",
            content: """
                \(choice)
                \(comparison(options, wanted))
                <p class="quiet">\(ExchangeRow.date(shown.first?.began ?? routes.state.now)), \(request.host.escapedForXML). Times in milliseconds since the flow began. \(left > 0 ? "The first \(left) exchanges are left out. " : "")Each line links to its exchange.</p>
                \(diagram(Array(shown)) { "/console/exchanges/\($0)" }.html)
                """)
    }

    /// Returns the name of a flow.
    ///
    /// The name consists of the flow's beginning, device and requestor, and of its last outcome, which distinguishes
    /// the flows of one device.
    private static func title(
        of flow: FlowIndex.Flow, exchanges: [SandboxExchange], names: DeviceNames
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

    /// Returns a form to choose another flow for a comparison, or an empty text if there is no other flow.
    private static func comparison(_ flows: [(value: String, title: String)], _ wanted: Int) -> String {
        let others = flows.filter { $0.value != "\(wanted)" }.map { ($0.value, $0.title) }
        guard !others.isEmpty else { return "" }
        return """
            <form class="bar" method="get" action="/console/compare"><input type="hidden" name="of" value="flows"><input type="hidden" name="left" value="\(wanted)">
            \(ConsolePage.select("Compare with", name: "right", options: others))
            <button>Compare</button></form>
            """
    }

    /// Returns a Boolean value that indicates whether an application requested a page itself before a browser did.
    ///
    /// This library does so in the classic dialect.
    private static func isOwn(_ exchange: SandboxExchange, before others: ArraySlice<SandboxExchange>) -> Bool {
        guard ["authenticateSAML", "authenticate"].contains(exchange.facts.step),
            exchange.request.header("User-Agent")?.containsBytes(of: "Mozilla/") != true
        else { return false }
        return others.contains { $0.target.isSameBytes(as: exchange.target) }
    }

    /// Returns the sequence diagram of exchanges.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges, oldest first.
    ///   - link: the target of a line's link, by the number of its exchange.
    static func diagram(_ exchanges: [SandboxExchange], link: (Int) -> String) -> SequenceDiagram {
        let beginning = exchanges.first?.began ?? Date(timeIntervalSince1970: 0)
        let steps = exchanges.enumerated().map { place, exchange in
            let known = ServiceStep.named(exchange.facts.step)
            let outcome = exchange.outcome
            let said = ExchangeChanges.texts(exchange).map { " – \($0)" }.joined()
            let isApp = isOwn(exchange, before: exchanges[(place + 1)...])
            var step = SequenceDiagram.Step(
                from: known?.sender == .browser && !isApp ? 3 : 0, to: known?.isProvider == true ? 2 : 1,
                text: "\(exchange.facts.title): \(exchange.method) \(String(exchange.path.prefix(120)))  "
                    + "\(ExchangeRow.status(exchange))\(said)",
                began: exchange.began.timeIntervalSince(beginning) * 1000)
            step.link = link(exchange.id)
            step.duration = exchange.milliseconds
            step.isFailure =
                exchange.status >= 400 || exchange.isAnswerLost
                || [.denied, .wrongPassword].contains(outcome.kind)
            return step
        }
        return SequenceDiagram(parties: ["App", "Service", "Provider", "Browser"], steps: steps)
    }
}
