import Foundation
import TVEModels

/// The logins of each device, the waiting codes and the registered applications, with actions for each.
enum DevicesPage {
    static func page(_ router: SandboxRouter) -> ConsolePage {
        let state = router.state
        let present = StateReport(state)
        return ConsolePage(
            view: .devices, title: "Devices and viewers",
            content: """
                \(table("Logins", "No viewer is logged in.", ["Viewer", "Provider", "Requestor", "Device", "Ends", "Actions"], present.logins.map(login)))
                \(table("Codes that wait", "No code waits.", ["Code", "Requestor", "Device", "State", "Ends", "Actions"], present.codes.map(code)))
                \(table("Applications", "No application has registered.", ["Client id", "Flow", "Actions"], applications(router, present)))
                \(table("Temporary passes", "No TempPass is in use.", ["Provider", "Holder", "Resources used", "Began"], present.trials.map { [cell($0.provider), code($0.holder), cell("\($0.resources)"), cell($0.began.map { Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601) } ?? "not yet")] }))
                \(table("Throttle", "No address was throttled.", ["Address", "Requests left"], present.throttle.map { [code($0.address), cell("\($0.left)")] }))
                \(table("Repeated denials", "Nothing was denied.", ["Resource", "How often in a row"], present.denials.map { [code($0.resource), cell("\($0.count)")] }))
                \(actions(state))
                """)
    }

    private static func login(_ login: StateReport.Login) -> [String] {
        let name = "\(login.viewer) at \(login.provider)".escapedForXML
        return [
            cell(login.viewer), cell(login.provider), cell(login.requestor), device(login.device),
            "<span data-until=\"\(login.ends)\"></span>",
            """
            <button type="button" data-api="POST /console/api/logins/\(login.id)/end" data-done="The login was ended." aria-label="End the login of \(name)">End</button>
            <button type="button" data-api="POST /console/api/logins/\(login.id)/expire" data-done="The login has run out." aria-label="Let the login of \(name) run out">Expire now</button>
            """,
        ]
    }

    private static func code(_ code: StateReport.Code) -> [String] {
        [
            self.code(code.code), cell(code.requestor), device(code.device), cell(code.state),
            "<span data-until=\"\(code.ends)\"></span>",
            "<button type=\"button\" data-api=\"DELETE /console/api/codes/\(code.code)\" data-done=\"The code is void.\" aria-label=\"Make the code \(code.code) void\">Make void</button>",
        ]
    }

    private static func applications(_ router: SandboxRouter, _ present: StateReport) -> [[String]] {
        let flows = router.log.flowsByClient
        return present.clients.map { id in
            let flow = flows[ExactText(id)].map { "<a href=\"/console/sequence?flow=\($0)\">Flow \($0)</a>" } ?? ""
            return [
                code(ExchangeRow.short(id)), flow,
                "<button type=\"button\" data-api=\"DELETE /console/api/clients/\(id)\" data-done=\"The application was revoked.\" aria-label=\"Revoke the application \(ExchangeRow.short(id))\">Revoke</button>",
            ]
        }
    }

    private static func actions(_ state: SandboxState) -> String {
        let channels = Set(state.world.requestors.flatMap(\.channels)).sorted().map { ($0, $0) }
        let providers = state.world.providers.map { ($0.id, $0.displayName) }
        let rules = SandboxWorld.Provider.Degradation.all.map { ($0.rawValue, $0.title) }
        return """
            <div class="cards">
            <form class="card" data-api="POST /console/api/faults" data-done="The resource is denied."><h2>Deny a resource</h2>
            <input type="hidden" name="kind" value="denied">
            <label>Resource <select name="resource">\(ExchangesPage.options(channels, ""))</select></label>
            <button>Deny</button></form>
            <form class="card" data-api="POST /console/api/faults" data-done="The provider is degraded."><h2>Degrade a provider</h2>
            <input type="hidden" name="kind" value="degraded">
            <label>Provider <select name="provider">\(ExchangesPage.options(providers, ""))</select></label>
            <label>Rule <select name="code">\(ExchangesPage.options(rules, ""))</select></label>
            <button>Degrade</button></form>
            </div>
            <p class="quiet">Both are knobs: <a href="/console/knobs">Knobs</a> turns them off again.</p>
            """
    }

    // MARK: - Tables

    static func table(_ title: String, _ none: String, _ columns: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "<section><h2>\(title)</h2><p class=\"quiet\">\(none)</p></section>" }
        let heads = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let lines = rows.map { row in
            let cells = zip(columns, row).map { "<td data-label=\"\($0)\">\($1)</td>" }.joined()
            return "<tr>\(cells)</tr>"
        }
        return """
            <section><h2>\(title)</h2>
            <div class="wide"><table class="cells"><caption class="unseen">\(title)</caption><thead><tr>\(heads)</tr></thead><tbody>\(lines.joined(separator: "\n"))</tbody></table></div></section>
            """
    }

    private static func cell(_ text: String) -> String { text.escapedForXML }
    private static func code(_ text: String) -> String { "<code>\(text.escapedForXML)</code>" }

    private static func device(_ id: String) -> String {
        id.isEmpty ? "" : "<code title=\"\(id.escapedForXML)\">\(ExchangeRow.short(id).escapedForXML)</code>"
    }
}

extension SandboxWorld.Provider.Degradation {
    static let all: [Self] = [.authenticateAll, .authorizeAll, .authorizeNone]

    var title: String {
        switch self {
        case .authenticateAll: "Every viewer counts as logged in"
        case .authorizeAll: "Everything counts as authorized"
        case .authorizeNone: "Everything counts as denied"
        }
    }
}
