import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// Keeps the copies of logins up to date where the service keeps the logins themselves (REST API v2).
///
/// The copy answers at once and without a network; the service decides. An unreachable service says nothing about the
/// viewer.
extension EntitlementSession {
    /// At the start: waits for the service only when there is no copy to answer from, and only for a short time.
    func takeOverLogins() async {
        guard keepsCopies else { return }
        if (try? validLogin()) ?? nil == nil {
            _ = await clock.run(atMost: Self.startTimeLimit) { [self] in await refreshLogins(isAnnounced: false) }
        } else {
            refreshInBackground(isForced: true)
        }
    }

    /// Asks the service while the caller continues.
    func refreshInBackground(isForced: Bool = false) {
        guard mayAskForLogins else { return }
        handle(KeptLoginsEvent.wantedInBackground(isForced: isForced, uptime: clock.uptime()))
    }

    /// Asks the service; calls that ask at the same time share the question.
    ///
    /// - Parameter isAnnounced: whether a change is reported: a viewer who is now logged in, or logged out.
    func refreshLogins(isAnnounced: Bool) async {
        guard mayAskForLogins else { return }
        let uptime = clock.uptime()
        await pause(KeptLoginsEvent.left) { .wanted($0, isAnnounced: isAnnounced, uptime: uptime) }
    }

    /// Fetches the provider's current metadata about the viewer, if an authorization may have changed it.
    ///
    /// When the answer takes too long, the known metadata is used.
    func refreshMetadata() async {
        guard mayAskForLogins else { return }
        let uptime = clock.uptime()
        await pause(KeptLoginsEvent.left) { .metadataWanted($0, uptime: uptime) }
    }

    /// Ends a running question, so that its outdated answer does not interfere with what begins now.
    func finishRefresh() async {
        await pause(KeptLoginsEvent.left) { .loginWaits($0) }
    }

    /// Not during a login or a logout, which decide themselves who is logged in.
    private var mayAskForLogins: Bool {
        keepsCopies && loaded != nil && !loginFlow.machine.isRunning && logoutFlow.machine.logout == nil
    }

    // MARK: - Effects

    func handle(_ event: KeptLoginsEvent) {
        for effect in keptLoginsFlow.machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: KeptLoginsEffect) {
        switch effect {
        case .ask(let number):
            keptLoginsFlow.task = Task { [weak self] in
                let isTaken = (try? await self?.askForLogins(number)) ?? false
                await self?.end(number, isTaken)
            }
        case .stop: keptLoginsFlow.task?.cancel()
        case .limit(let call):
            Task { [weak self, clock] in
                try? await clock.sleep(Self.metadataTimeLimit)
                await self?.handle(KeptLoginsEvent.left(call))
            }
        case .proceed(let calls): proceed(calls)
        }
    }

    private func end(_ number: Int, _ isTaken: Bool) {
        handle(KeptLoginsEvent.ended(question: number, isTaken: isTaken, uptime: clock.uptime()))
    }

    /// - Returns: whether the answer, or the fact that there is nothing to ask, is stored now.
    private func askForLogins(_ number: Int) async throws -> Bool {
        await finishOldLogouts()
        let left = try store.unfinishedLogouts(of: requestorID)
        let choice = try store.providerChoice(of: requestorID)
        guard !left.isOfEveryLogin, !choice.isCancelled, let loaded else { return false }
        let chosen = choice.mvpdID
        let known = try storedLogin(with: chosen)
        // A virtual login is made again for every question, so the copy is used until it expires.
        let isUsedUpFirst = known.map { isValid($0) && isVirtual($0) } ?? false
        if isUsedUpFirst && !keptLoginsFlow.machine.hasOldMetadata { return false }
        if let known, try isFromPlatform(known), !platformFlow.hasStatus { return false }
        let found = try await foundLogins(chosen.map(loaded.service) ?? loaded.first, chosen, known)
        // A decision in the meantime overrides the answer.
        guard keptLoginsFlow.machine.counts(number), mayAskForLogins else { return false }
        let basis = KeptLoginBasis(requestorID: requestorID, chosen: chosen, known: known, left: left)
        let login = found.first { login in
            let mvpdID = login.token.claims.providerID
            return loaded.merged.requestor.provider(mvpdID) != nil && !left.concerns(mvpdID)
        }
        let wasLoggedIn = known.map(isValid) ?? false
        if let login, isValid(login.token) {
            guard try take(login, asAnswerTo: basis) else { return false }
            if keptLoginsFlow.machine.isAnnounced(number), !wasLoggedIn { announcedLogin(login.token, isCached: true) }
        } else if let known, known.text != login?.token.text {
            // The same login that has only expired by a possibly wrong clock is left alone.
            let claims = known.claims
            let isRemoved = try store.change { entitlements throws(StorageError) in
                guard try basis.stillStands(entitlements) else { return false }
                try entitlements.removeCopy(requestorID: claims.requestorID, mvpdID: claims.providerID)
                return true
            }
            guard isRemoved else { return false }
            if keptLoginsFlow.machine.isAnnounced(number), wasLoggedIn { announcedFailure(try notAuthenticatedError()) }
        }
        return true
    }

    private func foundLogins(
        _ service: any EntitlementService, _ chosen: String?, _ known: AuthenticationToken?
    ) async throws -> [AuthenticationAnswer] {
        guard let service = service as? any LoginKeepingService else { return [] }
        do throws(ServiceError) {
            return try await service.logins(of: requestorID, with: chosen, knowing: known)
        } catch .denied(let denial) where denial.reason == .temporaryAccessOver {
            return []
        }
    }

    /// Stores the service's answer, unless this or another process decided otherwise in the meantime.
    ///
    /// - Returns: whether the basis of the question was unchanged.
    private func take(_ answer: AuthenticationAnswer, asAnswerTo basis: KeptLoginBasis) throws -> Bool {
        let (login, metadata, known) = (answer.token, answer.metadata, basis.known)
        let mvpdID = login.claims.providerID
        // A virtual login does not replace a valid one: it would last a minute.
        let isKept = known.map { isValid($0) && (isVirtual($0) || isVirtual(login)) } ?? false
        let isNew = !isKept && login.text != known?.text
        let mayTell = !isVirtual(login) || known.map(isVirtual) == true
        let isTempPass = loaded?.merged.requestor.provider(mvpdID)?.isTempPass == true
        return try store.change { [requestorID] entitlements throws(StorageError) in
            guard try basis.stillStands(entitlements) else { return false }
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

    /// A login without an account: a TempPass or a degraded provider's.
    func isVirtual(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || loaded?.merged.requestor.provider(login.claims.providerID)?.isTempPass == true
    }

    private static let startTimeLimit = Duration.seconds(10)
    private static let metadataTimeLimit = Duration.seconds(5)
}

extension UserMetadata {
    /// Whether this came with a login from the platform's sign-on.
    var isFromPlatform: Bool { data["tokenSource"] == .string("Apple") }
}
