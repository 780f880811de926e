import Crypto
import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Says whether the viewer is logged in, from storage alone.
    ///
    /// A service that keeps the logins is asked afterwards, and a different answer comes as an event.
    ///
    /// Logged in means: a token of the current provider that has not expired, is bound to this device, and whose
    /// provider is still in the configuration, if one was loaded (API reference, rows CA1 to CA9).
    ///
    /// - Returns: the viewer's profile, or why there is none, or why nobody can tell.
    public func authenticationStatus() -> AuthenticationStatus {
        defer { refreshInBackground() }
        do throws(TVEError) {
            guard let token = try validLogin() else { throw try notAuthenticatedError() }
            return announcedLogin(token, isCached: true)
        } catch {
            // The platform's status at the start explains why it did not help (rows CA6 to CA8).
            if error.code == .notAuthenticated, let note = platformFlow.note { listeners.emit(.status(note)) }
            return announcedFailure(error)
        }
    }

    // MARK: - Who is logged in

    /// The valid AuthN token, nil when the viewer is not logged in.
    func validLogin() throws(TVEError) -> AuthenticationToken? {
        try checkIsStarted()
        let choice = try providerChoice()
        if let chosen = choice.mvpdID, let token = try usableLogin(with: chosen) { return token }
        return try sharedLogin(choice).map(noticed)
    }

    /// The valid login with one provider, whichever is chosen; with nil that of the viewer's choice.
    ///
    /// Where the service does not keep the logins, only the login of the viewer's choice counts.
    func validLogin(of mvpdID: MVPDID?) throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID, keepsCopies else {
            let login = try validLogin()
            return mvpdID == nil || login?.claims.providerID == mvpdID ? login : nil
        }
        try checkIsStarted()
        return try usableLogin(with: mvpdID)
    }

    private func usableLogin(with mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        guard mayWork(with: mvpdID), let token = try storedLogin(with: mvpdID), isValid(token), try isAllowed(token)
        else { return nil }
        return noticed(token)
    }

    /// Whether the login may be used: not a platform login with a provider whose platform sign-on was switched off
    /// since (row CA5).
    private func isAllowed(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        guard provider(token.claims.providerID)?.allowsPlatformSignOn == false else { return true }
        return try !isFromPlatform(token)
    }

    /// The provider that the viewer chose last.
    func currentProvider() throws(TVEError) -> MVPDID? { try providerChoice().mvpdID }

    private func providerChoice() throws(TVEError) -> ProviderChoice {
        try read { try $0.providerChoice(of: requestorID) }
    }

    /// Why ``validLogin()`` found nothing.
    func notAuthenticatedError() throws(TVEError) -> TVEError {
        // The choice of a TempPass stays stored after its token, so a missing token has expired (rows CA9 and TP5).
        let chosen = try currentProvider()
        let stored = try storedLogin(with: chosen)
        if stored?.claims.kind == .tempPass || chosen.flatMap(provider)?.isTempPass == true { return .tempPassExpired }
        let problem: LoginProblem = stored == nil ? .missing : .expired
        return TVEError(
            .notAuthenticated, status: .notAuthenticated, message: "Nobody is logged in.", underlying: problem)
    }

    /// A provider's AuthN token, whether still valid or not; nil for no provider.
    func storedLogin(with mvpdID: MVPDID?) throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID else { return nil }
        let stored = try readIfReadable { try $0.authenticationToken(requestorID: requestorID, mvpdID: mvpdID) }
        return stored.flatMap { isOfThisDialect($0) ? $0 : nil }
    }

    /// Whether the services can use a login; after a change of dialect, the store holds logins of the other dialect.
    func isOfThisDialect(_ token: AuthenticationToken) -> Bool {
        services.first?.recognizes(token) ?? true
    }

    /// A login of another requestor in the same store, with a provider that both work with.
    ///
    /// Not with a provider that authenticates per requestor, not when this requestor's viewer chose another provider,
    /// and not when the viewer cancelled that choice (API reference, rows T-14, T-17, T-18, T-29).
    private func sharedLogin(_ choice: ProviderChoice) throws(TVEError) -> AuthenticationToken? {
        guard let configuration = loaded?.merged else { return nil }
        let providers = configuration.requestor.providers.filter { provider in
            !provider.authenticatesPerRequestor && !provider.isTempPass && choice.allows(provider.id)
        }
        return try read {
            try $0.sharedAuthenticationTokens(with: requestorID, mvpdIDs: providers.map(\.id)).first(where: isValid)
        }
    }

    /// Whether a token is bound to this device and has not expired.
    func isValid(_ token: AuthenticationToken) -> Bool {
        isOfThisDialect(token) && device.binding(of: token.claims.fingerprint) == .mine
            && !token.isExpired(at: clock.now())
    }

    /// Whether a login came from the platform's sign-on.
    func isFromPlatform(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        try read { try $0.isFromPlatform(requestorID: token.claims.requestorID, mvpdID: token.claims.providerID) }
    }

    // MARK: - Announcing

    /// How long before its end a login is reported with ``SessionEvent/loginEndsSoon(_:)``: a day.
    public static let noticeOfLoginEnd = Duration.seconds(86_400)

    /// Reports once that a login ends soon, when a call looks at it: no timer runs for it.
    private func noticed(_ login: AuthenticationToken) -> AuthenticationToken {
        let rest = login.claims.expires.date.timeIntervalSince(clock.now())
        // The login of a degraded provider lasts a minute, and there is always another one.
        guard rest < Self.noticeOfLoginEnd / .seconds(1), !login.claims.isDegraded,
            loginFlow.noticedEnds.updateValue(login.text, forKey: login.claims.providerID) != login.text
        else { return login }
        listeners.emit(.loginEndsSoon(profile(of: login)))
        return login
    }

    @discardableResult
    func announced(_ status: AuthenticationStatus) -> AuthenticationStatus {
        listeners.emit(.authentication(status))
        return status
    }

    @discardableResult
    func announcedLogin(_ token: AuthenticationToken, isCached: Bool) -> AuthenticationStatus {
        let profile = profile(of: token)
        track(.authentication(TrackedLogin(profile, isCached: isCached)))
        return announced(.authenticated(profile))
    }

    /// Reports a failed question or login: status code, tracking, answer.
    @discardableResult
    func announcedFailure(_ error: TVEError) -> AuthenticationStatus {
        _ = reported(error)
        let status = AuthenticationStatus(error)
        // Analytics have no word for "nobody can tell", and "not logged in" would be false.
        if case .notAuthenticated = status { track(.authentication(nil)) }
        return announced(status)
    }
}

/// The viewer behind a login.
extension EntitlementSession {
    func profile(of token: AuthenticationToken) -> Profile {
        // A TempPass identifies only the device (row TP6).
        let id = isTempPass(token) ? device.deviceID : token.claims.authenticationGUID
        return Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: Self.trackingID(id), kind: kind(of: token))
    }

    func kind(of token: AuthenticationToken) -> Profile.Kind {
        if let kind = token.claims.kind { return kind }
        if token.claims.isDegraded { return .degraded }
        if isTempPass(token) { return .tempPass }
        // With a provider that takes no part in it, a platform's login does not count (row CA5): a status check reads one
        // value less.
        guard provider(token.claims.providerID)?.allowsPlatformSignOn != false else { return .regular }
        return (try? isFromPlatform(token)) == true ? .apple : .regular
    }

    /// MD5 of the login's GUID: what tracking reports instead of an id of the viewer (wire protocol, tracking).
    package static func trackingID(_ guid: String) -> String {
        Insecure.MD5.hash(data: Data(guid.utf8)).hexadecimal
    }
}

extension TrackedLogin {
    init(_ profile: Profile, isCached: Bool) {
        self.init(mvpdID: profile.mvpdID, trackingID: profile.trackingID, isCached: isCached)
    }
}
