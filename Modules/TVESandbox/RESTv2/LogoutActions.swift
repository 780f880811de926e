import FlyingFox
import Foundation

/// Logout: removes the profiles, then tells the client what remains to be done (REST API v2, 5.11).
enum LogoutActions {
    static func logout(_ call: RESTv2Call, mvpdID: String) throws(SandboxRefusal) -> HTTPResponse {
        let provider = try call.provider(mvpdID)
        guard let redirect = RedirectURL.checked(call.request.query["redirectUrl"]) else {
            throw .enhanced("invalid_parameter_redirect_url")
        }
        return .json(["logouts": [mvpdID: action(call, provider, redirect)]])
    }

    private static func action(_ call: RESTv2Call, _ provider: SandboxWorld.Provider, _ redirect: String) -> Action {
        if provider.login == .none || provider.degradation == .authenticateAll {
            return Action(actionName: "complete", actionType: "none", mvpd: provider.id)
        }
        guard let login = forget(call, provider.id) else {
            return Action(actionName: "invalid", actionType: "none", mvpd: provider.id)
        }
        if case .platformViewer = login.subject {
            return Action(actionName: "partner_logout", actionType: "partner_interactive", mvpd: provider.id)
        }
        let fields = [
            ("requestor_id", call.serviceProvider.id), ("mso_id", provider.id), ("session_index", login.sessionIndex),
            ("redirect_url", redirect),
        ]
        let query = fields.map { "\($0)=\(ProviderPages.segment($1))" }.joined(separator: "&")
        return Action(
            actionName: "logout", actionType: "interactive", mvpd: provider.id,
            url: call.link("/adobe-services/logout?\(query)"))
    }

    /// Removes the caller's profile, and with an identity token also the profile that several devices share.
    private static func forget(_ call: RESTv2Call, _ mvpdID: String) -> Login? {
        call.state.withTables { tables, now in
            var indices = [tables.profiles.remove(call.owner.key(mvpdID), at: now)]
            for identity in call.identities {
                let key = identity.key(call.serviceProvider.id, mvpdID)
                indices.append(tables.sharedProfiles.remove(key, at: now))
            }
            let logins = indices.compactMap(\.self).compactMap { tables.logins.entry($0, at: now) }
                .filter { !$0.isLoggedOut }
            for login in logins where !login.isShared || !call.identities.isEmpty {
                tables.logins.change(login.sessionIndex) { $0.isLoggedOut = true }
            }
            return logins.first
        }
    }

    private struct Action: Encodable {
        let actionName: String
        let actionType: String
        let mvpd: String
        var url: String?
    }
}
