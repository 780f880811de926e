import FlyingFox
import TVEModels

/// The route of a logout, which removes the profiles and returns what remains to be done (REST API v2, 5.11).
enum LogoutActions {
    static func logout(_ call: RESTv2Call, mvpdID: MVPDID) throws(SandboxRefusal) -> HTTPResponse {
        let provider = try call.provider(mvpdID)
        guard let redirect = RedirectURL.checked(call.request.query["redirectUrl"]) else {
            throw .enhanced("invalid_parameter_redirect_url")
        }
        try call.check(redirect)
        return .json(["logouts": [mvpdID: action(call, provider, returningTo: redirect)]])
    }

    private static func action(
        _ call: RESTv2Call, _ provider: SandboxWorld.Provider, returningTo redirect: String
    ) -> MetadataValue {
        // The profile is removed even where the provider has no part in the logout.
        let removed = forget(call, provider.id)
        if provider.login == .none || call.state.isDegraded(provider, to: .authenticateAll) {
            return action("complete", type: "none", for: provider)
        }
        guard let login = removed else {
            return action("invalid", type: "none", for: provider)
        }
        if case .platformViewer = login.subject {
            return action("partner_logout", type: "partner_interactive", for: provider)
        }
        let query = FormFields.encoded([
            "requestor_id": call.serviceProvider.id.text, "mso_id": provider.id.text,
            "session_index": login.sessionIndex, "redirect_url": redirect,
        ])
        return action(
            "logout", type: "interactive", for: provider, url: call.link("/adobe-services/logout?\(query)"))
    }

    /// Removes the caller's profile, and with an identity token also the profile that several devices share.
    ///
    /// - Returns: the login of a removed profile; `nil` when there was none.
    private static func forget(_ call: RESTv2Call, _ mvpdID: MVPDID) -> Login? {
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

    private static func action(
        _ name: MetadataValue, type: MetadataValue, for provider: SandboxWorld.Provider, url: String? = nil
    ) -> MetadataValue {
        .members([
            "actionName": name, "actionType": type, "mvpd": "\(provider.id)", "url": url.map { .string($0) },
        ])
    }
}
