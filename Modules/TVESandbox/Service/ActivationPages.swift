import FlyingFox
import Foundation
import TVEModels

/// The pages on which a viewer types the code that a television shows.
enum ActivationPages {
    static func respond(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        switch (request.method, request.path.count) {
        case ("GET", 1), ("HEAD", 1): return form(message: nil, code: request.query["code"] ?? "")
        case ("POST", 1): return start(state, request)
        case ("GET", 2) where request.path[1] == "done", ("HEAD", 2) where request.path[1] == "done":
            return Page.message("Finished", "You can go back to your television.")
        case ("GET", 2) where request.path[1] == "cancelled", ("HEAD", 2) where request.path[1] == "cancelled":
            return Page.message(
                "Cancelled", "You were not logged in. To try again, type the code of your television once more.")
        default: return .status(404)
        }
    }

    private static func start(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        let typed = request.form["code"] ?? ""
        guard let code = state.code(TypedCode.plain(typed)) else {
            return form(message: "The code is unknown or has expired.", code: typed)
        }
        let mvpdID = request.form["mvpd"].map(MVPDID.init) ?? code.mvpdID ?? ""
        guard let provider = state.provider(mvpdID, of: code.requestorID) else { return picker(state, code) }
        let end = "\(request.base)/activate/done"
        if let session = code.session {
            return continued(state, request, code: code, session: session, provider: provider, end: end)
        }
        let query = FormFields.encoded([
            "noflash": "true", "mso_id": mvpdID.text, "requestor_id": code.requestorID.text, "reg_code": code.code,
            "redirect_url": end,
        ])
        return .redirect("/adobe-services/authenticate/saml?\(query)")
    }

    /// Continues with a code of REST API v2.
    ///
    /// The page adds the parameters that the television has left open, and its own redirect, as
    /// `POST …/sessions/{code}` does, and sends the browser to the page of 5.5.
    private static func continued(
        _ state: SandboxState, _ request: SandboxRequest, code: RegistrationCode, session: AuthenticationSessionRecord,
        provider: SandboxWorld.Provider, end: String
    ) -> HTTPResponse {
        var parameters = AuthenticationSessions.Parameters()
        parameters.provider = provider
        parameters.isChosenOnPage = code.mvpdID == nil || session.chosenOnPage != nil
        parameters.redirectURL = end
        if session.domainName == nil { parameters.domainName = String(request.host.divided(at: ":").before) }
        do throws(SandboxRefusal) {
            let next = try AuthenticationSessions.supply(to: code, in: state) { () throws(SandboxRefusal) in parameters
            }
            guard next.reasonToSkip == nil else { return .redirect(end) }
        } catch {
            return form(message: "A login was made with this code already.", code: code.code)
        }
        let path = "\(code.requestorID.text.escapedForPath)/\(code.code.escapedForPath)"
        return .redirect("/api/v2/authenticate/\(path)")
    }

    private static func form(message: String?, code: String) -> HTTPResponse {
        Page.page(
            "Activate your television",
            """
            <h1>Activate your television</h1>
            \(message.map { "<p class=\"message\" role=\"alert\">\($0.escapedForXML)</p>" } ?? "")
            <form method="post" action="/activate">
            <p><label>Code on your screen<br><input name="code" value="\(code.escapedForXML)" \
            autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" autofocus></label></p>
            <p><button type="submit">Continue</button></p>
            </form>
            """)
    }

    private static func picker(_ state: SandboxState, _ code: RegistrationCode) -> HTTPResponse {
        let providers = (state.requestor(code.requestorID)?.providers ?? []).compactMap {
            state.provider($0, of: code.requestorID)
        }
        let buttons = providers.map { provider in
            let id = provider.id.text.escapedForXML
            let name = provider.displayName.escapedForXML
            return "<p><button type=\"submit\" name=\"mvpd\" value=\"\(id)\">\(name)</button></p>"
        }
        return Page.page(
            "Choose your TV provider",
            """
            <h1>Choose your TV provider</h1>
            <form method="post" action="/activate">
            <input type="hidden" name="code" value="\(code.code.escapedForXML)">
            \(buttons.joined(separator: "\n"))
            </form>
            """)
    }
}
