import Crypto
import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// The viewer's logins: reads, judges and changes them, and knows the logouts that the service has not received.
///
/// This type alone knows whether the service keeps the logins itself, so that the stored ones are copies (REST API v2),
/// or the device has the only ones. Whoever needs a login asks here; whoever changes one does so in one transaction.
final class Logins {
    let parts: SessionParts
    let providers: Providers
    let readiness: Readiness
    let reports: Reports
    /// How often this device has decided who is logged in: an answer to an earlier question must not undo that.
    var decisions = 0
    /// Whether a login is under way, which decides by itself who is logged in.
    var isLoginUnderWay = false
    /// Whether a logout is under way: the same.
    var isLogoutUnderWay = false
    /// Whether a logout's page was left open when a login began, so that its redirect may come while the login waits for
    /// its own.
    var hasOpenLogoutPage = false
    var permits = PermitMemory()
    let pendingChoice = PendingChoice()
    /// The logins whose end was reported, by provider.
    private var noticedEnds: [MVPDID: TokenText] = [:]

    init(_ parts: SessionParts, _ providers: Providers, _ readiness: Readiness, _ reports: Reports) {
        self.parts = parts
        self.providers = providers
        self.readiness = readiness
        self.reports = reports
    }

    var requestorID: RequestorID { parts.requestorID }

    /// Whether the service keeps the logins, so that the stored ones are copies.
    var areCopies: Bool { parts.services.first?.keepsLogins == true }

    // MARK: - Who is logged in

    /// The valid AuthN token, nil when the viewer is not logged in.
    func valid() throws(TVEError) -> AuthenticationToken? {
        try readiness.check()
        let choice = try choice()
        if let chosen = choice.mvpdID, let token = try usable(with: chosen) { return token }
        return try shared(choice).map(noticed)
    }

    /// The valid login with one provider, whichever is chosen; with nil that of the viewer's choice.
    ///
    /// Where the service does not keep the logins, only the login of the viewer's choice counts.
    func valid(with mvpdID: MVPDID?) throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID, areCopies else {
            let login = try valid()
            return mvpdID == nil || login?.claims.providerID == mvpdID ? login : nil
        }
        try readiness.check()
        return try usable(with: mvpdID)
    }

    /// The valid login, nil also where it cannot be read.
    var readable: AuthenticationToken? { (try? valid()) ?? nil }

    private func usable(with mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        guard providers.mayWork(with: mvpdID), let token = try stored(with: mvpdID), isValid(token),
            try isAllowed(token)
        else { return nil }
        return noticed(token)
    }

    /// Whether the login may be used: not a platform login with a provider whose platform sign-on was switched off
    /// since (row CA5).
    private func isAllowed(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        guard providers.provider(token.claims.providerID)?.allowsPlatformSignOn == false else { return true }
        return try !isFromPlatform(token)
    }

    /// The provider that the viewer chose last.
    func chosenProvider() throws(TVEError) -> MVPDID? { try choice().mvpdID }

    private func choice() throws(TVEError) -> ProviderChoice {
        try read { try $0.providerChoice(of: requestorID) }
    }

    /// Why ``valid()`` found nothing.
    func whyNobody() throws(TVEError) -> TVEError {
        // The choice of a TempPass stays stored after its token, so a missing token has expired (rows CA9 and TP5).
        let chosen = try chosenProvider()
        let stored = try stored(with: chosen)
        if stored?.claims.kind == .tempPass || chosen.flatMap(providers.provider)?.isTempPass == true {
            return .tempPassExpired
        }
        let problem: LoginProblem = stored == nil ? .missing : .expired
        return TVEError(
            .notAuthenticated, status: .notAuthenticated, message: "Nobody is logged in.", underlying: problem)
    }

    /// A provider's AuthN token, whether still valid or not; nil for no provider.
    func stored(with mvpdID: MVPDID?) throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID else { return nil }
        let stored = try readIfReadable { try $0.authenticationToken(requestorID: requestorID, mvpdID: mvpdID) }
        return stored.flatMap { isOfThisDialect($0) ? $0 : nil }
    }

    /// Whether the services can use a login; after a change of dialect, the store holds logins of the other dialect.
    private func isOfThisDialect(_ token: AuthenticationToken) -> Bool {
        parts.services.first?.recognizes(token) ?? true
    }

    /// A login of another requestor in the same store, with a provider that both work with.
    ///
    /// Not with a provider that authenticates per requestor, not when this requestor's viewer chose another provider,
    /// and not when the viewer cancelled that choice (API reference, rows T-14, T-17, T-18, T-29).
    private func shared(_ choice: ProviderChoice) throws(TVEError) -> AuthenticationToken? {
        guard let configuration = providers.loaded?.merged else { return nil }
        let candidates = configuration.requestor.providers.filter { provider in
            !provider.authenticatesPerRequestor && !provider.isTempPass && choice.allows(provider.id)
        }
        return try read {
            try $0.sharedAuthenticationTokens(with: requestorID, mvpdIDs: candidates.map(\.id)).first(where: isValid)
        }
    }

    /// The login with the chosen provider whose copy has expired, or vanished without a logout; nil when there was none.
    ///
    /// While a provider is degraded so that it permits everything, the service needs no login (REST API v2, 5.9), so it is
    /// asked once.
    func unconfirmed() throws(TVEError) -> AuthenticationToken? {
        guard areCopies, let mvpdID = try chosenProvider(), providers.mayWork(with: mvpdID),
            try !isKnownTempPass(mvpdID), try !unfinishedLogouts().concerns(mvpdID)
        else { return nil }
        if let stored = try stored(with: mvpdID) {
            return parts.device.binding(of: stored.claims.fingerprint) == .mine ? stored : nil
        }
        guard try read({ try $0.canAuthenticate(requestorID: requestorID, mvpdID: mvpdID) }) else { return nil }
        return .unknown(requestorID, mvpdID, fingerprint: parts.device.fingerprint.hexadecimal)
    }

    /// Whether a token is bound to this device and has not expired.
    func isValid(_ token: AuthenticationToken) -> Bool {
        isOfThisDialect(token) && parts.device.binding(of: token.claims.fingerprint) == .mine
            && !token.isExpired(at: parts.clock.now())
    }

    /// Whether a login came from the platform's sign-on.
    func isFromPlatform(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        try read { try $0.isFromPlatform(requestorID: token.claims.requestorID, mvpdID: token.claims.providerID) }
    }

    /// Whether a provider is a TempPass, by what is known of it or by the login that it gave.
    func isKnownTempPass(_ mvpdID: MVPDID) throws(TVEError) -> Bool {
        if let provider = providers.provider(mvpdID) { return provider.isTempPass }
        return try stored(with: mvpdID)?.claims.kind == .tempPass
    }

    /// A login without an account: a TempPass or a degraded provider's.
    func isWithoutAccount(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || providers.isTempPass(login)
    }

    // MARK: - The viewer behind a login

    func profile(of token: AuthenticationToken) -> Profile {
        // A TempPass identifies only the device (row TP6).
        let id = providers.isTempPass(token) ? parts.device.deviceID : token.claims.authenticationGUID
        return Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: Self.trackingID(id), kind: kind(of: token),
            issuer: token.claims.issuer)
    }

    func kind(of token: AuthenticationToken) -> Profile.Kind {
        if let kind = token.claims.kind { return kind }
        if token.claims.isDegraded { return .degraded }
        if providers.isTempPass(token) { return .tempPass }
        // With a provider that takes no part in it, a platform's login does not count (row CA5): a status check reads one
        // value less.
        guard providers.provider(token.claims.providerID)?.allowsPlatformSignOn != false else { return .regular }
        return (try? isFromPlatform(token)) == true ? .apple : .regular
    }

    /// MD5 of the login's GUID: what tracking reports instead of an id of the viewer (wire protocol, tracking).
    static func trackingID(_ guid: String) -> String { Insecure.MD5.hash(data: Data(guid.utf8)).hexadecimal }

    /// Reports once that a login ends soon, when a call looks at it: no timer runs for it.
    private func noticed(_ login: AuthenticationToken) -> AuthenticationToken {
        let rest = login.claims.expires.date.timeIntervalSince(parts.clock.now())
        // The login of a degraded provider lasts a minute, and there is always another one.
        guard rest < EntitlementSession.noticeOfLoginEnd / .seconds(1), !login.claims.isDegraded,
            noticedEnds.updateValue(login.text, forKey: login.claims.providerID) != login.text
        else { return login }
        reports.emit(.loginEndsSoon(profile(of: login)))
        return login
    }
}

/// Something under way about logins that a login which begins must not meet: a question to the service, a logout's page.
protocol GivesWay: AnyObject {
    /// Ends soon, and returns when the login may begin or its task is cancelled.
    func giveWay(on actor: isolated any Actor) async
}
