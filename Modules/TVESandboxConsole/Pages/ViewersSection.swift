import TVEModels
import TVESandbox

/// The viewers who can log in, each with a form that changes it, and a form for one more.
enum ViewersSection {
    /// Most viewers with a form; a world file changes the others.
    private static let maximum = 50

    static func html(_ world: SandboxWorld) -> String {
        let rows = world.viewers.map {
            [
                ConsolePage.code($0.name), ConsolePage.code($0.password),
                $0.resources.joined(separator: ", ").escapedForXML, ($0.zip ?? "").escapedForXML,
            ]
        }
        let table = ConsolePage.table(
            "Who can log in", "The world has no viewers.", ["User", "Password", "May watch", "Zip code"], rows,
            id: "viewers")
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
        let (name, title) = (viewer?.name.escapedForXML, viewer.map { "Change the viewer \($0.name.escapedForXML)" })
        func field(_ label: String, _ field: String, _ value: String?, _ more: String = "") -> String {
            "<label>\(label) <input name=\"\(field)\" value=\"\((value ?? "").escapedForXML)\" autocomplete=\"off\" maxlength=\"2000\"\(more)></label>"
        }
        let user =
            name.map { "<input type=\"hidden\" name=\"name\" value=\"\($0)\">" }
            ?? field("User", "name", nil, " required")
        return """
            <form class="bar" data-api="POST /console/api/viewers" data-undo="world" data-done="The viewer was saved." aria-label="\(title ?? "Add a viewer")">
            \(user)\(field("Password", "password", viewer?.password, " required"))
            \(field("May watch, separated by commas", "resources", viewer?.resources.joined(separator: ", ")))
            \(field("Zip code", "zip", viewer?.zip))
            <button>Save</button></form>
            """
    }
}
