import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// Keeping the copies of logins true, where the service keeps the logins themselves (REST API v2).
///
/// The copy answers at once and without a network; the service has the last word. That it cannot be reached says nothing about
/// the viewer.
extension EntitlementSession {
    /// At the start: waits for the service only when there is no copy to answer from.
    func takeOverLogins() async {
        guard keepsCopies else { return }
        if (try? validLogin()) ?? nil == nil {
            await refreshLogins(isAnnounced: false)
        } else {
            refreshBehind(isForced: true)
        }
    }

    /// Asks the service while the caller goes on; not again and again, since every question counts against the throttle.
    func refreshBehind(isForced: Bool = false) {
        guard keepsCopies, loaded != nil else { return }
        if !isForced, let lastRefresh, clock.now().timeIntervalSince(lastRefresh) < Self.freshness { return }
        Task { [weak self] in await self?.refreshLogins(isAnnounced: true) }
    }

    /// Asks the service, together with everybody who asks at the same time.
    ///
    /// - Parameter isAnnounced: whether a viewer who turns out to be logged in, or out, is reported.
    func refreshLogins(isAnnounced: Bool) async {
        guard keepsCopies, logins.callers == 0, logouts.callers == 0 else { return }
        _ = await refreshes.run { [self] in
            do {
                try await refresh(isAnnounced: isAnnounced)
            } catch {
                // Not to be reached, or a store that cannot be used: what is known stays.
            }
        }
    }

    /// Asks what the provider tells about the viewer now; what is known serves when the answer takes too long.
    func refreshMetadata() async {
        _ = await clock.run(atMost: Self.patienceForMetadata) { [self] in await refreshLogins(isAnnounced: true) }
        hasOldMetadata = false
    }

    private func refresh(isAnnounced: Bool) async throws {
        await finishOldLogouts()
        guard try hasNoUnfinishedLogout(), try !store.hasForgottenProvider(of: requestorID), let loaded else { return }
        let chosen = try currentProvider()
        let known = try storedLogin()
        // A login with nobody behind it is made anew for every question, so the copy is used up first.
        let isUsedUpFirst = known.map { isValid($0) && isVirtual($0) } ?? false
        if isUsedUpFirst && !hasOldMetadata { return }
        if let known, try isFromPlatform(known), !hasPlatformStatus { return }
        let service = chosen.map(loaded.service) ?? loaded.first
        lastRefresh = clock.now()
        let wasLoggedIn = known.map(isValid) ?? false
        let found = try await foundLogins(service, chosen, known)
        // Whatever the viewer did meanwhile counts more.
        guard logins.callers == 0, entries.callers == 0, logouts.callers == 0, try currentProvider() == chosen,
            try storedLogin()?.text == known?.text, try hasNoUnfinishedLogout()
        else { return }
        let login = found.first { loaded.merged.requestor.provider($0.0.claims.providerID) != nil }
        if let login, isValid(login.0) {
            try take(isUsedUpFirst ? known ?? login.0 : login.0, login.1, insteadOf: known)
            if isAnnounced, !wasLoggedIn { announcedLogin(login.0, isCached: true) }
        } else if let known, known.text != login?.0.text {
            // The same login that has merely run out by a clock that may be wrong is left alone.
            let claims = known.claims
            try store.removeCopy(requestorID: claims.requestorID, mvpdID: claims.providerID)
            if isAnnounced, wasLoggedIn { announcedFailure(try whyNobodyIsLoggedIn()) }
        }
    }

    private func foundLogins(
        _ service: any EntitlementService, _ chosen: String?, _ known: AuthenticationToken?
    ) async throws -> [(AuthenticationToken, UserMetadata?)] {
        do throws(ServiceError) {
            return try await service.logins(of: requestorID, with: chosen, knowing: known)
        } catch .denied(let denial) where denial.reason == .temporaryAccessOver {
            return []
        }
    }

    private func take(
        _ login: AuthenticationToken, _ metadata: UserMetadata?, insteadOf known: AuthenticationToken?
    ) throws {
        let mvpdID = login.claims.providerID
        if login.text == known?.text {
            let old = try? store.userMetadata(requestorID: requestorID, mvpdID: mvpdID)
            guard let metadata, old?.data != metadata.data || old?.encrypted != metadata.encrypted else { return }
            try store.save(metadata, requestorID: requestorID, mvpdID: mvpdID)
        } else {
            let isTempPass = loaded?.merged.requestor.provider(mvpdID)?.isTempPass == true
            try store.save(
                login, metadata: metadata, canAuthenticate: !isTempPass,
                isFromPlatform: metadata?.data["tokenSource"] == .string("Apple"))
        }
    }

    /// A login without anybody behind it: a TempPass or a degraded provider's.
    private func isVirtual(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || loaded?.merged.requestor.provider(login.claims.providerID)?.isTempPass == true
    }

    private static let patienceForMetadata = Duration.seconds(5)
    /// Two questions in this time are one.
    private static let freshness: TimeInterval = 30

    // MARK: - Logouts

    private func hasNoUnfinishedLogout() throws -> Bool { try store.unfinishedLogouts(of: requestorID).isEmpty }

    /// Tells the service about logouts that it could not be told about when they happened.
    func finishOldLogouts() async {
        guard keepsCopies, let waiting = try? store.unfinishedLogouts(of: requestorID) else { return }
        for mvpdID in waiting { _ = await endAtService(mvpdID, nil) }
    }

    /// Ends a login at its service.
    ///
    /// - Returns: the page that ends it at the provider too, if there is one.
    func endAtService(_ mvpdID: String, _ login: AuthenticationToken?) async -> LogoutPage? {
        guard let service = service(of: mvpdID) else { return nil }
        let redirectURL = (try? redirectURL(of: mvpdID)) ?? nil
        let page: LogoutPage?
        do throws(ServiceError) {
            page = try await service.logOut(
                requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL)
        } catch {
            // Only a service that said so knows of no such login; any other failure may pass.
            guard case .refused(let reason) = error, reason.action != "retry", reason.status ?? 500 < 500 else {
                return nil
            }
            page = nil
        }
        if service.keepsLogins { try? store.finishLogout(requestorID: requestorID, mvpdID: mvpdID) }
        return page
    }
}
