import Foundation
import TVEModels
import TVESandbox

/// A page with the logins of each device, the registration codes and the applications, with actions for each.
enum DevicesPage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let state = routes.state
        let present = StateReport(state)
        let names = DeviceNames(routes)
        let logins = TablePart(present.logins, name: "logins", query: request.query)
        let waiting = TablePart(present.codes.filter(\.isWaiting), name: "waiting-codes", query: request.query)
        let used = TablePart(present.codes.filter { !$0.isWaiting }, name: "used", query: request.query)
        let denials = TablePart(present.denials, name: "denials", query: request.query)
        let clients = TablePart(present.clients, name: "applications", query: request.query)
        return ConsolePage(
            view: .devices, title: "Devices and viewers",
            content: """
                \(clock(routes))
                \(ConsolePage.table("Logins", ifEmpty: "No viewer is logged in.", columns: ["Viewer", "Provider", "Requestor", "Device", "Since", "Ends", "Actions"], rows: logins.rows.map { login($0, names) }, id: "logins", below: logins.links))
                \(ConsolePage.table("Waiting codes", ifEmpty: "No registration code is waiting.", columns: ["Code", "Requestor", "Device", "State", "Ends", "Actions"], rows: waiting.rows.map { code($0, names) }, id: "waiting-codes", below: waiting.links))
                \(ConsolePage.table("Used codes", ifEmpty: "No registration code was used.", columns: ["Code", "Requestor", "Device", "State"], rows: used.rows.map { Array(code($0, names).prefix(4)) }, id: "used", below: used.links))
                \(ConsolePage.table("Applications", ifEmpty: "No application has registered.", columns: ["Client id", "Flow", "Actions"], rows: applications(routes, clients.rows), id: "applications", below: clients.links))
                \(ConsolePage.table("Temporary passes", ifEmpty: "No TempPass is in use.", columns: ["Provider", "User", "Resources used", "Began"], rows: present.trials.map { [cell($0.provider.text), ConsolePage.code($0.holder), cell("\($0.resources)"), cell($0.began.map { Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601) } ?? "not yet")] }, id: "passes"))
                \(ConsolePage.table("Throttle", ifEmpty: "No address is throttled.", columns: ["Address", "Requests left"], rows: present.throttle.map { [ConsolePage.code($0.address), cell("\($0.left)")] }))
                \(ConsolePage.table("Repeated denials", ifEmpty: "No resource was denied.", columns: ["Resource", "Viewer", "Device", "Denials in a row"], rows: denials.rows.map { [ConsolePage.code($0.resource), cell($0.viewer), device($0.device, names), cell("\($0.count)")] }, id: "denials", below: denials.links))
                \(actions(state))
                """)
    }

    private static func login(_ login: StateReport.Login, _ names: DeviceNames) -> [String] {
        let name = "\(login.viewer) at \(login.provider)".escapedForXML
        return [
            cell(login.viewer), cell(login.provider.text), cell(login.requestor.text), device(login.device, names),
            ExchangeRow.date(Date(timeIntervalSince1970: Double(login.began) / 1000)),
            "<span data-until=\"\(login.ends)\"></span>",
            """
            <button type="button" data-api="POST /console/api/logins/\(login.id)/end" data-done="The login was ended." aria-label="End the login of \(name)">End</button>
            <button type="button" data-api="POST /console/api/clock" data-body="{&quot;to&quot;:\(login.ends)}" data-undo="clock" data-done="The clock has moved." aria-label="Clock to its end: the login of \(name)">Clock to its end</button>
            <button type="button" data-api="POST /console/api/logins/\(login.id)/expire" data-done="The login has expired." aria-label="Expire now: the login of \(name)">Expire now</button>
            """,
        ]
    }

    /// Returns the service's clock, by which everything expires, with buttons that move it.
    private static func clock(_ routes: SandboxRoutes) -> String {
        let steps = [("1 minute", 60), ("1 hour", 3_600), ("1 day", 86_400), ("31 days", 2_678_400)]
            .map { name, seconds in
                """
                <button type="button" data-api="POST /console/api/clock" data-body="{&quot;by&quot;:\(seconds)}" data-undo="clock" data-done="The clock has moved." aria-label="Move the clock by \(name)">\(name)</button>
                """
            }
        let back =
            routes.clock.offset == 0
            ? ""
            : """
            <button type="button" data-api="DELETE /console/api/clock" data-done="The clock shows the time of this machine.">Back to the real time</button>
            """
        return """
            <section><h2>Clock of the service</h2><p>\(ExchangeRow.date(routes.state.now)). Move it ahead, and tokens, codes and logins expire as they would:</p>
            <p class="actions">\(steps.joined(separator: " ")) \(back)</p>
            <form class="actions" data-api="POST /console/api/clock" data-undo="clock" data-done="The clock was set." aria-label="Set the clock">
            <label>Date and time, in the time zone of this browser <input name="to" type="datetime-local" step="1" required></label>
            <button>Set the clock</button></form></section>
            """
    }

    private static func code(_ code: StateReport.Code, _ names: DeviceNames) -> [String] {
        [
            ConsolePage.code(code.code), cell(code.requestor.text), device(code.device, names), cell(code.state),
            "<span data-until=\"\(code.ends)\"></span>",
            """
            <button type="button" data-api="DELETE /console/api/codes/\(code.code)" data-done="The code was deleted." aria-label="Delete the code \(code.code)">Delete</button>
            """,
        ]
    }

    private static func applications(_ routes: SandboxRoutes, _ clients: ArraySlice<String>) -> [[String]] {
        let flows = routes.log.flowsByClient
        return clients.map { id in
            let flow = flows[ExactText(id)].map { "<a href=\"/console/sequence?flow=\($0)\">Flow \($0)</a>" } ?? ""
            return [
                ConsolePage.code(ExchangeRow.short(id)), flow,
                """
                <button type="button" data-api="DELETE /console/api/clients/\(id)" data-done="The application was revoked." aria-label="Revoke the application \(ExchangeRow.short(id))">Revoke</button>
                """,
            ]
        }
    }

    private static func actions(_ state: SandboxState) -> String {
        return """
            <div class="cards">
            <form class="card" data-api="POST /console/api/faults" data-done="The resource is now denied."><h2>Deny a resource</h2>
            <input type="hidden" name="kind" value="denied">
            \(ConsolePage.select("Resource", name: "resource", options: state.world.channelChoices))
            <button>Deny</button></form>
            <form class="card" data-api="POST /console/api/faults" data-done="The provider is now degraded."><h2>Degrade a provider</h2>
            <input type="hidden" name="kind" value="degraded">
            \(ConsolePage.select("Provider", name: "provider", options: state.world.providerChoices))
            \(ConsolePage.select("Rule", name: "code", options: SandboxWorld.degradationChoices))
            <button>Degrade</button></form>
            </div>
            <p class="quiet">Both are faults; <a href="/console/faults">Faults</a> turns them off again.</p>
            """
    }

    private static func cell(_ text: String) -> String { text.escapedForXML }

    private static func device(_ id: String, _ names: DeviceNames) -> String {
        id.isEmpty
            ? ""
            : "<a href=\"/?device=\(id.escapedForPath)\" title=\"The exchanges of \(id.escapedForXML)\">"
                + "\(names.name(id).escapedForXML)</a>"
    }
}
