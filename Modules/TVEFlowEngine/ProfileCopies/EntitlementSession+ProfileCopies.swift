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
    /// At the start: waits for the service only when there is no copy to answer from.
    ///
    /// - Throws: why the service answers neither this question nor the one for the configuration, without which nobody
    ///   can log in either.
    func takeOverLogins() async throws(TVEError) {
        guard keepsCopies else { return }
        if (try? validLogin()) ?? nil != nil { return refreshInBackground(isForced: true) }
        profileCopiesFlow.hasFailed = false
        await refreshLogins(isAnnounced: false)
        if profileCopiesFlow.hasFailed { _ = try await configuration() }
    }

    /// Asks the service while the caller continues.
    func refreshInBackground(isForced: Bool = false) {
        guard mayAskForLogins else { return }
        handle(ProfileCopiesEvent.wantedInBackground(isForced: isForced, uptime: clock.uptime()))
    }

    /// Asks the service; calls that ask at the same time share the question.
    ///
    /// - Parameter isAnnounced: whether a change is reported: a viewer who is now logged in, or logged out.
    func refreshLogins(isAnnounced: Bool) async {
        guard mayAskForLogins else { return }
        let uptime = clock.uptime()
        await pause { .wanted($0, isAnnounced: isAnnounced, uptime: uptime) }
    }

    /// Fetches the provider's current metadata about the viewer, if an authorization may have changed it.
    ///
    /// When the answer takes too long, the known metadata is used.
    func refreshMetadata() async {
        guard mayAskForLogins else { return }
        let uptime = clock.uptime()
        await pause { .metadataWanted($0, uptime: uptime) }
    }

    /// Ends a running question, so that its outdated answer does not interfere with what begins now.
    func finishRefresh() async {
        await pause { .loginWaits($0) }
    }

    private func pause(_ event: (CallID) -> ProfileCopiesEvent) async {
        await pause {
            handle(event($0))
        } leave: { session, call in
            session.handle(ProfileCopiesEvent.left(call))
        }
    }

    /// Not during a login or a logout, which decide themselves who is logged in.
    private var mayAskForLogins: Bool {
        keepsCopies && startFlow.machine.isUsable && !loginFlow.machine.isRunning && logoutFlow.machine.logout == nil
    }

    // MARK: - Effects

    func handle(_ event: ProfileCopiesEvent) {
        for effect in profileCopiesFlow.machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: ProfileCopiesEffect) {
        switch effect {
        case .ask(let number):
            profileCopiesFlow.task = Task { [weak self] in
                await self?.answer(number)
            }
        case .stop: profileCopiesFlow.task?.cancel()
        case .limit(let call):
            Task { [weak self, clock] in
                try? await clock.sleep(Self.metadataTimeLimit)
                await self?.handle(ProfileCopiesEvent.left(call))
            }
        case .proceed(let calls): proceed(calls)
        }
    }

    private func answer(_ number: Int) async {
        var isTaken = false
        do {
            isTaken = try await askForLogins(number)
            profileCopiesFlow.hasFailed = false
        } catch {
            profileCopiesFlow.hasFailed = error is ServiceError
        }
        handle(ProfileCopiesEvent.ended(question: number, isTaken: isTaken, uptime: clock.uptime()))
    }

    /// - Returns: whether the answer, or the fact that there is nothing to ask, is stored now.
    private func askForLogins(_ number: Int) async throws -> Bool {
        await finishOldLogouts()
        let left = try store.unfinishedLogouts(of: requestorID)
        let choice = try store.providerChoice(of: requestorID)
        guard !left.isOfEveryLogin, !choice.isCancelled else { return false }
        let chosen = choice.mvpdID
        let known = try storedLogin(with: chosen)
        // A login without an account is made again for every question, so the copy is used until it expires.
        let isUsedUpFirst = known.map { isValid($0) && isWithoutAccount($0) } ?? false
        if isUsedUpFirst && !profileCopiesFlow.machine.hasOldMetadata { return false }
        if let known, try isFromPlatform(known), !platformFlow.hasStatus { return false }
        var service = loaded?.first ?? services.first
        if let chosen { service = try self.service(of: chosen) }
        let found = try await foundLogins(service, chosen, known)
        // A decision in the meantime overrides the answer.
        guard profileCopiesFlow.machine.counts(number), mayAskForLogins else { return false }
        let basis = StoredBasis(requestorID: requestorID, chosen: chosen, known: known, left: left)
        let login = found.first { login in
            let mvpdID = login.token.claims.providerID
            return mayWork(with: mvpdID) && !left.concerns(mvpdID)
        }
        let wasLoggedIn = known.map(isValid) ?? false
        if let login, isValid(login.token) {
            guard try take(login, asAnswerTo: basis) else { return false }
            if profileCopiesFlow.machine.isAnnounced(number), !wasLoggedIn {
                announcedLogin(login.token, isCached: true)
            }
        } else if let known, known.text != login?.token.text {
            // The same login that has only expired by a possibly wrong clock is left alone.
            let claims = known.claims
            let isRemoved = try store.change { entitlements throws(StorageError) in
                guard try basis.stillStands(entitlements) else { return false }
                try entitlements.removeCopy(requestorID: claims.requestorID, mvpdID: claims.providerID)
                return true
            }
            guard isRemoved else { return false }
            if profileCopiesFlow.machine.isAnnounced(number), wasLoggedIn {
                announcedFailure(try notAuthenticatedError())
            }
        }
        return true
    }

    private func foundLogins(
        _ service: (any EntitlementService)?, _ chosen: MVPDID?, _ known: AuthenticationToken?
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
    private func take(_ answer: AuthenticationAnswer, asAnswerTo basis: StoredBasis) throws -> Bool {
        let (login, metadata, known) = (answer.token, answer.metadata, basis.known)
        let mvpdID = login.claims.providerID
        // A login without an account does not replace a valid one: it would last a minute.
        let isKept = known.map { isValid($0) && (isWithoutAccount($0) || isWithoutAccount(login)) } ?? false
        let isNew = !isKept && login.text != known?.text
        let mayTell = !isWithoutAccount(login) || known.map(isWithoutAccount) == true
        let isTempPass = isTempPass(login)
        return try store.change {
            [requestorID, requestor = loaded?.merged.requestor] entitlements throws(StorageError) in
            guard try basis.stillStands(entitlements) else { return false }
            if isNew {
                try entitlements.save(
                    login, metadata: metadata, canAuthenticate: !isTempPass,
                    isFromPlatform: metadata?.isFromPlatform == true)
                if let requestor { try entitlements.keepProviderCard(from: requestor) }
            } else if let metadata, mayTell {
                let old = try? entitlements.userMetadata(requestorID: requestorID, mvpdID: mvpdID)
                guard old?.data != metadata.data || old?.encrypted != metadata.encrypted else { return true }
                try entitlements.save(metadata, requestorID: requestorID, mvpdID: mvpdID)
            }
            return true
        }
    }

    /// A login without an account: a TempPass or a degraded provider's.
    func isWithoutAccount(_ login: AuthenticationToken) -> Bool {
        login.claims.isDegraded || isTempPass(login)
    }

    private static let metadataTimeLimit = Duration.seconds(5)
}

extension UserMetadata {
    /// Whether this came with a login from the platform's sign-on.
    var isFromPlatform: Bool { data["tokenSource"] == .string("Apple") }
}

/// What was stored when a service was asked for the logins it keeps: its answer counts as long as this is unchanged.
struct StoredBasis: Sendable {
    let requestorID: RequestorID
    /// The provider that the viewer had chosen.
    let chosen: MVPDID?
    /// The stored copy.
    let known: AuthenticationToken?
    /// The logouts that the service had not been told about.
    let left: UnfinishedLogouts

    /// Whether no other decision was made in the meantime, in this process or another.
    func stillStands(_ entitlements: some EntitlementReading) throws(StorageError) -> Bool {
        guard try entitlements.currentProvider(of: requestorID) == chosen,
            try entitlements.unfinishedLogouts(of: requestorID) == left,
            try !entitlements.isProviderDeselected(for: requestorID)
        else { return false }
        guard let known else {
            guard let chosen else { return true }
            return try entitlements.readableToken(requestorID: requestorID, mvpdID: chosen) == nil
        }
        return try entitlements.contains(known)
    }
}
