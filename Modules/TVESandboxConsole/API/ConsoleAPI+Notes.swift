import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints for the tester's notes and names of devices.
extension ConsoleAPI {
    func notes() -> HTTPResponse {
        let notes = routes.notes.withLock(\.self)
        return HTTPResponse.json(["text": notes.text]).versioned(notes.version)
    }

    func writeNotes(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let text = try NotesForm(form: request.body, .answer).text
        guard text.utf8.count <= TesterNotes.maximumLength else {
            return .problems(["Notes are a text of at most 100,000 bytes."], status: 400)
        }
        let wanted = version(request)
        let (isWritten, version) = routes.notes.withLock { notes in
            (notes.write(text, at: wanted), notes.version)
        }
        guard isWritten else {
            let sentence = "The notes were changed in the meantime, perhaps in another window. Nothing was changed."
            return HTTPResponse.problems([sentence], status: 412).versioned(version)
        }
        routes.log.note("The notes were saved.")
        return HTTPResponse.status(204).versioned(version)
    }

    /// Sets the tester's name for a device, or removes it if the request contains none.
    func nameDevice(_ id: String, _ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let given = try DeviceNameForm(form: request.body).name ?? ""
        guard given.count <= TesterNotes.maximumNameLength, !id.isEmpty, id.utf8.count <= 1_000 else {
            return .problems(["A name of a device has at most 60 characters."], status: 400)
        }
        let name = given.trimmingCharacters(in: .whitespacesAndNewlines)
        let fits = routes.notes.withLock { notes in
            notes.nicknames[ExactText(id)] = name.isEmpty ? nil : name
            guard notes.nicknames.count > TesterNotes.maximumNames else { return true }
            notes.nicknames[ExactText(id)] = nil
            return false
        }
        guard fits else { return .problems(["Too many devices have a name already."], status: 400) }
        return changed(true, name.isEmpty ? "The name of a device was removed." : "A device was named.")
    }
}

private struct NotesForm: JSONForm {
    static let shape = JSONShape(NotesForm(text: "text"))

    let text: String
}

private struct DeviceNameForm: JSONForm {
    static let shape = JSONShape(DeviceNameForm(name: "name"))

    let name: String?
}
