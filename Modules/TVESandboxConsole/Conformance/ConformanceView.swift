import Foundation
package import TVEConformance
import TVEModels
package import TVESandbox

/// A page with the vendor's acceptance list, judged by the exchanges that the sandbox has recorded so far.
///
/// The script of the page reloads it after each exchange.
enum ConformanceView {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let flows = routes.log.flows
        let device = request.query["device"] ?? ""
        let flow = request.query["flow"].flatMap { Int($0) }
        let all = routes.log.exchanges
        // The exchanges of the viewer's browser belong to a flow but to no device, so they are selected by the flow.
        let ofDevice = Set(flows.filter { $0.device?.isSameBytes(as: device) == true }.map(\.number))
        let recorded = all.filter { exchange in
            let isOfDevice = device.isEmpty || exchange.facts.flow.map(ofDevice.contains) == true
            return isOfDevice && (flow == nil || exchange.facts.flow == flow)
        }
        let chosen = recorded.map { Exchange($0) }
        let report = ConformanceReport(judging: chosen)
        let rows = ConformanceRows(chosen) { "/console/exchanges/\($0)" }
        let names = DeviceNames(routes)
        let choices = flows.map { flow in
            ("\(flow.number)", "\(flow.number): \(flow.device.map(names.name) ?? "a device")")
        }
        return ConsolePage(
            view: .conformance, title: "Acceptance list of REST API v2",
            content: """
                <link rel="stylesheet" href="/console/assets/conformance.css">
                <form class="bar" id="choice" method="get" action="/console/conformance" data-on-change>
                \(ConsolePage.select("Device", name: "device", any: "all", options: names.choices, chosen: device))
                \(ConsolePage.select("Flow", name: "flow", any: "all", options: choices, chosen: flow.map { "\($0)" } ?? ""))
                <noscript><button>Show</button></noscript>
                </form>
                <p id="verdict" class="\(report.exchangeCount == 0 ? "quiet" : report.isAcceptable ? "good" : "bad")" role="status">\(verdict(report)) \(report.summary.escapedForXML)</p>
                <p class="quiet">Use your client: each row changes when an exchange shows something about it, and opens to the exchanges. A second screen is a
                device of its own, so choose all to judge both. \(ConformanceReport.disclaimer.escapedForXML)</p>
                \(OwnExpectations.html(routes, recorded))
                <h2>The vendor's list</h2>
                <div id="acceptance" class="acceptance">
                \(report.findings.map { rows.html($0) }.joined(separator: "\n"))
                </div>
                """)
    }

    private static func verdict(_ report: ConformanceReport) -> String {
        guard report.exchangeCount > 0 else { return "Nothing was observed yet." }
        return report.isAcceptable ? "No mandatory row fails." : "A mandatory row fails."
    }
}

extension Exchange {
    /// Creates the exchange that a conformance report judges from a recorded one, without bodies that were cut off.
    ///
    /// An answer that a simulated failure has kept from the client is left out, because the client cannot follow it.
    package init(_ recorded: SandboxExchange) {
        let received = recorded.received
        func message(_ message: SandboxExchange.Message) -> Message {
            Message(headers: message.headers, body: message.isWhole ? message.body : nil)
        }
        self.init(
            id: recorded.id, began: recorded.machineTime, milliseconds: recorded.milliseconds, method: recorded.method,
            path: recorded.path, query: recorded.query, address: recorded.address,
            request: message(recorded.request), status: received.status, answer: message(received.answer))
    }
}
