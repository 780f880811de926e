import TVEModels
import TVESandbox

/// A section with the viewers who can log in, a form that changes each of them, and a form that adds one.
enum ViewersSection {
    /// The maximum number of viewers with a form; the others can be changed in a world file.
    private static let maximum = 50

    static func html(_ world: SandboxWorld) -> String {
        let rows = world.viewers.map {
            [
                ConsolePage.code($0.name), ConsolePage.code($0.password),
                $0.resources.joined(separator: ", ").escapedForXML, ($0.zip ?? "").escapedForXML,
            ]
        }
        let table = ConsolePage.table(
            "Who can log in", ifEmpty: "The world has no viewers.",
            columns: ["User", "Password", "May watch", "Zip code"], rows: rows, id: "viewers")
        let forms = world.viewers.prefix(maximum).map { viewer in
            let name = viewer.name.escapedForXML
            return """
                <details><summary>Change \(name)</summary>
                \(form(viewer))
                <p class="actions"><button type="button" data-api="DELETE /console/api/viewers/\(viewer.name.escapedForPath)" data-undo="world" data-done="The viewer was removed." aria-label="Remove the viewer \(name)">Remove</button></p></details>
                """
        }
        return """
            \(table)
            <section aria-label="Change viewers">\(forms.joined(separator: "\n"))
            <details><summary>Add a viewer</summary>\(form(nil))</details></section>
            """
    }

    private static func form(_ viewer: SandboxWorld.Viewer?) -> String {
        let name = viewer?.name.escapedForXML
        let title = name.map { "Change the viewer \($0)" }
        func field(_ label: String, name: String, value: String?, attributes: String = "") -> String {
            "<label>\(label) <input name=\"\(name)\" value=\"\((value ?? "").escapedForXML)\" "
                + "autocomplete=\"off\" maxlength=\"2000\"\(attributes)></label>"
        }
        let user =
            name.map { "<input type=\"hidden\" name=\"name\" value=\"\($0)\">" }
            ?? field("User", name: "name", value: nil, attributes: " required")
        return """
            <form class="bar" data-api="POST /console/api/viewers" data-undo="world" data-done="The viewer was saved." aria-label="\(title ?? "Add a viewer")">
            \(user)\(field("Password", name: "password", value: viewer?.password, attributes: " required"))
            \(field("May watch, separated by commas", name: "resources", value: viewer?.resources.joined(separator: ", ")))
            \(field("Zip code", name: "zip", value: viewer?.zip))
            <button>Save</button></form>
            """
    }
}
