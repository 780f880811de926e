import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints that change one viewer of the world at a time, as the forms of the console do.
extension ConsoleAPI {
    /// Saves a viewer.
    ///
    /// A viewer with the same name gets the new password, resources and zip code; otherwise the viewer is added.
    func saveViewer(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let form = try ViewerForm(form: request.body)
        guard !form.name.isEmpty, !form.password.isEmpty else {
            return .problems(
                ["A viewer has a name, a password, resources separated by commas, and perhaps a zip code."], status: 400
            )
        }
        let resources = (form.resources ?? "").parts(separatedBy: ",", keepsEmpty: false)
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
        return change(request, noting: "A viewer was saved.") { world in
            let place = world.viewers.firstIndex { $0.name.isSameBytes(as: form.name) }
            var viewer =
                place.map { world.viewers[$0] }
                ?? SandboxWorld.Viewer(name: form.name, password: form.password, resources: [])
            viewer.password = form.password
            viewer.resources = resources
            viewer.zip = form.zip
            if let place { world.viewers[place] = viewer } else { world.viewers.append(viewer) }
        }
    }

    /// Removes a viewer, whose existing logins remain valid until they expire.
    func removeViewer(_ name: String, _ request: SandboxRequest) -> HTTPResponse {
        guard routes.current.world.viewers.contains(where: { $0.name.isSameBytes(as: name) }) else {
            return .problems(["There is no viewer with this name."], status: 404)
        }
        return change(request, noting: "A viewer was removed.") { world in
            world.viewers.removeAll { $0.name.isSameBytes(as: name) }
        }
    }
}

private struct ViewerForm: JSONForm {
    static let shape = JSONShape(ViewerForm(name: "name", password: "password", resources: "id", zip: "zip"))

    let name, password: String
    /// The ids of the viewer's resources, separated by commas.
    let resources: String?
    let zip: String?
}
