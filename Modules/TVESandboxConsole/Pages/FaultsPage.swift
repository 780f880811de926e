import Foundation
import TVEModels
import TVESandbox

/// A page with the faults that can be simulated, those that are turned on, and the answers that are held.
enum FaultsPage {
    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let world = routes.current.world
        let names = DeviceNames(routes)
        let steps = ServiceStep.rows.filter { $0.dialect != .sandbox }
            .map { ($0.id, "\($0.dialect.title): \($0.title) (\($0.id))") }
        return ConsolePage(
            view: .faults, title: "Faults",
            content: """
                \(HeldAnswers.html(routes))
                <section aria-labelledby="on"><h2 id="on">Faults that are on</h2>
                \(active(world, names))
                <p class="actions"><a class="button" href="/console/api/world" download="scenario.json">Save as a world file</a>
                <span class="quiet">A colleague runs it with <code>tve sandbox --world scenario.json</code>.</span></p>
                </section>
                <section aria-labelledby="scope"><h2 id="scope">Turn on a fault</h2>
                <p class="quiet">First choose the requests to which it happens, then turn on a fault.</p>
                <form id="scope-form" class="bar" aria-label="The requests to which it happens">
                \(ConsolePage.select("Device", name: "device", any: "all", options: names.choices))
                \(ConsolePage.select("Step", name: "step", any: "all steps of an app", options: steps))
                <label>After <input name="after" type="number" min="0" max="100000" placeholder="0" inputmode="numeric"></label>
                <label>Requests <input name="requests" type="number" min="1" max="100000" placeholder="all" inputmode="numeric"></label>
                </form>
                <div class="cards">
                <form class="card fault-card" data-api="POST /console/api/holds" data-with="scope-form" data-takes="device step" data-done="The next answer will be held."><h3>Hold an answer</h3>
                <p>The next answer waits until you release it: unchanged, edited or with a fault. A client does not wait longer than its own time limit: this library and <code>tve</code> give up after 30 seconds.</p>
                <label>At most, seconds <input name="seconds" type="number" min="1" max="600" value="60" required></label>
                <button>Hold the next answer</button></form>
                \(SandboxWorld.Fault.Kind.allCases.map { card($0, world) }.joined(separator: "\n"))
                </div>
                </section>
                <section aria-labelledby="always"><h2 id="always">How the service behaves</h2>
                <form class="card" id="behavior" data-behavior>
                \(behavior(world.behavior))
                <button>Apply</button>
                </form></section>
                """)
    }

    private static func active(_ world: SandboxWorld, _ names: DeviceNames) -> String {
        guard !world.faults.isEmpty else { return "<p class=\"quiet\">None. Everything works.</p>" }
        let rows = world.faults.map { fault in
            let texts = FaultDescription(fault.kind)
            let more = [
                fault.amount.map { amount($0, of: fault.kind, texts) }, fault.code, fault.resource,
                fault.provider?.text, fault.body.map { "a body of \($0.utf8.count) bytes" },
            ].compactMap(\.self).joined(separator: ", ")
            let scope = [
                steps(fault), fault.device.map { "device \(names.name($0))" },
                fault.after.flatMap { $0 > 0 ? "after \($0) more" : nil },
                fault.requests.map { $0 == 1 ? "the next request" : "the next \($0) requests" },
            ].compactMap(\.self).joined(separator: ", ")
            return """
                <li class="fault-line"><strong>\(fault.kind.title)</strong> \(more.escapedForXML) <span class="quiet">\(scope.escapedForXML)</span>
                <button type="button" data-api="DELETE /console/api/faults/\(fault.key)" data-done="\(fault.kind.title): turned off." aria-label="Turn off \(fault.kind.title) \(more.escapedForXML)">Turn off</button></li>
                """
        }
        return """
            <ul class="faults">\(rows.joined())</ul>
            <button type="button" data-api="DELETE /console/api/faults" data-if-match data-undo="world" data-done="Everything works again.">Turn all off</button>
            """
    }

    /// Returns the steps at which a fault happens.
    private static func steps(_ fault: SandboxWorld.Fault) -> String {
        if let step = fault.step { return "at \(step)" }
        if let steps = fault.kind.steps { return "at \(steps.sorted().joined(separator: ", "))" }
        return switch fault.kind {
        case .error: "at every step of REST API v2"
        case .sessionOver: "at every authorization, preauthorization and media token"
        default: "at every step of an app"
        }
    }

    private static func amount(_ amount: Int, of kind: SandboxWorld.Fault.Kind, _ texts: FaultDescription) -> String {
        let unit = texts.amount?.unit ?? ""
        return [.status, .rewritten].contains(kind) ? "\(unit) \(amount)" : "\(amount) \(unit)"
    }

    private static func card(_ kind: SandboxWorld.Fault.Kind, _ world: SandboxWorld) -> String {
        let texts = FaultDescription(kind)
        var fields = ""
        if let amount = texts.amount {
            let unit = amount.unit.prefix(1).uppercased() + amount.unit.dropFirst()
            fields +=
                "<label>\(unit) <input name=\"amount\" type=\"number\" value=\"\(amount.usual)\" required></label>"
        }
        switch kind {
        case .error:
            let codes = EnhancedErrorRow.codes.map { ($0, $0) }
            fields += ConsolePage.select("Code", name: "code", options: codes, chosen: "network_received_error")
        case .degraded:
            fields += ConsolePage.select("Rule", name: "code", options: SandboxWorld.degradationChoices)
            fallthrough
        case .secondProfile: fields += ConsolePage.select("Provider", name: "provider", options: world.providerChoices)
        case .unreachable:
            fields += ConsolePage.select("Provider", name: "provider", any: "all", options: world.providerChoices)
        case .rewritten:
            fields += ConsolePage.select("Resource", name: "resource", any: "all", options: world.channelChoices)
            fields +=
                "<label>Body <textarea name=\"body\" rows=\"4\" maxlength=\"\(SandboxWorld.Fault.maximumBody / 4)\" "
                + "spellcheck=\"false\" required></textarea></label>"
        case .denied:
            fields += ConsolePage.select("Resource", name: "resource", any: "all", options: world.channelChoices)
        default: break
        }
        return """
            <form class="card fault-card" data-api="POST /console/api/faults" data-with="scope-form" data-done="\(kind.title): turned on.">
            <h3>\(kind.title)</h3><p>\(texts.about.escapedForXML)</p><p class="quiet"><small>\(texts.source.escapedForXML)</small></p>
            <input type="hidden" name="kind" value="\(kind.rawValue)">\(fields)
            <button aria-label="Turn on \(kind.title)">Turn on</button></form>
            """
    }

    private static func behavior(_ behavior: SandboxWorld.Behavior) -> String {
        func flag(_ path: String, title: String, isOn: Bool) -> String {
            let checked = isOn ? " checked" : ""
            return "<label class=\"check\"><input type=\"checkbox\" name=\"\(path)\"\(checked)> \(title)</label>"
        }
        let statuses = [200, 400, 403].map { ("\($0)", "HTTP \($0)") }
        return """
            \(flag("isStrict", title: "Strict: refuse requests that REST API v2 does not document", isOn: behavior.isStrict))
            \(flag("isThrottled", title: "Throttle: one request a second and a burst of ten", isOn: behavior.isThrottled))
            \(flag("requiresRegistrationCode", title: "A login needs a registration code", isOn: behavior.requiresRegistrationCode))
            \(flag("restV2.usesOtherSpelling", title: "REST v2: the other documented spelling", isOn: behavior.restV2.usesOtherSpelling))
            \(flag("restV2.usesAbsoluteURLs", title: "REST v2: absolute URLs", isOn: behavior.restV2.usesAbsoluteURLs))
            \(flag("restV2.appendsToRedirect", title: "REST v2: something is added to the redirect", isOn: behavior.restV2.appendsToRedirect))
            \(flag("restV2.failsWithoutProfile", title: "REST v2: a missing profile fails the whole request", isOn: behavior.restV2.failsWithoutProfile))
            \(ConsolePage.select("A denial has", name: "denialStatus", options: statuses, chosen: "\(behavior.denialStatus)"))
            <label>Dates in tokens, minutes east of UTC <input name="tokenUTCOffsetMinutes" type="number" min="-1080" max="1080" value="\(behavior.tokenUTCOffsetMinutes)"></label>
            """
    }
}
