import FlyingFox
import Foundation
import TVEModels

/// The routes that start a login in the viewer's browser and receive the provider's answer.
enum LoginRoutes {
    /// Redirects the browser to the provider, for `authenticate/saml`.
    static func authenticate(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        guard let redirect = RedirectURL.checked(request.query["redirect_url"]) else {
            return Page.failure("The redirect_url is missing or is not a URL.")
        }
        guard let requestorID = request.query["requestor_id"].map(RequestorID.init), state.requestor(requestorID) != nil
        else {
            return Page.failure("The requestor is unknown.")
        }
        let text = request.query["reg_code"]?.uppercased()
        if text == nil, state.world.behavior.requiresRegistrationCode { return .status(451) }
        if let text {
            guard state.code(text)?.requestorID == requestorID else {
                return Page.failure("The registration code is unknown or has expired.")
            }
        }
        // Without an integration the browser goes straight back to the app.
        guard let mvpdID = request.query["mso_id"].map(MVPDID.init),
            let provider = state.provider(mvpdID, of: requestorID)
        else {
            return .redirect(redirect)
        }
        let pending = PendingLogin(
            requestID: "_\(SandboxState.randomID())", requestorID: requestorID, mvpdID: mvpdID, registrationCode: text,
            redirectURL: redirect, genericData: genericData(request),
            expires: state.serviceTime.addingTimeInterval(TimeInterval(state.world.behavior.registrationCodeLifetime)))
        if provider.login == .none { return tempPass(state, pending, at: provider) }
        if state.isDegraded(provider, to: .authenticateAll) { return finish(state, pending, as: .anybody) }
        if request.query["passive"] == "true" { return passive(state, pending, from: request) }
        let relayState = SandboxState.randomID()
        state.withTables { tables, now in
            tables.pending.set(pending, relayState, until: pending.expires, at: now)
            if let text { tables.codes.change(text) { if !$0.isFinished { $0.outcome = .begun } } }
        }
        return SAMLMessages.toProvider(provider, requestID: pending.requestID, relayState: relayState)
            .settingCookie("JSESSIONID", SandboxState.randomID())
    }

    /// Receives the provider's answer and redirects the browser to the app, for `SAMLAssertionConsumer`.
    static func assertion(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        guard let response = request.form["SAMLResponse"] else { return .status(503) }
        // A relay state works only once, so a copied answer finds no login.
        guard let relayState = request.form["RelayState"],
            let pending = state.withTables({ $0.pending.remove(relayState, at: $1) })
        else { return Page.failure("This login is unknown, has expired, or is already finished.") }
        guard let answer = SAMLMessages.answer(response, state), answer.requestID.isSameBytes(as: pending.requestID),
            answer.mvpdID == pending.mvpdID
        else { return Page.failure("The TV provider's answer is not valid.") }
        guard let viewer = answer.viewer else {
            if let code = pending.registrationCode {
                state.withTables { tables, _ in
                    tables.codes.change(code) { record in
                        guard !record.isFinished else { return }
                        record.outcome = .cancelled
                        // The viewer may have chosen the wrong provider, and chooses again with the same code.
                        guard record.session?.chosenOnPage == pending.mvpdID else { return }
                        record.session?.chosenOnPage = nil
                        record.mvpdID = nil
                    }
                }
            }
            // The sandbox's own last page says that the login was cancelled. An app finds out by itself.
            let isOwn = pending.redirectURL.isSameBytes(as: "\(request.base)/activate/done")
            return .redirect(isOwn ? "\(request.base)/activate/cancelled" : pending.redirectURL)
        }
        return finish(state, pending, as: .viewer(viewer))
    }

    /// Finishes the login of a TempPass, which has no login page.
    ///
    /// The identity of the device or of the viewer decides how long the pass still lasts (wire protocol, TempPass).
    private static func tempPass(
        _ state: SandboxState, _ pending: PendingLogin, at provider: SandboxWorld.Provider
    ) -> HTTPResponse {
        let code = pending.registrationCode.flatMap(state.code)
        guard
            let holder = Trials.holder(
                of: provider, deviceID: code?.deviceID ?? SandboxState.randomID(), data: pending.genericData, in: state)
        else { return .redirect(pending.redirectURL) }
        return finish(state, pending, as: .tempPass(holder))
    }

    /// Finishes a passive login, which succeeds only when this browser already has a session with the provider.
    private static func passive(
        _ state: SandboxState, _ pending: PendingLogin, from request: SandboxRequest
    ) -> HTTPResponse {
        let known = request.cookie("JSESSIONID").flatMap { cookie in
            state.find { tables, now in
                tables.browsers.entry(cookie, at: now).flatMap { tables.login($0, now) }
            }
        }
        guard let known, known.mvpdID == pending.mvpdID else {
            return .redirect(pending.redirectURL)
        }
        return finish(state, pending, as: known.subject)
    }

    private static func genericData(_ request: SandboxRequest) -> [String: MetadataValue] {
        let text = request.query["generic_data"] ?? "{}"
        return (try? UntrustedJSON.read([String: MetadataValue].self, from: text, .small)) ?? [:]
    }

    /// Logs a viewer in.
    static func logIn(
        _ state: SandboxState, _ subject: Login.Subject, requestorID: RequestorID, mvpdID: MVPDID
    ) -> Login {
        let login = newLogin(state, subject, requestorID: requestorID, mvpdID: mvpdID)
        state.withTables { $0.keep(login, at: $1) }
        return login
    }

    private static func newLogin(
        _ state: SandboxState, _ subject: Login.Subject, requestorID: RequestorID, mvpdID: MVPDID
    ) -> Login {
        let sessionIndex = Data(SandboxState.randomID().utf8).base64EncodedString()
        let hasName = if case .tempPass = subject { false } else { true }
        let isAnybody = if case .anybody = subject { true } else { false }
        var login = Login(
            sessionIndex: sessionIndex,
            // A TempPass has no name of its own (wire protocol, AuthN token table).
            nameID: hasName ? Data(SandboxState.randomID().utf8).base64EncodedString() : sessionIndex,
            // Every login of a degraded provider has this GUID (same table).
            guid: isAnybody ? "d35b501e0385360feccc755c59f5767b46c54c7d" : SandboxState.randomID(),
            subject: subject, requestorID: requestorID, mvpdID: mvpdID,
            expires: state.now.addingTimeInterval(TimeInterval(state.world.behavior.authenticationLifetime)))
        login.began = state.now
        return login
    }

    /// Logs the viewer of a browser in, and redirects the browser to the app.
    ///
    /// Two browsers may finish the same code in the same instant. The tables are locked from the question whether a
    /// login was made with the code until the answer is stored, so a strict sandbox lets one of them in.
    private static func finish(
        _ state: SandboxState, _ pending: PendingLogin, as subject: Login.Subject
    ) -> HTTPResponse {
        var login = newLogin(state, subject, requestorID: pending.requestorID, mvpdID: pending.mvpdID)
        let browser = SandboxState.randomID()
        let isStrict = state.world.behavior.isStrict
        let problem = state.withTables { tables, now -> String? in
            let code = pending.registrationCode.flatMap { tables.codes.entry($0, at: now) }
            if isStrict, pending.registrationCode != nil, code == nil {
                return "The registration code is unknown or has expired."
            }
            if isStrict, let code, code.session != nil, code.isFinished {
                return "A login was made with this code already."
            }
            login.deviceID = code?.deviceID
            tables.keep(login, at: now)
            tables.browsers.set(login.sessionIndex, browser, until: login.expires, at: now)
            guard let code else { return nil }
            if let session = code.session {
                tables.keep(login, of: session.owner, shared: session.identities, at: now)
            }
            tables.codes.change(code.code) { record in
                record.outcome = .loggedIn(login.sessionIndex)
                // The login was cancelled in another window, which removed the provider from the code.
                if record.session != nil { record.mvpdID = record.mvpdID ?? login.mvpdID }
            }
            return nil
        }
        if let problem { return Page.failure(problem) }
        state.scenario.addProfile(beside: login, state, code: pending.registrationCode)
        return .redirect(pending.redirectURL).settingCookie("JSESSIONID", browser)
    }
}
