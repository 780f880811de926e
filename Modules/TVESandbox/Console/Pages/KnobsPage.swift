import Foundation
import TVEModels

/// All faults that can be simulated, and those that are on.
enum KnobsPage {
    static func page(_ router: SandboxRouter) -> ConsolePage {
        let world = router.board.world
        return ConsolePage(
            view: .knobs, title: "Knobs",
            content: """
                <section aria-labelledby="on"><h2 id="on">What goes wrong now</h2>
                \(present(world))
                <p class="actions"><a class="button" href="/console/api/world" download="scenario.json">Save as a world file</a>
                <span class="quiet">A colleague runs it with <code>tve sandbox --world scenario.json</code>.</span></p>
                </section>
                <section aria-labelledby="scope"><h2 id="scope">Turn a knob</h2>
                <p class="quiet">Choose first to which requests it happens, then turn a knob on.</p>
                <form id="scope-form" class="bar" aria-label="To which requests it happens">
                <label>Device <select name="device"><option value="">every one</option>\(ExchangesPage.options(devices(router), ""))</select></label>
                <label>Step <select name="step"><option value="">every one of an app</option>\(ExchangesPage.options(ServiceStep.rows.filter { $0.dialect != .sandbox }.map { ($0.id, "\($0.dialect.title): \($0.title) (\($0.id))") }, ""))</select></label>
                <label>Requests <input name="requests" type="number" min="1" max="100000" placeholder="all" inputmode="numeric"></label>
                </form>
                <div class="cards">
                \(SandboxWorld.Fault.Kind.allCases.map { knob(FaultRow.of($0), world) }.joined(separator: "\n"))
                </div>
                </section>
                <section aria-labelledby="always"><h2 id="always">How the service behaves</h2>
                <form class="card" id="behavior" data-behavior>
                \(behavior(world.behavior))
                <button>Apply</button>
                </form></section>
                """)
    }

    private static func present(_ world: SandboxWorld) -> String {
        guard !world.faults.isEmpty else { return "<p class=\"quiet\">Nothing. Everything works.</p>" }
        let rows = world.faults.map { fault in
            let row = FaultRow.of(fault.kind)
            let more = [
                fault.amount.map { "\($0) \(row.amount ?? "")" }, fault.code, fault.resource, fault.provider,
            ].compactMap(\.self).joined(separator: ", ")
            let scope = [
                fault.step.map { "at \($0)" } ?? "at every step",
                fault.device.map { "device \(ExchangeRow.short($0))" },
                fault.requests.map { $0 == 1 ? "the next request" : "the next \($0) requests" },
            ].compactMap(\.self).joined(separator: ", ")
            return """
                <li class="fault-line"><strong>\(row.title)</strong> \(more.escapedForXML) <span class="quiet">\(scope.escapedForXML)</span>
                <button type="button" data-api="DELETE /console/api/faults/\(fault.key)" data-done="\(row.title) is off." aria-label="Turn off \(row.title) \(more.escapedForXML)">Turn off</button></li>
                """
        }
        return """
            <ul class="faults">\(rows.joined())</ul>
            <button type="button" data-api="DELETE /console/api/faults" data-done="Everything works again.">Turn all off</button>
            """
    }

    private static func knob(_ row: FaultRow, _ world: SandboxWorld) -> String {
        var fields = ""
        if let amount = row.amount {
            fields +=
                "<label>\(amount.prefix(1).uppercased() + amount.dropFirst()) <input name=\"amount\" type=\"number\" value=\"\(row.usual ?? 1)\" required></label>"
        }
        let providers = world.providers.map { ($0.id, $0.displayName) }
        switch row.kind {
        case .error:
            let codes = EnhancedErrorRow.all.keys.sorted().map { ($0, $0) }
            fields +=
                "<label>Code <select name=\"code\">\(ExchangesPage.options(codes, "network_received_error"))</select></label>"
        case .degraded:
            let rules = SandboxWorld.Provider.Degradation.all.map { ($0.rawValue, $0.title) }
            fields += "<label>Rule <select name=\"code\">\(ExchangesPage.options(rules, ""))</select></label>"
            fallthrough
        case .unreachable:
            fields +=
                "<label>Provider <select name=\"provider\"><option value=\"\">every one</option>\(ExchangesPage.options(providers, ""))</select></label>"
        case .denied:
            let channels = Set(world.requestors.flatMap(\.channels)).sorted().map { ($0, $0) }
            fields +=
                "<label>Resource <select name=\"resource\"><option value=\"\">every one</option>\(ExchangesPage.options(channels, ""))</select></label>"
        default: break
        }
        return """
            <form class="card knob" data-api="POST /console/api/faults" data-with="scope-form" data-done="\(row.title) is on.">
            <h3>\(row.title)</h3><p>\(row.about.escapedForXML)</p><p class="quiet"><small>\(row.source.escapedForXML)</small></p>
            <input type="hidden" name="kind" value="\(row.kind.rawValue)">\(fields)
            <button aria-label="Turn on \(row.title)">Turn on</button></form>
            """
    }

    private static func behavior(_ behavior: SandboxWorld.Behavior) -> String {
        func flag(_ path: String, _ title: String, _ isOn: Bool) -> String {
            "<label class=\"check\"><input type=\"checkbox\" name=\"\(path)\"\(isOn ? " checked" : "")> \(title)</label>"
        }
        let statuses = [200, 400, 403].map { ("\($0)", "HTTP \($0)") }
        return """
            \(flag("isThrottled", "Throttle: one request a second, burst ten", behavior.isThrottled))
            \(flag("requiresRegistrationCode", "A login needs a registration code", behavior.requiresRegistrationCode))
            \(flag("restV2.usesOtherSpelling", "REST v2: the other documented spelling", behavior.restV2.usesOtherSpelling))
            \(flag("restV2.usesAbsoluteURLs", "REST v2: absolute URLs", behavior.restV2.usesAbsoluteURLs))
            \(flag("restV2.appendsToRedirect", "REST v2: something appended to the redirect", behavior.restV2.appendsToRedirect))
            \(flag("restV2.failsWithoutProfile", "REST v2: a missing profile fails the whole request", behavior.restV2.failsWithoutProfile))
            <label>A denial has <select name="denialStatus" data-number>\(ExchangesPage.options(statuses, "\(behavior.denialStatus)"))</select></label>
            <label>Dates in tokens, minutes east of UTC <input name="tokenUTCOffsetMinutes" type="number" data-number min="-1080" max="1080" value="\(behavior.tokenUTCOffsetMinutes)"></label>
            """
    }

    private static func devices(_ router: SandboxRouter) -> [(String, String)] {
        Set(router.log.exchanges.compactMap(\.facts.device)).sorted().map { ($0, ExchangeRow.short($0)) }
    }
}
