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
    /// At the start: waits for the service only when there is no copy to answer from, and not for long.
    func takeOverLogins() async {
        guard keepsCopies else { return }
        if (try? validLogin()) ?? nil == nil {
            _ = await clock.run(atMost: Self.patienceAtTheStart) { [self] in await refreshLogins(isAnnounced: false) }
        } else {
            refreshBehind(isForced: true)
        }
    }

    /// Asks the service while the caller goes on; not again and again, since every question counts against the throttle.
    func refreshBehind(isForced: Bool = false) {
        guard keepsCopies, loaded != nil else { return }
        if !isForced, let lastRefresh, clock.uptime() - lastRefresh < Self.freshness { return }
        Task { [weak self] in await self?.refreshLogins(isAnnounced: true) }
    }

    /// Asks the service, together with everybody who asks at the same time.
    ///
    /// - Parameter isAnnounced: whether a viewer who turns out to be logged in, or out, is reported.
    func refreshLogins(isAnnounced: Bool) async {
        guard keepsCopies, logins.callers == 0, entries.callers == 0, logouts.callers == 0 else { return }
        _ = await refreshes.run { [self] in
            do {
                try await refresh(isAnnounced: isAnnounced)
            } catch {
                // Not to be reached, or a store that cannot be used: what is known stays.
                if Task.isCancelled { await forgetRefresh() }
            }
        }
    }

    /// A question that was cut short was none.
    private func forgetRefresh() { lastRefresh = nil }

    /// Ends a question to the service, so that its answer about the time before does not come in the way of what begins now.
    func finishRefresh() async {
        _ = refreshes.cancel()
        await refreshes.settle()
    }

    private var hasOldMetadata: Bool { metadataChanges.made != metadataChanges.known }

    /// Asks what the provider tells about the viewer now, if an authorization may have changed it; what is known serves when the answer
    /// takes too long.
    func refreshMetadata() async {
        let isBeingAsked = metadataQuestions.callers > 0
        // A question that came to nothing is not asked again and again.
        let isTooSoon = lastFailedMetadataQuestion.map { clock.uptime() - $0 < Self.freshness } ?? false
        guard isBeingAsked || hasOldMetadata && !isTooSoon else { return }
        _ = await metadataQuestions.run { [self] in
            _ = await clock.run(atMost: Self.patienceForMetadata) { [self] in
                await refreshLogins(isAnnounced: true)
                // What was on its way already may have begun before the change.
                if await hasOldMetadata { await refreshLogins(isAnnounced: true) }
            }
            await noteMetadataQuestion()
        }
    }

    private func noteMetadataQuestion() {
        lastFailedMetadataQuestion = hasOldMetadata ? clock.uptime() : nil
    }

    private func refresh(isAnnounced: Bool) async throws {
        lastRefresh = clock.uptime()
        await finishOldLogouts()
        let left = try store.unfinishedLogouts(of: requestorID)
        guard !left.isOfEveryLogin, try !store.hasForgottenProvider(of: requestorID), let loaded else { return }
        let chosen = try currentProvider()
        let known = try storedLogin()
        // A login with nobody behind it is made anew for every question, so the copy is used up first.
        let isUsedUpFirst = known.map { isValid($0) && isVirtual($0) } ?? false
        if isUsedUpFirst && !hasOldMetadata { return }
        if let known, try isFromPlatform(known), !hasPlatformStatus { return }
        let (decided, changes) = (decisions, metadataChanges.made)
        let found = try await foundLogins(chosen.map(loaded.service) ?? loaded.first, chosen, known)
        // Whatever was decided meanwhile counts more.
        guard decisions == decided, logins.callers == 0, entries.callers == 0, logouts.callers == 0 else { return }
        let question = KeptLoginQuestion(requestorID: requestorID, chosen: chosen, known: known, left: left)
        let login = found.first { login in
            let mvpdID = login.0.claims.providerID
            return loaded.merged.requestor.provider(mvpdID) != nil && !left.concerns(mvpdID)
        }
        let wasLoggedIn = known.map(isValid) ?? false
        if let login, isValid(login.0) {
            guard try take(login.0, login.1, asAnswerTo: question) else { return }
            metadataChanges.known = changes
            if isAnnounced, !wasLoggedIn { announcedLogin(login.0, isCached: true) }
        } else if let known, known.text != login?.0.text {
            // The same login that has merely run out by a clock that may be wrong is left alone.
            let claims = known.claims
            let isRemoved = try store.change { entitlements throws(StorageError) in
                guard try question.stillStands(entitlements) else { return false }
                try entitlements.removeCopy(requestorID: claims.requestorID, mvpdID: claims.providerID)
                return true
            }
            guard isRemoved else { return }
            metadataChanges.known = changes
            if isAnnounced, wasLoggedIn { announcedFailure(try whyNobodyIsLoggedIn()) }
        } else {
            metadataChanges.known = changes
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

    /// Keeps what the service answered, unless somebody decided otherwise meanwhile, here or in another process.
    ///
    /// - Returns: whether the question still stood.
    private func take(
        _ login: AuthenticationToken, _ metadata: UserMetadata?, asAnswerTo question: KeptLoginQuestion
    ) throws -> Bool {
        let (mvpdID, known) = (login.claims.providerID, question.known)
        // A login with nobody behind it does not take the place of a good one: it would last a minute.
        let isKept = known.map { isValid($0) && (isVirtual($0) || isVirtual(login)) } ?? false
        let isNew = !isKept && login.text != known?.text
        let mayTell = !isVirtual(login) || known.map(isVirtual) == true
        let isTempPass = loaded?.merged.requestor.provider(mvpdID)?.isTempPass == true
        return try store.change { [requestorID] entitlements throws(StorageError) in
            guard try question.stillStands(entitlements) else { return false }
            if isNew {
                try entitlements.save(
                    login, metadata: metadata, canAuthenticate: !isTempPass,
                    isFromPlatform: metadata?.isFromPlatform == true)
            } else if let metadata, mayTell {
                let old = try? entitlements.userMetadata(requestorID: requestorID, mvpdID: mvpdID)
                guard old?.data != metadata.data || old?.encrypted != metadata.encrypted else { return true }
                try entitlements.save(metadata, requestorID: requestorID, mvpdID: mvpdID)
            }
            return true
        }
    }

    /// A login without anybody behind it: a TempPass or a degraded provider's.
    private func isVirtual(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || loaded?.merged.requestor.provider(login.claims.providerID)?.isTempPass == true
    }

    private static let patienceAtTheStart = Duration.seconds(10)
    private static let patienceForMetadata = Duration.seconds(5)
    /// Two questions in this time are one.
    private static let freshness = Duration.seconds(30)
}

extension UserMetadata {
    /// Whether the platform's sign-on brought the login that this came with.
    var isFromPlatform: Bool { data["tokenSource"] == .string("Apple") }
}
