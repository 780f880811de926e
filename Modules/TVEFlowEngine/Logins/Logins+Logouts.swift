import TVEModels
import TVENetworking
import TVEStorage

/// Logouts that a service that keeps the logins must receive, including those that could not be sent at once.
extension Logins {
    /// The outcome of sending a logout to the service.
    enum LogoutOutcome {
        /// The service has ended the login, and this step remains.
        case done(LogoutStep)
        /// The service named a page without saying that the login has ended, so the logout stays pending.
        case unconfirmed(LogoutPage)
        /// The service refused the logout, but may accept the next one.
        case refused
        /// The service did not answer, and is not expected to answer the next request either.
        case unreachable
    }

    func pendingLogouts() throws(TVEError) -> UnfinishedLogouts {
        try read { try $0.unfinishedLogouts(of: requestorID) }
    }

    /// A Boolean value that indicates whether the service has not yet received a logout; see
    /// ``EntitlementSession/hasPendingLogout``.
    var hasPendingLogout: Bool { areCopies && (try? pendingLogouts().isEmpty) == false }

    /// Sends the pending logouts to the service.
    ///
    /// No viewer is waiting, so the pages that remain are recorded; see ``unopenedLogoutPages``.
    ///
    /// - Parameters:
    ///   - asked: the provider whose logout was sent just now.
    ///   - recordsPages: a Boolean value that is false for a logout without a presenter, which opens no page.
    /// - Returns: a Boolean value that indicates whether the viewer must sign out of one of these logins in the
    ///   system's settings.
    @discardableResult
    nonisolated(nonsending) func sendPendingLogouts(
        but asked: MVPDID? = nil, recordsPages: Bool = true
    ) async -> Bool {
        guard areCopies, let pendingLogouts = try? pendingLogouts() else { return false }
        let ofHousehold = HouseholdWideLogout.current
        var leadsToSettings = false
        for mvpdID in pendingLogouts.pending where asked != mvpdID && isStillPending(mvpdID)() == true {
            switch await endAtService(mvpdID, nil, recordsPages: recordsPages) {
            case .done(let step): if step == .signOutInSettings { leadsToSettings = true }
            case .refused, .unconfirmed: break
            case .unreachable: return leadsToSettings
            }
        }
        guard pendingLogouts.isOfEveryLogin else { return leadsToSettings }
        var others: [AuthenticationAnswer] = []
        for service in parts.services {
            guard let kept = try? await keptLogins(at: service) else { return leadsToSettings }
            others += kept
        }
        // The requests carried the household's token and the service returned no login, so nobody in the household is
        // logged in.
        if others.isEmpty { ofHousehold?.recordNoLogin() }
        var isKept = false
        // A login that is not stored on this device would log the viewer in again.
        for mvpdID in others.map(\.token.claims.providerID)
        where !pendingLogouts.pending.contains(mvpdID) && isStillPending(mvpdID)() == true {
            guard asked != mvpdID else {
                isKept = true
                continue
            }
            guard case .done(let step) = await endAtService(mvpdID, nil, recordsPages: recordsPages) else {
                return leadsToSettings
            }
            if step == .signOutInSettings { leadsToSettings = true }
        }
        // The service has just confirmed the end of this login, and returns it nevertheless. The records stay for one
        // more attempt, which ends them if the service confirms the logout again.
        guard !isKept else { return leadsToSettings }
        ofHousehold?.recordCompletion()
        // If the service refused the logout of one provider, the next attempt includes every other provider as well.
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.unfinishedLogouts(of: requestorID).pending.isEmpty else { return }
            try entitlements.finishLogouts(of: requestorID, asOf: pendingLogouts)
        }
        return leadsToSettings
    }

    /// Returns a closure that checks whether a logout is still pending, and returns nil if the store cannot be read.
    ///
    /// It is called immediately before each request, because another process may have sent the logout and begun a new
    /// login in the meantime.
    private func isStillPending(_ mvpdID: MVPDID) -> @Sendable () -> Bool? {
        { [store = parts.store, requestorID] in try? store.unfinishedLogouts(of: requestorID).concerns(mvpdID) }
    }

    /// Ends a login at its service.
    ///
    /// A service that does not keep the logins has none to end, so it is asked only for the page.
    ///
    /// - Parameters:
    ///   - recordsPages: a Boolean value that indicates whether the pages that the service names are recorded until
    ///     they have opened; see ``unopenedLogoutPages``.
    ///   - isForLogin: a Boolean value that indicates whether the viewer logs in next. Otherwise a pending logout is
    ///     not sent after another process has begun a new login.
    nonisolated(nonsending) func endAtService(
        _ mvpdID: MVPDID, _ login: AuthenticationToken?, recordsPages: Bool = true, isForLogin: Bool = false
    ) async -> LogoutOutcome {
        guard areCopies || recordsPages else { return .refused }
        var hasEnded = false
        // A login that has not ended would come back through the household.
        defer { if !hasEnded { HouseholdWideLogout.current?.recordFailure() } }
        guard let service = try? providers.service(of: mvpdID) else { return .refused }
        let redirectURL = providers.redirectURL(of: mvpdID)
        // A logout that happens during this request must be sent separately.
        let pendingLogouts = try? pendingLogouts()
        // Without the household's token another request settles the logout of this device alone.
        let isOwn = !isForLogin && HouseholdWideLogout.current == nil
        let isPending = isOwn && pendingLogouts?.concerns(mvpdID) == true ? isStillPending(mvpdID) : nil
        let answer: LogoutStep
        do throws(ServiceError) {
            answer = try await service.logout(
                requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL, while: isPending)
        } catch .transport {
            return isPending?() == false ? .refused : .unreachable
        } catch .refused(let reason) where reason.code == "invalid_parameter_mvpd" {
            // There is no such provider, and so no login with it.
            answer = .nothing
        } catch {
            return .refused
        }
        if case .open(let page) = answer, page.redirectStatus != nil { return .unconfirmed(page) }
        if service.keepsLogins, let pendingLogouts {
            _ = try? write { [requestorID] entitlements throws(StorageError) in
                try entitlements.finishLogout(requestorID: requestorID, mvpdID: mvpdID, asOf: pendingLogouts)
            }
        }
        if recordsPages, case .open(let page) = answer { record(logoutPage: page, of: mvpdID) }
        hasEnded = true
        return .done(answer)
    }

    /// Ends the login with a provider that the service keeps and would return instead of a new one, and records that a
    /// login begins.
    ///
    /// - Parameters:
    ///   - service: the service of the provider.
    ///   - isForced: a Boolean value that indicates whether the viewer wants a new login. Otherwise the next login must
    ///     be a new one only if a logout with the provider is pending.
    ///   - screen: the screen on which the page opens that ends the login at the provider too.
    nonisolated(nonsending) func prepareLogin(
        with mvpdID: MVPDID, at service: any EntitlementService, isForced: Bool, on screen: Screen?
    ) async throws(TVEError) {
        if areCopies, try pendingLogouts().concerns(mvpdID) || isForced {
            switch await endAtService(mvpdID, nil, isForLogin: true) {
            case .done:
                noteEnd(ofLoginWith: mvpdID)
                guard let unopened = unopenedLogoutPage(of: mvpdID) else { break }
                await showLogout(unopened.page, of: mvpdID, on: screen)
            case .unconfirmed(let page): await showLogout(page, of: mvpdID, on: screen)
            case .refused, .unreachable:
                throw TVEError(
                    .serviceUnreachable, status: .authenticationFailed,
                    message: "The earlier login could not be ended at the service. Try again later.")
            }
        }
        noteBegunLogin(at: service)
    }

    /// Opens the page that ends an earlier login at the provider, before a new login with it begins there.
    ///
    /// Without this page, the provider's cookies might log the same viewer in again. A page that does not end in time
    /// is left open, because the viewer waits for the login. A page that may not open, or whose login is stopped
    /// meanwhile, stays for the next logout or login with the provider; see ``record(logoutPage:of:)``.
    nonisolated(nonsending) func showLogout(_ page: LogoutPage, of mvpdID: MVPDID, on screen: Screen?) async {
        guard let screen, screen.mayOpenLogoutPageAtLogin, parts.loginStyle == .browser else { return }
        let browserPage = providers.browserPage(for: page, of: mvpdID)
        let limit = browserPage.mustBeSeen ? Self.limitOfSeenLogout : Self.limitOfHiddenLogout
        let ended: Void? = await parts.clock.run(atMost: limit) { await screen.presentLogout(browserPage) }
        // A login that was stopped meanwhile has dismissed the page, and must not make the next one doubt its redirect.
        guard !Task.isCancelled else { return }
        record(hasOpenLogoutPage: ended == nil)
        forget(logoutPageOf: mvpdID)
    }

    /// Returns the valid login that a logout ends, or `nil` if there is none.
    ///
    /// If the service does not keep the logins, this can only be the viewer's own login. For a logout of all providers,
    /// it is the login whose page opens first: if the viewer's has no page or does not exist, another one of this
    /// requestor.
    ///
    /// - Parameters:
    ///   - mvpdID: the only provider whose login ends, or `nil` to end all logins.
    ///   - viewers: the viewer's login, if there is one.
    func login(toEndWith mvpdID: MVPDID?, beside viewers: AuthenticationToken?) -> AuthenticationToken? {
        if let mvpdID, viewers?.claims.providerID != mvpdID {
            guard areCopies, let known = try? stored(with: mvpdID), isValid(known) else { return nil }
            return known
        }
        guard mvpdID == nil, areCopies, viewers.map(isWithoutAccount) ?? true else { return viewers }
        let all = try? read { try $0.authenticationTokens() }
        return all?.first { $0.claims.requestorID == requestorID && isValid($0) && !isWithoutAccount($0) } ?? viewers
    }

    /// Returns the most recent logout page that has not been opened, or `nil` if there is none.
    ///
    /// - Parameter mvpdID: the provider of the page, or `nil` for any provider.
    func unopenedLogoutPage(of mvpdID: MVPDID?) -> UnopenedLogoutPage? {
        unopenedLogoutPages.last { mvpdID == nil || $0.mvpdID == mvpdID }
    }

    /// Returns the page that a logout opens next, or `nil` if there is none.
    ///
    /// While a login is under way, the page of another provider could end what the viewer begins there, so it stays for
    /// the next logout or login.
    ///
    /// - Parameter mvpdID: the provider whose page is the first one.
    func unopenedLogoutPage(first mvpdID: MVPDID?) -> UnopenedLogoutPage? {
        let ofProvider = mvpdID.flatMap { unopenedLogoutPage(of: $0) }
        return ofProvider ?? (isLoginUnderWay ? nil : unopenedLogoutPage(of: nil))
    }

    private static let limitOfSeenLogout = Duration.seconds(60)
    private static let limitOfHiddenLogout = Duration.seconds(10)

    // MARK: - A login that begins

    /// Records that the service no longer has the login whose copy is stored.
    ///
    /// The copy stays, because nothing that is stored is lost while the new login may fail. But without the mark of a
    /// successful login, the next one asks the service before it answers from the copy; see ``isInDoubt(_:)``.
    private func noteEnd(ofLoginWith mvpdID: MVPDID) {
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    /// Records that a login begins at a service.
    ///
    /// The service may then have a login that this device never receives, which a logout must end as well.
    private func noteBegunLogin(at service: any EntitlementService) {
        guard service.keepsLogins else { return }
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.noteBegunLogin(of: requestorID)
        }
    }

    /// Begins a login at a service, which must be a new one if a logout with the provider is pending.
    ///
    /// - Parameters:
    ///   - request: the login that the viewer wants.
    ///   - ticket: the ticket of the attempt. Once it is cleared, pending logouts stay.
    func beginLogin(
        _ request: LoginRequest, at service: any EntitlementService, under ticket: Ticket, on actor: isolated any Actor
    ) async throws(TVEError) -> LoginPage {
        let mvpdID = request.mvpdID
        let pendingLogouts = try pendingLogouts()
        var request = request
        if pendingLogouts.concerns(mvpdID) { request.isForced = true }
        noteBegunLogin(at: service)
        var page: LoginPage
        do throws(ServiceError) {
            page = try await service.login(request)
        } catch {
            throw TVEError(error, during: .login)
        }
        if let logoutPage = page.logoutPage {
            record(logoutPage: logoutPage, of: mvpdID)
        } else if case (.open, .here) = (page.step, request.kind) {
            page.logoutPage = unopenedLogoutPage(of: mvpdID)?.page
        }
        // A page means that the service no longer has a login with the provider, so any later login, including one of
        // another process, is the new one.
        guard page.needsViewer, ticket.isValid, service.keepsLogins else { return page }
        if request.isForced { noteEnd(ofLoginWith: mvpdID) }
        if pendingLogouts.concerns(mvpdID) {
            _ = try? write { [requestorID] entitlements throws(StorageError) in
                try entitlements.settleLogouts(requestorID: requestorID, mvpdID: mvpdID, asOf: pendingLogouts)
            }
        }
        return page
    }

    /// Returns a Boolean value that indicates whether the login of a page may arrive some time after its redirect.
    ///
    /// This is possible if the service keeps the logins (REST API v2, 9.2), and while the viewer types a code.
    func mayComeLate(_ page: LoginPage, from service: any EntitlementService) -> Bool {
        page.step == .typeCode || service.keepsLogins && page.needsViewer
    }
}

/// A page that ends an earlier login at its provider, and that has not been opened since the service named it.
struct UnopenedLogoutPage {
    let mvpdID: MVPDID
    let page: LogoutPage
}
