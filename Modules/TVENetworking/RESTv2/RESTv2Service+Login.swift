public import Foundation
import HTTPTypes
public import TVEModels

extension RESTv2Service {
    /// Begins a login; see ``EntitlementService``.
    ///
    /// If the service still has a login of the viewer, the viewer is logged in without a page. If the login is forced,
    /// the existing login is ended first, and the result has the page that ends it at the TV provider too.
    public func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage {
        let session = try await createSession(request)
        guard session.hasLogin, request.isForced else { return try page(session, request) }
        let step = try await logout(
            requestorID: request.requestorID, mvpdID: request.mvpdID, nil, redirectURL: redirect(of: request))
        // The request carries no proofs of other logins: the household retains its login, and this viewer wants to log
        // in.
        let next = try await createSession(request, carrying: CarriedProofs())
        if case .open(let logoutPage) = step, let status = logoutPage.redirectStatus, next.hasLogin {
            // The redirect did not come from the service, which still has the login.
            throw .status(status)
        }
        var page = try page(next, request)
        // The logout page is needed only before a login page on this screen, because other logins do not use this
        // browser's cookies.
        if case .open(let logoutPage) = step, case .open = page.step { page.logoutPage = logoutPage }
        return page
    }

    private func createSession(
        _ request: LoginRequest, carrying proofs: CarriedProofs? = nil
    ) async throws(ServiceError) -> AuthenticationSession {
        try await createSession(
            .createSession(
                of: request.requestorID,
                parameters(
                    mvpdID: request.mvpdID, redirectURL: redirect(of: request), domains: request.domains)),
            carrying: proofs)
    }

    /// Returns the URL at which the browser of a login ends.
    func redirect(of request: LoginRequest) -> URL {
        switch request.kind {
        case .here(let redirect), .passive(let redirect), .otherScreen(let redirect): redirect ?? client.redirectURL
        }
    }

    func page(_ session: AuthenticationSession, _ request: LoginRequest) throws(ServiceError) -> LoginPage {
        let step: LoginPage.Step
        switch session.action {
        case .authorize: step = .nothing
        // The other screen adds the missing parameters with the code.
        case .resume where request.isOnOtherScreen: step = .typeCode
        case .authenticate: step = try self.step(session, request)
        case .unknown where session.isInteractive: step = try self.step(session, request)
        case .resume, .retry: throw .loginParametersMissing(session.missingParameters)
        case .partnerProfile, .unknown: throw .unreadableJSON
        }
        guard step == .nothing || session.code != nil else { throw .unreadableJSON }
        var page = LoginPage(
            step: step, requestorID: request.requestorID, mvpdID: request.mvpdID,
            registrationCode: step == .nothing ? "" : session.code ?? "",
            // The expiry is computed by the clock of this device, so that a device with a wrong clock can log in.
            expires: now().addingTimeInterval(session.lifetime))
        // Only a TempPass may receive the app's data about the viewer.
        if session.reason == "temporary" { page.data = request.data }
        if step == .nothing { page.reasonForNoStep = session.reason }
        return page
    }

    private func step(
        _ session: AuthenticationSession, _ request: LoginRequest
    ) throws(ServiceError) -> LoginPage.Step {
        if request.isOnOtherScreen { return .typeCode }
        guard let url = url(of: session, request) else { throw .unreadableJSON }
        return .open(url, redirect: redirect(of: request))
    }

    /// Returns the URL of a login's page.
    ///
    /// An answer need not have the URL, and the page of a code is documented.
    private func url(of session: AuthenticationSession, _ request: LoginRequest) -> URL? {
        if let url = session.url, !url.isEmpty { return resolved(url) }
        guard session.action == .authenticate, let code = session.code else { return nil }
        return page(ofCode: code, requestorID: request.requestorID)
    }

    /// Requests the profile of a login; see ``EntitlementService``.
    ///
    /// An error that names a missing login contradicts a session that needs no page, unlike an answer without profiles.
    public func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer {
        let identity = identity(login.data)
        let request: RESTv2Request =
            login.registrationCode.isEmpty
            ? .profiles(
                of: login.requestorID, with: login.mvpdID, identity: identity,
                showsPlatform: isKnownToPlatform(login.mvpdID))
            : .profile(of: login.requestorID, code: login.registrationCode, identity: identity)
        try await waitForPoll(of: login.registrationCode)
        // A flow polls a code again anyway. A retry would come within the three seconds of two polls.
        var retries = Retries()
        if !login.registrationCode.isEmpty { retries.count = 0 }
        let answer: ProfilesAnswer
        do throws(ServiceError) {
            answer = try await fetchProfiles(request, retries: &retries)
        } catch .pendingLogout(let signal) where signal.namesMissingLogin && login.isOfNoSession {
            throw .notLoggedIn
        }
        if let found = answer.profile(of: login.mvpdID) {
            return copy(of: found, requestorID: login.requestorID, mvpdID: login.mvpdID, identity: identity)
        }
        // A code belongs to one login, so a profile under another name belongs to another provider, unless the login's
        // own profile is there and cannot be read. Nothing says which of several profiles it would be.
        if let found = answer.profiles.first {
            guard !login.registrationCode.isEmpty, !answer.isUnreadable(login.mvpdID), answer.profiles.count == 1 else {
                throw .unreadableJSON
            }
            return copy(of: found.value, requestorID: login.requestorID, mvpdID: found.key, identity: identity)
        }
        // The service has answered that the viewer can continue with decisions, and has no profile.
        guard let reason = login.reasonForNoStep else { throw .notLoggedIn }
        let begins = now()
        let entry = ProfilesAnswer.Entry(
            type: reason == "temporary" || reason == "degraded" ? reason : "regular", notBefore: begins,
            notAfter: begins.addingTimeInterval(Self.lifetimeWithoutProfile))
        return copy(of: entry, requestorID: login.requestorID, mvpdID: login.mvpdID, identity: identity)
    }

    /// The lifetime of a login without a profile: one minute, as that of the service's own profiles without a viewer.
    private static let lifetimeWithoutProfile: TimeInterval = 60

    /// Requests the logins that the service has for this device; see ``LoginKeepingService``.
    ///
    /// The logins are sorted in descending order of expiry. For one provider there is at most one, which has the id as
    /// the caller spells it. For a TempPass that has expired, the method throws `.denied`.
    public func logins(
        of requestorID: RequestorID, with mvpdID: MVPDID?, knowing known: AuthenticationToken?
    ) async throws(ServiceError) -> [AuthenticationAnswer] {
        let stored = known.flatMap { profile(in: $0.text) }
        let identity = stored?.identity
        var retries = Retries()
        var renewed: CarriedProofs?
        let answer = try await self.answer(
            about: stored?.kind,
            .profiles(
                of: requestorID, with: mvpdID, identity: identity,
                showsPlatform: stored?.kind == .apple || isKnownToPlatform(mvpdID)),
            renewed: &renewed
        ) { (answer: ProfilesAnswer) in
            known.map { answer.profile(of: $0.claims.providerID) == nil } ?? false
        } _: { (request, proofs) throws(ServiceError) -> ProfilesAnswer in
            try await fetchProfilesOrNone(request, carrying: proofs, retries: &retries)
        }
        if let known, answer.isUnreadable(known.claims.providerID) { throw .unreadableJSON }
        if let mvpdID {
            guard let entry = try answer.answer(about: mvpdID) else { return [] }
            return [copy(of: entry, requestorID: requestorID, mvpdID: mvpdID, identity: identity)]
        }
        return answer.profiles.sorted { ($1.value.notAfter, $0.key.text) < ($0.value.notAfter, $1.key.text) }
            .map { copy(of: $0.value, requestorID: requestorID, mvpdID: $0.key, identity: identity) }
    }

    /// Sends a request for profiles.
    ///
    /// An empty map beside an error is no answer: a service that has failed did not look for logins.
    private func fetchProfiles(
        _ request: RESTv2Request, carrying proofs: CarriedProofs? = nil, retries: inout Retries
    ) async throws(ServiceError) -> ProfilesAnswer {
        try await send(request, carrying: proofs, retries: &retries) { (answer) throws(ServiceError) in
            guard answer.isSuccess else { throw .status(answer.status) }
            let found = try Self.read(ProfilesAnswer.self, from: answer.body)
            guard !found.profiles.isEmpty || EnhancedError.read(answer.body) == nil else { throw .unreadableJSON }
            return found
        }
    }

    /// Sends a request for profiles, and treats an error that names a missing login as an answer without profiles.
    private func fetchProfilesOrNone(
        _ request: RESTv2Request, carrying proofs: CarriedProofs, retries: inout Retries
    ) async throws(ServiceError) -> ProfilesAnswer {
        do throws(ServiceError) {
            return try await fetchProfiles(request, carrying: proofs, retries: &retries)
        } catch .pendingLogout(let signal) where signal.namesMissingLogin {
            return ProfilesAnswer()
        }
    }

    /// Returns a Boolean value that indicates whether the viewer was signed in on the platform, with the provider that
    /// a request is about, according to the platform's last status.
    ///
    /// The service does not learn that the viewer denies access to the platform. It refuses a status that names another
    /// provider than the request (`invalid_header_pfs_provider_id_mismatch`).
    private func isKnownToPlatform(_ mvpdID: MVPDID?) -> Bool {
        guard let status = memory.withLock(\.platformStatus), status.namesProvider else { return false }
        return mvpdID == nil || status.mvpdID == nil || status.mvpdID == mvpdID
    }

    func copy(
        of entry: ProfilesAnswer.Entry, requestorID: RequestorID, mvpdID: MVPDID, identity: String?
    ) -> AuthenticationAnswer {
        var stored = StoredProfile(
            entry, serviceProvider: requestorID, mvpd: mvpdID, fingerprint: fingerprint,
            identity: Profile.Kind(type: entry.type) == .tempPass ? identity : nil)
        // Such a login lasts a minute, or for the rest of a trial, by the service's clock. That clock may differ from
        // ours.
        if [.degraded, .tempPass].contains(stored.kind), let begins = entry.notBefore {
            let lifetime = max(0, entry.notAfter.timeIntervalSince(begins))
            stored.notAfter = Int64(bounded: (now().timeIntervalSince1970 + lifetime) * 1000)
        }
        return AuthenticationAnswer(token: stored.token, metadata: entry.metadata(at: now()))
    }

    /// Ends a login; see ``EntitlementService``.
    ///
    /// A login that the service does not have is not an error. If the service has ended further logins, the result is
    /// the step of the provider itself, or else the first step that another login needs. A page carries the pages of
    /// the others.
    ///
    /// An answer that does not name the provider ends its login only if the service's profiles do not have it either.
    public func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?
    ) async throws(ServiceError) -> LogoutStep {
        let redirectURL = redirectURL ?? client.redirectURL
        let request = RESTv2Request.logout(of: requestorID, with: mvpdID, redirectURL: redirectURL)
        let carried = await proofs(for: request)
        var retries = Retries()
        do throws(ServiceError) {
            let parsed = try await send(request, carrying: carried, retries: &retries) {
                (answer) throws(ServiceError) -> ParsedLogout in
                // According to reports, the service sometimes redirects to the logout page instead of answering with
                // its URL. If no page remains to be opened, it redirects to the redirect URL of the logout. Only the
                // service knows that URL, so such a redirect confirms the logout.
                let location = (300...399).contains(answer.status) ? answer.headers[.location] : nil
                let target = location.flatMap { URL(string: $0) }
                // A redirect with an error has ended nothing.
                let isAtEnd = target?.isRedirect(redirectURL) == true && target?.redirectError == nil
                if !isAtEnd, case .open(var page) = page(location, endingAt: redirectURL) {
                    page.redirectStatus = answer.status
                    return ParsedLogout(step: .open(page), namesProvider: nil)
                }
                guard answer.isSuccess || isAtEnd else { throw .status(answer.status) }
                if isAtEnd { return ParsedLogout(step: .nothing, namesProvider: true) }
                let logouts = try Self.read(LogoutAnswer.self, from: answer.body)
                let isNamed = logouts.names(mvpdID)
                // The provider may be the one of an entry that cannot be read, or of an error beside the entries.
                let hasFailure = logouts.hasUnreadableEntry || EnhancedError.read(answer.body) != nil
                guard isNamed || !hasFailure else { throw .unreadableJSON }
                var step = LogoutStep.nothing
                for (id, entry) in logouts.entries(for: mvpdID) {
                    let next = logoutStep(entry, endingAt: redirectURL)
                    if case .open(var first) = step, case .open(let other) = next, id != mvpdID {
                        first.others[id] = other
                        step = .open(first)
                    } else if step == .nothing {
                        step = next
                    }
                }
                return ParsedLogout(step: step, namesProvider: isNamed)
            }
            guard let namesProvider = parsed.namesProvider else { return parsed.step }
            if !namesProvider {
                try await checkHasNoLogin(of: requestorID, with: mvpdID, carrying: carried, retries: &retries)
            }
            if carried.serviceToken != nil { HouseholdWideLogout.current?.recordEndedLogin() }
            return parsed.step
        } catch .pendingLogout(let signal) {
            if !signal.namesMissingLogin {
                try await checkHasNoLogin(of: requestorID, with: mvpdID, carrying: carried, retries: &retries)
            }
            return .nothing
        }
    }

    /// The content of an answer to a logout.
    private struct ParsedLogout {
        let step: LogoutStep
        /// A Boolean value that indicates whether the answer is about the provider of the request, or nil for a
        /// redirect to a page, which does not say that the login has ended.
        let namesProvider: Bool?
    }

    /// Throws an error unless the profiles that the service has for this device contain none of a provider.
    private func checkHasNoLogin(
        of requestorID: RequestorID, with mvpdID: MVPDID, carrying proofs: CarriedProofs, retries: inout Retries
    ) async throws(ServiceError) {
        let answer = try await fetchProfilesOrNone(
            .profiles(of: requestorID, with: nil, identity: nil, showsPlatform: false), carrying: proofs,
            retries: &retries)
        guard answer.profile(of: mvpdID) == nil, !answer.isUnreadable(mvpdID) else { throw .unreadableJSON }
    }

    private func logoutStep(_ entry: LogoutAnswer.Entry, endingAt redirectURL: URL) -> LogoutStep {
        switch (entry.action, entry.type) {
        case ("logout", _): page(entry.url, endingAt: redirectURL)
        case ("partner_logout", _): .signOutInSettings
        case ("complete", _), ("invalid", _): .nothing
        // The list of actions may grow. The type of an unknown one says whether the viewer must act.
        case (_, "interactive"): page(entry.url, endingAt: redirectURL)
        case (_, "partner_interactive"): .signOutInSettings
        default: .nothing
        }
    }

    private func page(_ url: String?, endingAt redirectURL: URL) -> LogoutStep {
        resolved(url).map { .open(LogoutPage(url: $0, redirectURL: redirectURL)) } ?? .nothing
    }

    // MARK: - Promotional TempPass

    /// Returns the viewer's id for a promotional TempPass in the form that the header carries.
    func identity(_ data: [String: MetadataValue]) -> String? { FormBody.json(data)?.base64EncodedString() }
}

extension LoginPage {
    /// A Boolean value that indicates whether the page stands for a request about a login that no session has begun.
    fileprivate var isOfNoSession: Bool { registrationCode.isEmpty && reasonForNoStep == nil }
}
