import Crypto
import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// The viewer's logins: reads, validates and changes them, and manages the logouts that the service has not received
/// yet.
///
/// Only this type knows whether the service keeps the logins, so that the stored ones are copies (REST API v2), or the
/// device has the only ones. All flows read logins here and change each one in a single transaction.
///
/// An answer of the service may be older than what has happened since its request. Three values decide whether it is
/// still used:
///
/// * ``decisions`` counts the decisions of this device. After another decision, an answer about who is logged in is
///   ignored.
/// * ``logouts`` counts the logouts of this device by provider. After another logout, an answer about a login with its
///   provider is ignored.
/// * The pending logouts are stored, so they include those of other processes. A login that they concern is ignored.
final class Logins {
    let providers: Providers
    let readiness: Readiness
    let reports: Reports
    /// The number of decisions of this device about who is logged in.
    ///
    /// An answer to an earlier request must not undo a decision.
    private(set) var decisions = 0 {
        didSet { permits = [:] }
    }
    /// The numbers of logouts of this device by provider, with `nil` for those of every login.
    ///
    /// An answer to an earlier request must not bring a login back.
    private(set) var logouts: [MVPDID?: Int] = [:]
    /// A Boolean value that indicates whether a login is running, which itself decides who is logged in.
    private(set) var isLoginUnderWay = false
    /// A Boolean value that indicates whether a logout is running, which itself decides who is logged in.
    private(set) var isLogoutUnderWay = false
    /// A Boolean value that indicates whether the service may be asked who is logged in.
    ///
    /// During a login or a logout it may not, because they decide that themselves.
    var mayBeRefreshed: Bool { readiness.isUsable && !isLoginUnderWay && !isLogoutUnderWay }
    /// A Boolean value that indicates whether a logout's page was left open when a login began.
    ///
    /// Its redirect may then arrive while the login waits for its own. The value is set by a logout that ends before a
    /// login, and by a login that shows a logout page first, if the page outlasts its time limit. It is reset when the
    /// next login clears, and after the first redirect that is not taken for the login's own.
    private(set) var hasOpenLogoutPage = false
    /// The logout pages of logins that have ended, as far as no browser has opened them yet, with the most recent one
    /// last.
    ///
    /// The service names such a page once, in its answer to the logout. The viewer's session at the provider may last
    /// until the page has opened.
    private(set) var unopenedLogoutPages: [UnopenedLogoutPage] = []
    /// The resources that preauthorizations have permitted to a login since the last decision.
    ///
    /// Denials are not remembered. When the permits become too many, the earlier ones are forgotten.
    private(set) var permits: [AuthenticationToken: Set<Resource>] = [:]
    /// The number of times that the service has denied a play, which an earlier permit must not undo.
    private(set) var denials = 0
    let pendingChoice = PendingChoice()
    /// The logins from the service whose copies could not be stored, by provider.
    ///
    /// They do not count as logged out because their copies are missing.
    private(set) var unsaved: [MVPDID: TokenText] = [:]
    /// The tracking id of the viewer whose login was read last, because every status and every play reports it.
    private lazy var trackingIDs = LastRead<String>()
    /// The logins whose approaching end was reported, by provider.
    private var noticedEnds: [MVPDID: TokenText] = [:]

    init(_ providers: Providers, readiness: Readiness, reports: Reports) {
        self.providers = providers
        self.readiness = readiness
        self.reports = reports
    }

    var parts: SessionParts { providers.parts }

    var requestorID: RequestorID { parts.requestorID }

    // MARK: - What this device remembers

    /// Counts a decision of this device, even one for which there is nothing to store.
    func decided() { decisions += 1 }

    /// Counts a logout of one provider, or of every login if the provider is `nil`.
    func loggedOut(of mvpdID: MVPDID?) { logouts[mvpdID, default: 0] += 1 }

    func record(isLoginUnderWay isUnderWay: Bool) { isLoginUnderWay = isUnderWay }

    func record(isLogoutUnderWay isUnderWay: Bool) { isLogoutUnderWay = isUnderWay }

    func record(hasOpenLogoutPage isOpen: Bool) { hasOpenLogoutPage = isOpen }

    /// Records the page that ends an earlier login at the provider, and the pages of the other logins that ended with
    /// it, until they have opened or a new login is stored.
    ///
    /// A device whose viewers log in on a second screen opens no page.
    func record(logoutPage page: LogoutPage, of mvpdID: MVPDID) {
        guard parts.loginStyle == .browser else { return }
        for (other, page) in page.others { record(logoutPage: page, of: other) }
        forget(logoutPageOf: mvpdID)
        unopenedLogoutPages.append(UnopenedLogoutPage(mvpdID: mvpdID, page: page))
    }

    func forget(logoutPageOf mvpdID: MVPDID) { unopenedLogoutPages.removeAll { $0.mvpdID == mvpdID } }

    /// Records whether the copy of a login from the service could be stored.
    func record(_ login: AuthenticationToken, isSaved: Bool) {
        unsaved[login.claims.providerID] = isSaved ? nil : login.text
    }

    /// Records the resources that a preauthorization has permitted to a login.
    ///
    /// The permits of another login are forgotten. Those of this one are only requested again.
    ///
    /// - Parameter maximum: the number of permits above which the earlier ones are forgotten.
    func record(permitsOf new: some Collection<Resource>, for login: AuthenticationToken, maximum: Int) {
        let hasRoom = permits[login].map { $0.count + new.count <= maximum } ?? false
        if !hasRoom { permits = [:] }
        // The set is changed in place, because a copy at each answer would take longer and longer.
        permits[login, default: []].formUnion(new)
    }

    /// Forgets that a preauthorization has permitted a resource, because the service has denied it since.
    func forget(_ resource: Resource, _ login: AuthenticationToken) {
        denials += 1
        permits[login]?.remove(resource)
    }

    // MARK: - The kind of the service

    /// A Boolean value that indicates whether the service keeps the logins, so that the stored ones are copies.
    ///
    /// The files of this type alone read this value; flows call the methods that depend on it.
    var areCopies: Bool { parts.services.first?.keepsLogins == true }
    /// A Boolean value that indicates whether the stored logins are compared with those of the service.
    var areRefreshed: Bool { areCopies }

    // MARK: - Who is logged in

    /// Returns the valid AuthN token, or `nil` if the viewer is not logged in, and reports a login that ends soon.
    ///
    /// - Parameter mvpdID: the provider of the login, independently of the chosen provider. Passing `nil` selects the
    ///   login of the viewer's choice, which is the only valid one if the service does not keep the logins.
    func valid(with mvpdID: MVPDID? = nil) throws(TVEError) -> AuthenticationToken? {
        try readiness.check()
        if let mvpdID, areCopies { return try usable(with: mvpdID) }
        let choice = try choice()
        let chosen = try choice.mvpdID.flatMap(usable(with:))
        let login: AuthenticationToken? =
            if let chosen { chosen } else {
                try shared(choice) { !$0.authenticatesPerRequestor && !$0.isTempPass }.map(noticed)
            }
        return mvpdID == nil || login?.claims.providerID == mvpdID ? login : nil
    }

    /// Returns the valid AuthN token as soon as no choice of a provider is pending.
    func valid(on actor: isolated any Actor) async throws(TVEError) -> AuthenticationToken? {
        await pendingChoice.settled(on: actor)
        return try valid()
    }

    /// The valid login; `nil` if there is none or it cannot be read.
    var readable: AuthenticationToken? { try? valid() }

    /// Returns the valid login with one provider, or the login of the viewer's choice unless that choice is pending;
    /// `nil` if there is none or it cannot be read.
    func readable(with mvpdID: MVPDID?) -> AuthenticationToken? {
        mvpdID == nil && pendingChoice.isPending ? nil : try? valid(with: mvpdID)
    }

    private func usable(with mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        guard providers.mayWork(with: mvpdID), let token = try stored(with: mvpdID), isValid(token),
            try isAllowed(token)
        else { return nil }
        return noticed(token)
    }

    /// Returns a Boolean value that indicates whether a login may be used.
    ///
    /// A platform login may not be used if the provider's platform sign-on has been switched off since (row CA5).
    private func isAllowed(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        // Few logins came from the platform, and looking up the provider may mean reading it from the store.
        guard try isFromPlatform(token) else { return true }
        return providers.provider(token.claims.providerID)?.allowsPlatformSignOn != false
    }

    /// Returns the provider that the viewer chose last.
    func chosenProvider() throws(TVEError) -> MVPDID? { try choice().mvpdID }

    /// Returns the viewer's last choice of a provider, which may be no choice or a cancelled one.
    func choice() throws(TVEError) -> ProviderChoice {
        try read { try $0.providerChoice(of: requestorID) }
    }

    /// Returns the error that explains why ``valid(with:)`` returned no login.
    func errorForMissingLogin() throws(TVEError) -> TVEError {
        // The choice of a TempPass stays stored after its token, so a missing token has expired (rows CA9 and TP5).
        let chosen = try chosenProvider()
        let stored = try stored(with: chosen)
        // The login may name its kind although the configuration does not say that the provider is a TempPass.
        if stored?.claims.kind == .tempPass || chosen.flatMap(providers.provider)?.isTempPass == true {
            return .tempPassExpired
        }
        let problem: LoginProblem = stored == nil ? .missing : .expired
        return TVEError(
            .notAuthenticated, status: .notAuthenticated,
            message: problem == .expired ? "The login has expired." : "Nobody is logged in.", underlying: problem)
    }

    /// Returns a provider's AuthN token, whether it is still valid or not.
    ///
    /// Without a provider the result is `nil`.
    func stored(with mvpdID: MVPDID?) throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID else { return nil }
        let stored = try readIfReadable { try $0.authenticationToken(requestorID: requestorID, mvpdID: mvpdID) }
        return stored.flatMap { isOfThisDialect($0) ? $0 : nil }
    }

    /// Returns a Boolean value that indicates whether the services can use a login.
    ///
    /// After a change of dialect, the store contains logins of the other dialect.
    private func isOfThisDialect(_ token: AuthenticationToken) -> Bool {
        parts.services.first?.recognizes(token) ?? true
    }

    /// Returns a valid login of another requestor in the same store, with a provider that both requestors work with.
    ///
    /// A login with a provider that authenticates per requestor is not shared, but it can make this requestor's login
    /// silent. Neither happens if this requestor's viewer chose another provider or cancelled that choice (API
    /// reference, rows T-14, T-17, T-18, T-29).
    ///
    /// - Parameters:
    ///   - choice: the choice of this requestor's viewer.
    ///   - isWanted: returns a Boolean value that indicates whether the caller can use a login with this provider.
    func shared(
        _ choice: ProviderChoice, where isWanted: (TVProvider) -> Bool
    ) throws(TVEError) -> AuthenticationToken? {
        guard let listed = providers.listed() else { return nil }
        let candidates = listed.filter { isWanted($0) && choice.allows($0.id) }
        return try read {
            try $0.sharedAuthenticationTokens(with: requestorID, mvpdIDs: candidates.map(\.id)).first(where: isValid)
        }
    }

    /// Returns the login with the chosen provider if its copy has expired, or was removed without a logout; `nil` if
    /// there was none.
    ///
    /// While a provider is degraded so that everything is permitted, the service needs no login (REST API v2, 5.9), so
    /// one request is worth sending.
    func unconfirmed() throws(TVEError) -> AuthenticationToken? {
        guard areCopies, let mvpdID = try chosenProvider(), providers.mayWork(with: mvpdID),
            try !isKnownTempPass(mvpdID), try !pendingLogouts().concerns(mvpdID)
        else { return nil }
        if let stored = try stored(with: mvpdID) {
            return parts.device.binding(of: stored.claims.fingerprint) == .mine ? stored : nil
        }
        guard try canAuthenticate(with: mvpdID) else { return nil }
        return .unknown(requestorID, mvpdID, fingerprint: parts.device.fingerprint.hexadecimal)
    }

    /// Returns a Boolean value that indicates whether a token is bound to this device, belongs to this dialect and has
    /// not expired.
    func isValid(_ token: AuthenticationToken) -> Bool {
        isOfThisDialect(token) && parts.device.binding(of: token.claims.fingerprint) == .mine
            && !token.isExpired(at: parts.clock.now())
    }

    /// Returns a Boolean value that indicates whether a login came from the platform's sign-on.
    func isFromPlatform(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        try read { try $0.isFromPlatform(requestorID: token.claims.requestorID, mvpdID: token.claims.providerID) }
    }

    /// Returns a Boolean value that indicates whether the last login with a provider succeeded, so that the next one
    /// may skip the picker and the stored one is not in doubt.
    func canAuthenticate(with mvpdID: MVPDID) throws(TVEError) -> Bool {
        try read { try $0.canAuthenticate(requestorID: requestorID, mvpdID: mvpdID) }
    }

    /// Returns a Boolean value that indicates whether a provider is a TempPass, according to the configuration or to
    /// the stored login.
    func isKnownTempPass(_ mvpdID: MVPDID) throws(TVEError) -> Bool {
        if let provider = providers.provider(mvpdID) { return provider.isTempPass }
        return try stored(with: mvpdID)?.claims.kind == .tempPass
    }

    /// A Boolean value that indicates whether the viewer chose a TempPass.
    ///
    /// The service may have renewed it after its copy expired or was removed.
    var isTempPassChosen: Bool { (try? chosenProvider().map(isKnownTempPass)) == true }

    /// Returns a Boolean value that indicates whether a login has no account: the login of a TempPass or of a degraded
    /// provider.
    func isWithoutAccount(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || providers.isTempPass(login)
    }

    // MARK: - The viewer behind a login

    func profile(of token: AuthenticationToken) -> Profile {
        // A TempPass identifies only the device (row TP6).
        let viewer = providers.isTempPass(token) ? parts.device.deviceID : token.claims.authenticationGUID
        return Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: trackingIDs.value(of: viewer, Self.trackingID), kind: kind(of: token),
            issuer: token.claims.issuer)
    }

    func kind(of token: AuthenticationToken) -> Profile.Kind {
        if let kind = token.claims.kind { return kind }
        if token.claims.isDegraded { return .degraded }
        if providers.isTempPass(token) { return .tempPass }
        // With a provider that does not take part in the platform's sign-on, a platform login is not valid (row CA5).
        // The store need not be read to find out whether this login came from the platform.
        guard providers.provider(token.claims.providerID)?.allowsPlatformSignOn != false else { return .regular }
        return (try? isFromPlatform(token)) == true ? .apple : .regular
    }

    /// Returns the MD5 digest of the login's GUID, which tracking reports instead of an id of the viewer (wire
    /// protocol, tracking).
    ///
    /// The result is empty if the login has no GUID, because the digest of an empty text would be one viewer for all.
    static func trackingID(_ guid: String) -> String {
        guard !guid.isEmpty else { return "" }
        var digest = Insecure.MD5()
        digest.update(data: Data(guid.utf8))
        return digest.finalize().hexadecimal
    }

    /// Reports once that a login ends soon, when a call reads it.
    ///
    /// There is no timer.
    private func noticed(_ login: AuthenticationToken) -> AuthenticationToken {
        let rest = login.claims.expires.date.timeIntervalSince(parts.clock.now())
        // The login of a degraded provider lasts a minute, and another one always follows.
        guard rest < EntitlementSession.noticeOfLoginEnd / .seconds(1), !login.claims.isDegraded,
            noticedEnds.updateValue(login.text, forKey: login.claims.providerID) != login.text
        else { return login }
        reports.emit(.loginEndsSoon(profile(of: login)))
        return login
    }
}

/// A flow whose work must not run during a login: a request to the service, or the page of a logout.
protocol EndsBeforeLogin: AnyObject {
    /// Ends the work soon, and returns when the login may begin.
    func endBeforeLogin(on actor: isolated any Actor) async
}
