import Foundation
import TVEModels
import TVESandbox

/// A page with the households of the single sign-on service and their devices, on which a tester can act as a device.
enum HouseholdsPage {
    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let households = HouseholdReport(routes.state).households
        let names = DeviceNames(routes)
        let tables = households.enumerated().map { number, household in
            section(household, number: number + 1, names: names)
        }
        let none = """
            <p class="quiet">No device has asked for a service token. A device joins a household with \
            <code>POST /api/{requestor}/serviceToken</code>; <code>tve demo-household</code> shows the whole story.</p>
            """
        return ConsolePage(
            view: .households, title: "Households",
            content: """
                \(tables.isEmpty ? none : tables.joined(separator: "\n"))
                \(codeForm(routes.state))
                """)
    }

    private static func section(
        _ household: HouseholdReport.Household, number: Int, names: DeviceNames
    ) -> String {
        let title = "Household \(number) of \(household.requestor.text.escapedForXML)"
        let rows = household.devices.map { row($0, in: household, names: names) }
        let path = "/console/api/households/\(household.id)"
        return """
            \(ConsolePage.table(title, ifEmpty: "Every device has left it.", columns: ["Device", "Model", "Came with", "Last seen", "Token ends", "Actions"], rows: rows))
            \(codes(household))
            <p class="actions">
            <button type="button" data-api="POST \(path)/code" data-done="Another device can type the code." aria-label="Make a code for \(title)">Make a code</button>
            <button type="button" data-api="POST \(path)/end" data-done="The tokens have ended; they can be renewed." aria-label="Let the tokens end: \(title)">Let the tokens end</button>
            </p>
            """
    }

    private static func codes(_ household: HouseholdReport.Household) -> String {
        guard !household.codes.isEmpty else { return "" }
        let codes = household.codes.map { code in
            "<li>\(ConsolePage.code(code.code)) ends <span data-until=\"\(code.ends)\"></span></li>"
        }
        return "<p>Codes for another device:</p><ul>\(codes.joined())</ul>"
    }

    private static func row(
        _ device: HouseholdReport.Device, in household: HouseholdReport.Household, names: DeviceNames
    ) -> [String] {
        let name = names.name(device.id)
        return [
            "<a href=\"/?device=\(device.id.escapedForPath)\" title=\"The exchanges of \(device.id.escapedForXML)\">"
                + "\(name.escapedForXML)</a>",
            device.model.escapedForXML, device.isLinked ? "a code" : "an account",
            ExchangeRow.date(Date(timeIntervalSince1970: Double(device.lastSeen) / 1000)),
            device.tokenEnds.map { "<span data-until=\"\($0)\"></span>" } ?? "no valid token",
            """
            <button type="button" data-api="DELETE /console/api/households/\(household.id)/devices/\(device.id.escapedForPath)" data-done="The device was unlinked." aria-label="Unlink \(name.escapedForXML)">Unlink</button>
            """,
        ]
    }

    /// Returns a form with which the tester types the code that a device under test shows.
    private static func codeForm(_ state: SandboxState) -> String {
        """
        <form class="card" data-api="POST /console/api/households/join" data-done="A device of the tester has joined."><h2>Type a code</h2>
        <p>Act as the other device: type the code that a device under test shows.</p>
        \(ConsolePage.select("Requestor", name: "requestor", options: state.world.requestors.map { ($0.id.text, $0.name) }))
        <label>Code <input name="code" autocomplete="off" inputmode="numeric" required></label>
        <button>Join</button></form>
        """
    }
}
