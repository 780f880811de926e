import FlyingFox
import Foundation
import TVEModels

/// Authentication sessions, which begin on one screen and are finished on the same or another one (REST API v2, 5.2 to
/// 5.5).
enum AuthenticationSessions {
    static func create(_ call: RESTv2Call) throws(SandboxRefusal) -> HTTPResponse {
        let parameters = try Parameters(call)
        if let provider = parameters.provider,
            let reason = reasonToSkip(provider, SandboxProfile.find(provider, call), in: call.state)
        {
            return .json(SessionAnswer.authorize(call, provider.id, reason: reason))
        }
        return .json(answer(open(parameters, call), call, whenMissing: "resume"))
    }

    static func resume(_ call: RESTv2Call, code: String) throws(SandboxRefusal) -> HTTPResponse {
        let record = try find(call, code)
        let next = try supply(to: record, in: call.state) { () throws(SandboxRefusal) in try Parameters(call) }
        if let mvpdID = next.record.mvpdID, let reason = next.reasonToSkip {
            return .json(SessionAnswer.authorize(call, mvpdID, reason: reason))
        }
        return .json(answer(next.record, call, whenMissing: "retry"))
    }

    /// Adds parameters to a session, for an application or for the page of the second screen.
    ///
    /// - Returns: the session, and the reason for which it needs no login; `nil` when it needs one.
    static func supply(
        to record: RegistrationCode, in state: SandboxState, _ parameters: () throws(SandboxRefusal) -> Parameters
    ) throws(SandboxRefusal) -> (record: RegistrationCode, reasonToSkip: String?) {
        // A finished login can no longer be changed.
        guard !record.isFinished else { throw usedTwice.refusal }
        guard let session = record.session else { throw .enhanced("invalid_authentication_session") }
        let parameters = try parameters()
        let changed = state.withTables { tables, now in
            tables.codes.change(record.code) { record in
                guard !record.isFinished else { return }
                if let provider = parameters.provider {
                    record.mvpdID = provider.id
                    record.session?.chosenOnPage = parameters.isChosenOnPage ? provider.id : nil
                }
                if let domainName = parameters.domainName { record.session?.domainName = domainName }
                if let redirectURL = parameters.redirectURL { record.session?.redirectURL = redirectURL }
            }
            return tables.codes.entry(record.code, at: now)
        }
        // Another request may have replaced the code, or finished its login, in the meantime.
        guard let changed else { throw .enhanced("invalid_authentication_session") }
        guard !changed.isFinished else { throw usedTwice.refusal }
        let provider = changed.mvpdID.flatMap { state.provider($0, of: changed.requestorID) }
        let reason = provider.flatMap { reasonToSkip($0, SandboxProfile.find($0, for: session, in: state), in: state) }
        return (changed, reason)
    }

    private static let usedTwice = Objection(
        "A login was made with this code already.", "invalid_authentication_session")

    static func inspect(_ call: RESTv2Call, code: String) throws(SandboxRefusal) -> HTTPResponse {
        let record = try find(call, code)
        return .json(record.sessionState(usesOtherSpelling: call.state.world.behavior.restV2.usesOtherSpelling))
    }

    /// Redirects a browser to the provider, for `GET /api/v2/authenticate/…`.
    static func authenticate(
        _ state: SandboxState, _ request: SandboxRequest, serviceProvider: RequestorID, code: String
    ) -> HTTPResponse {
        let record = state.code(code.uppercased())
        guard let record, record.requestorID == serviceProvider, let session = record.session else {
            return Page.failure("The code is unknown or has expired.")
        }
        guard let mvpdID = record.mvpdID, let redirect = session.redirectURL else {
            return Page.failure("The TV provider or the redirect URL of this login is still missing.")
        }
        if state.world.behavior.isStrict {
            if record.isFinished {
                return Page.failure(usedTwice.sentence).objecting(usedTwice.sentence)
            }
            guard record.missingParameters.isEmpty else {
                let sentence = "The domain name of this login is still missing."
                return Page.failure(sentence).objecting(sentence)
            }
        }
        let end = state.world.behavior.restV2.appendsToRedirect ? appended(redirect) : redirect
        let query = FormFields.encoded([
            "noflash": "true", "mso_id": mvpdID.text, "requestor_id": serviceProvider.text, "no_iframe": "false",
            "domain_name": session.domainName ?? "", "redirect_url": end, "reg_code": record.code,
        ])
        return .redirect("/adobe-services/authenticate/saml?\(query)")
    }

    /// Returns a redirect URL with additional query items, which a client must ignore.
    private static func appended(_ redirect: String) -> String {
        redirect + (redirect.containsBytes(of: "?") ? "&" : "?") + "state=0&code=junk"
    }

    // MARK: - Codes

    /// Returns the code of a session.
    ///
    /// The codes of other service providers and of the classic dialect are refused like unknown codes.
    static func find(_ call: RESTv2Call, _ code: String) throws(SandboxRefusal) -> RegistrationCode {
        guard code.wholeMatch(of: /[A-Za-z0-9]{1,36}/) != nil else { throw .enhanced("invalid_parameter_code") }
        guard let record = call.state.code(code.uppercased()), record.session != nil,
            record.requestorID == call.serviceProvider.id
        else { throw .enhanced("invalid_authentication_session") }
        return record
    }

    /// Creates a code, which invalidates the previous code of the same owner.
    static func open(_ parameters: Parameters, _ call: RESTv2Call) -> RegistrationCode {
        let owner = call.owner
        let lifetime = TimeInterval(call.state.world.behavior.registrationCodeLifetime)
        call.state.noteClock()
        return call.state.withTables { tables, now in
            if let old = tables.newestCodes.entry(owner.key, at: now) { _ = tables.codes.remove(old, at: now) }
            let session = AuthenticationSessionRecord(
                owner: owner, identities: call.identities, domainName: parameters.domainName,
                redirectURL: parameters.redirectURL)
            let record = RegistrationCode(
                code: tables.unusedCode(at: now), id: UUID().uuidString.lowercased(),
                requestorID: owner.serviceProvider, mvpdID: parameters.provider?.id, deviceID: owner.deviceID,
                deviceInfo: call.request.header("X-Device-Info") ?? "",
                userAgent: call.request.header("User-Agent") ?? "", generated: now,
                expires: now.addingTimeInterval(lifetime), session: session)
            tables.codes.set(record, record.code, until: record.expires, at: now)
            tables.newestCodes.set(record.code, owner.key, until: record.expires, at: now)
            return record
        }
    }

    static func answer(_ record: RegistrationCode, _ call: RESTv2Call, whenMissing: String) -> SessionAnswer {
        var answer = SessionAnswer(record, call)
        if let missing = answer.missingParameters {
            answer.actionName = whenMissing
            answer.actionType = "direct"
            answer.url = call.link("/api/v2/\(record.requestorID.text.escapedForPath)/sessions/\(record.code)")
            if call.state.world.behavior.restV2.usesOtherSpelling {
                answer.missingParameters = missing.map { $0 == "domainName" ? "domain" : $0 }
            }
        }
        return answer
    }

    /// Returns the reason for which a session needs no login; `nil` when it needs one.
    static func reasonToSkip(
        _ provider: SandboxWorld.Provider, _ profile: SandboxProfile?, in state: SandboxState
    ) -> String? {
        if provider.login == .none { return "temporary" }
        if state.isDegraded(provider, to: .authenticateAll) { return "degraded" }
        guard let profile else { return nil }
        return profile.type == "regular" ? "authenticated" : "authenticatedSSO"
    }

    /// The parameters that a client sends for a login, all of which are optional.
    struct Parameters {
        var provider: SandboxWorld.Provider?
        /// A Boolean value that indicates whether the viewer chose the provider on the page for codes.
        var isChosenOnPage = false
        var domainName: String?
        var redirectURL: String?

        init() {}

        /// Reads the parameters of a request.
        ///
        /// - Parameters:
        ///   - call: the request.
        ///   - namesProvider: a Boolean value that indicates whether the form names the provider. Otherwise the status
        ///     of the platform names it.
        init(_ call: RESTv2Call, namesProvider: Bool = true) throws(SandboxRefusal) {
            let form = call.request.form
            if namesProvider, let mvpd = form["mvpd"] { provider = try call.provider(MVPDID(mvpd)) }
            // The documents do not define an invalid domain, so an empty one is treated as missing.
            domainName = form["domainName"].flatMap { $0.isEmpty ? nil : $0 }
            guard let redirect = form["redirectUrl"] else { return }
            guard let checked = RedirectURL.checked(redirect) else { throw .enhanced("invalid_parameter_redirect_url") }
            try call.check(checked)
            redirectURL = checked
        }
    }
}
