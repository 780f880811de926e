import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The endpoints with which a tester changes households.
extension ConsoleAPI {
    func households() -> HTTPResponse { .json(HouseholdReport(routes.state)) }

    func makeLinkCode(household id: String) -> HTTPResponse {
        guard let code = routes.state.linkCode(forHousehold: id) else { return changed(false, "") }
        routes.log.note("A code was made for a household.")
        return .json(HouseholdReport.Code(code: code.text, ends: code.expires), status: 201)
    }

    func joinHousehold(_ request: SandboxRequest) throws(JSONFormError) -> HTTPResponse {
        let form = try JoinForm(form: request.body)
        if let problem = routes.state.typeLinkCode(form.code, for: form.requestor) {
            return .problems([problem], status: 400)
        }
        return changed(true, "A device of the tester has joined a household.")
    }

    func unlink(_ deviceID: String, household id: String) -> HTTPResponse {
        changed(routes.state.unlink(deviceID, fromHousehold: id), "A device was unlinked from its household.")
    }

    func endTokens(household id: String) -> HTTPResponse {
        changed(routes.state.endTokens(ofHousehold: id), "The service tokens of a household have ended.")
    }
}

private struct JoinForm: JSONForm {
    static let shape = JSONShape(JoinForm(requestor: "id", code: "code"))

    let requestor: RequestorID
    let code: String
}
