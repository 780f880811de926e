import Foundation
import TVEModels
import TVESandbox

/// The logins of each device, the waiting codes and the registered applications, with actions for each.
enum DevicesPage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage {
        let state = routes.state
        let present = StateReport(state)
        let names = DeviceNames(routes)
        let logins = TablePart(present.logins, "logins", request.query)
        let waiting = TablePart(present.codes.filter(\.isWaiting), "waiting-codes", request.query)
        let used = TablePart(present.codes.filter { !$0.isWaiting }, "used", request.query)
        let clients = TablePart(present.clients, "applications", request.query)
        return ConsolePage(
            view: .devices, title: "Devices and viewers",
            content: """
                \(clock(routes))
                \(ConsolePage.table("Logins", "No viewer is logged in.", ["Viewer", "Provider", "Requestor", "Device", "Since", "Ends", "Actions"], logins.rows.map { login($0, names) }, id: "logins", below: logins.links))
                \(ConsolePage.table("Waiting codes", "No registration code is waiting.", ["Code", "Requestor", "Device", "State", "Ends", "Actions"], waiting.rows.map { code($0, names) }, id: "waiting-codes", below: waiting.links))
                \(ConsolePage.table("Used codes", "No registration code was used.", ["Code", "Requestor", "Device", "State"], used.rows.map { Array(code($0, names).prefix(4)) }, id: "used", below: used.links))
                \(ConsolePage.table("Applications", "No application has registered.", ["Client id", "Flow", "Actions"], applications(routes, clients.rows), id: "applications", below: clients.links))
                \(ConsolePage.table("Temporary passes", "No TempPass is in use.", ["Provider", "User", "Resources used", "Began"], present.trials.map { [cell($0.provider.text), ConsolePage.code($0.holder), cell("\($0.resources)"), cell($0.began.map { Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601) } ?? "not yet")] }, id: "passes"))
                \(ConsolePage.table("Throttle", "No address is throttled.", ["Address", "Requests left"], present.throttle.map { [ConsolePage.code($0.address), cell("\($0.left)")] }))
                \(ConsolePage.table("Repeated denials", "No resource was denied.", ["Resource", "Denials in a row"], present.denials.map { [ConsolePage.code($0.resource), cell("\($0.count)")] }))
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

    /// The service's clock, which everything that expires follows.
    private static func clock(_ routes: SandboxRoutes) -> String {
        let steps = [("1 minute", 60), ("1 hour", 3_600), ("1 day", 86_400), ("31 days", 2_678_400)].map {
            "<button type=\"button\" data-api=\"POST /console/api/clock\" data-body=\"{&quot;by&quot;:\($0.1)}\" data-undo=\"clock\" data-done=\"The clock has moved.\" aria-label=\"Move the clock by \($0.0)\">\($0.0)</button>"
        }
        let back =
            routes.clock.offset == 0
            ? ""
            : "<button type=\"button\" data-api=\"DELETE /console/api/clock\" data-done=\"The clock shows the time of this machine.\">Back to the real time</button>"
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
            "<button type=\"button\" data-api=\"DELETE /console/api/codes/\(code.code)\" data-done=\"The code was deleted.\" aria-label=\"Delete the code \(code.code)\">Delete</button>",
        ]
    }

    private static func applications(_ routes: SandboxRoutes, _ clients: ArraySlice<String>) -> [[String]] {
        let flows = routes.log.flowsByClient
        return clients.map { id in
            let flow = flows[ExactText(id)].map { "<a href=\"/console/sequence?flow=\($0)\">Flow \($0)</a>" } ?? ""
            return [
                ConsolePage.code(ExchangeRow.short(id)), flow,
                "<button type=\"button\" data-api=\"DELETE /console/api/clients/\(id)\" data-done=\"The application was revoked.\" aria-label=\"Revoke the application \(ExchangeRow.short(id))\">Revoke</button>",
            ]
        }
    }

    private static func actions(_ state: SandboxState) -> String {
        return """
            <div class="cards">
            <form class="card" data-api="POST /console/api/faults" data-done="The resource is now denied."><h2>Deny a resource</h2>
            <input type="hidden" name="kind" value="denied">
            \(ConsolePage.select("Resource", "resource", state.world.channelChoices))
            <button>Deny</button></form>
            <form class="card" data-api="POST /console/api/faults" data-done="The provider is now degraded."><h2>Degrade a provider</h2>
            <input type="hidden" name="kind" value="degraded">
            \(ConsolePage.select("Provider", "provider", state.world.providerChoices))
            \(ConsolePage.select("Rule", "code", SandboxWorld.degradationChoices))
            <button>Degrade</button></form>
            </div>
            <p class="quiet">Both are faults; <a href="/console/faults">Faults</a> turns them off again.</p>
            """
    }

    private static func cell(_ text: String) -> String { text.escapedForXML }

    private static func device(_ id: String, _ names: DeviceNames) -> String {
        id.isEmpty
            ? ""
            : "<a href=\"/?device=\(id.escapedForPath)\" title=\"The exchanges of \(id.escapedForXML)\">\(names.name(id).escapedForXML)</a>"
    }
}
