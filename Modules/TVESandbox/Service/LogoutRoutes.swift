import FlyingFox
import Foundation
import TVEModels

/// The routes of a logout, which ends the session at the service, then at the provider, and returns to the app.
enum LogoutRoutes {
    static func logout(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        let cookie = request.cookie("JSESSIONID")
        let mvpdID = state.withTables { tables, now -> MVPDID? in
            func given(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }
            let index =
                given("session_index") ?? given("name_id").flatMap { tables.names.entry($0, at: now) }
                ?? cookie.flatMap { tables.browsers.remove($0, at: now) }
            guard let index, let login = tables.logins.entry(index, at: now) else { return nil }
            // A name id must be that of the login, so that no viewer can end the session of another.
            if let name = given("name_id"), !name.isSameBytes(as: login.nameID) { return nil }
            if !login.isShared { tables.logins.change(index) { $0.isLoggedOut = true } }
            return login.mvpdID
        }
        guard let redirect = RedirectURL.checked(request.query["redirect_url"]) else {
            return Page.message("Logged out", "You are logged out.")
        }
        guard let mvpdID, let provider = state.world.provider(mvpdID), provider.login != .none else {
            return .redirect(redirect)
        }
        let relayState = SandboxState.randomID()
        let pending = PendingLogin(
            requestID: "_\(relayState)", requestorID: "", mvpdID: mvpdID, registrationCode: nil, redirectURL: redirect,
            expires: state.serviceTime.addingTimeInterval(600))
        state.withTables { $0.pending.set(pending, relayState, until: pending.expires, at: $1) }
        return .redirect("/idp/\(mvpdID.text.escapedForPath)/logout?RelayState=\(relayState)")
    }

    static func logoutResponse(_ state: SandboxState, _ request: SandboxRequest) -> HTTPResponse {
        guard let relayState = request.query["RelayState"],
            let pending = state.withTables({ $0.pending.remove(relayState, at: $1) })
        else { return Page.failure("This logout is unknown or already finished.") }
        return .redirect(pending.redirectURL)
    }
}
