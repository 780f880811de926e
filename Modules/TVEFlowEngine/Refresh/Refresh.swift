import TVEModels
import TVENetworking
import TVEStorage

/// Updates the copies of logins if the service keeps the logins themselves (REST API v2).
///
/// The copy is available at once and without a network, and the service decides. An unreachable service says nothing
/// about the viewer.
final class Refresh: Flow, GivesWay {
    private(set) var machine = RefreshMachine()
    private let callers = Callers<Void>()
    /// The task of the running request, or of the last one.
    private(set) var question: Task<Void, Never>?
    /// The pause before the request that follows a start may be sent.
    private var pause: Task<Void, Never>?
    /// The time limits of calls that wait for metadata.
    private var limits: [CallID: Task<Void, Never>] = [:]
    /// A Boolean value that indicates whether the service did not answer a request since the last start.
    private var hasFailed = false

    // MARK: - Questions

    /// Updates the copy at a start, and waits for the service only if there is no copy to answer from.
    ///
    /// - Returns: a Boolean value that indicates whether there is a copy to answer from.
    /// - Throws: the error if the service answers neither this request nor the one for the configuration, without which
    ///   nobody can log in either.
    func takeOver(on actor: isolated any Actor) async throws(TVEError) -> Bool {
        if logins.readable != nil {
            inBackground(isBehindStart: true, on: actor)
            return true
        }
        hasFailed = false
        await now(on: actor)
        if hasFailed { _ = try await providers.configuration(on: actor) }
        return logins.readable != nil
    }

    /// Sends a request to the service while the caller continues.
    ///
    /// - Parameter isBehindStart: a Boolean value that indicates whether the request follows a start, so that it waits
    ///   for the first play.
    func inBackground(isBehindStart: Bool = false, on actor: isolated any Actor) {
        guard mayAsk else { return }
        handle(.wantedInBackground(isBehindStart: isBehindStart, uptime: parts.clock.uptime()), on: actor)
    }

    /// Ends the pause after a start, because a play has been answered and the request no longer competes with it for
    /// the network and the processor.
    func playAnswered() { pause?.cancel() }

    /// Sends a request to the service and waits for the answer.
    ///
    /// Simultaneous calls share one request.
    func now(on actor: isolated any Actor) async {
        await wait(on: actor) { .wanted($0, uptime: $1) }
    }

    /// Waits for the answer of the running request, if there is one.
    ///
    /// A request that follows a start is sent at once.
    func settled(on actor: isolated any Actor) async {
        if machine.question != nil { await now(on: actor) }
    }

    /// Fetches the provider's current metadata about the viewer, if an authorization may have changed it.
    ///
    /// If the answer takes too long, the known metadata is used.
    func metadata(on actor: isolated any Actor) async {
        await wait(on: actor) { .metadataWanted($0, uptime: $1) }
    }

    /// Records that a permission was granted, which may change the provider's metadata about the viewer.
    func permissionGiven(on actor: isolated any Actor) { handle(.permissionGiven, on: actor) }

    /// Ends a running request, so that its outdated answer does not interfere with the login that begins now.
    func giveWay(on actor: isolated any Actor) async {
        handle(.loginBegins, on: actor)
        if machine.question != nil { await question?.value }
    }

    /// Ends all running work because the session ends.
    func close(on actor: isolated any Actor) { handle(.closed, on: actor) }

    /// Waits for the answer to a call at an uptime, if a request may be sent.
    private func wait(on actor: isolated any Actor, _ event: (CallID, Duration) -> RefreshEvent) async {
        guard mayAsk else { return }
        pause?.cancel()
        let uptime = parts.clock.uptime()
        await callers.wait(on: actor) { call in
            handle(event(call, uptime), on: actor)
        } leave: { [self] call in
            handle(.left(call), on: actor)
        }
    }

    /// A Boolean value that indicates whether a request may be sent.
    ///
    /// During a login or a logout it may not, because they decide themselves who is logged in.
    private var mayAsk: Bool {
        logins.readiness.isUsable && !logins.isLoginUnderWay && !logins.isLogoutUnderWay
    }

    // MARK: - Effects

    private func handle(_ event: RefreshEvent, on actor: isolated any Actor) {
        for effect in machine.handle(event) { perform(effect, on: actor) }
    }

    private func perform(_ effect: RefreshEffect, on actor: isolated any Actor) {
        switch effect {
        case .ask(let isBehindStart):
            let pause = isBehindStart ? Self.pause(parts.clock) : nil
            self.pause = pause
            question = Task {
                await pause?.value
                if isBehindStart { handle(.questionBegins, on: actor) }
                // A closed session sends nothing, neither before its flows have ended nor afterwards. A logout that has
                // begun during the pause is sent once.
                let isLate = Task.isCancelled || !parts.isOpen || isBehindStart && !mayAsk
                let isTaken = isLate ? false : await ask()
                handle(.ended(isTaken: isTaken, uptime: parts.clock.uptime()), on: actor)
            }
        case .stop:
            question?.cancel()
            pause?.cancel()
        case .limit(let call):
            limits[call] = Task {
                try? await parts.clock.sleep(Self.metadataTimeLimit)
                if !Task.isCancelled { handle(.left(call), on: actor) }
            }
        case .proceed(let calls):
            for call in calls { limits.removeValue(forKey: call)?.cancel() }
            callers.answer(calls, ())
        }
    }

    // MARK: - Asking

    /// Sends a request for the logins.
    ///
    /// - Returns: a Boolean value that indicates whether the answer, or the fact that there is nothing to request, is
    ///   now stored.
    nonisolated(nonsending) private func ask() async -> Bool {
        do {
            return try await askForLogins()
        } catch {
            hasFailed = error is ServiceError
            return false
        }
    }

    nonisolated(nonsending) private func askForLogins() async throws -> Bool {
        let decisions = logins.decisions
        await logins.tellUntold()
        let basis = try StoredBasis(of: parts.requestorID, in: parts.store)
        let (untold, chosen) = (basis.untold, basis.choice.mvpdID)
        // A pending logout of every login does not concern a login that was made later.
        let isNewer = chosen.map(untold.newer.contains) ?? false
        guard !untold.isOfEveryLogin || isNewer, !basis.isDeselected else { return false }
        let known = try logins.stored(with: chosen)
        // The service creates a login without an account again for every request, so the copy is used until it expires.
        let isUsedUpFirst = known.map { logins.isValid($0) && logins.isWithoutAccount($0) } ?? false
        if isUsedUpFirst && !machine.hasOldMetadata { return false }
        // A valid token of the other dialect stays, because another app that uses the store may still need it.
        if known == nil, basis.choice.token?.isExpired(at: parts.clock.now()) == false { return false }
        let service = try providers.service(of: chosen)
        let found: [AuthenticationAnswer]
        do throws(ServiceError) {
            found = try await logins.keptLogins(at: service, with: chosen, knowing: known)
        } catch {
            // Only the time of a TempPass can be over.
            guard case .denied(let denial) = error, denial.reason == .temporaryAccessOver,
                known.map(providers.isTempPass) != false
            else { throw error }
            // The login stays, because the service decides about each play.
            if denial.isAboutResourcesOfTempPass { return true }
            found = []
        }
        // A decision in the meantime overrides the answer. These conditions are about this process and need no store.
        // The basis is about other processes as well, so it is checked in the transaction.
        guard decisions == logins.decisions, !Task.isCancelled, mayAsk else { return false }
        let login = found.first { logins.counts($0.token, despite: untold) }
        let wasLoggedIn = known.map(logins.isValid) ?? false
        if let login, logins.isValid(login.token) {
            guard try take(login, insteadOf: known, asAnswerTo: basis) else { return false }
            if machine.isAnnounced, !wasLoggedIn {
                reports.announce(login: logins.profile(of: login.token), isCached: true)
            }
        } else if let known, known.text != login?.token.text,
            found.isEmpty || logins.counts(known, despite: untold) || untold.concerns(known.claims.providerID)
        {
            // The same login, which has expired only by a possibly wrong clock, stays stored. So does a login whose
            // provider the configuration leaves out, because another configuration may have it.
            let claims = known.claims
            let isRemoved = try parts.store.change { entitlements throws(StorageError) in
                guard try basis.stillStands(entitlements) else { return false }
                try entitlements.removeCopy(requestorID: claims.requestorID, mvpdID: claims.providerID)
                return true
            }
            guard isRemoved else { return false }
            if machine.isAnnounced, wasLoggedIn { reports.announce(failure: try logins.whyNobody()) }
        }
        return true
    }

    /// Stores the service's answer, unless this or another process decided otherwise in the meantime.
    ///
    /// - Parameters:
    ///   - answer: the login that the service has.
    ///   - known: the stored copy.
    ///   - basis: the stored data on which the request was based.
    /// - Returns: a Boolean value that indicates whether the basis of the request was unchanged.
    private func take(
        _ answer: AuthenticationAnswer, insteadOf known: AuthenticationToken?, asAnswerTo basis: StoredBasis
    ) throws -> Bool {
        let (login, metadata) = (answer.token, answer.metadata)
        let mvpdID = login.claims.providerID
        // A login without an account does not replace a valid one: it would last a minute.
        let isKept =
            known.map { logins.isValid($0) && (logins.isWithoutAccount($0) || logins.isWithoutAccount(login)) } ?? false
        let isNew = !isKept && login.text != known?.text
        let mayTell = !logins.isWithoutAccount(login) || known.map(logins.isWithoutAccount) == true
        let isTempPass = providers.isTempPass(login)
        let isTaken = try parts.store.change {
            [requestorID = parts.requestorID, requestor = providers.requestorForCards] entitlements throws(StorageError)
            in
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
        // The page would end the new login at the provider.
        if isTaken, isNew { logins.forget(logoutPageOf: mvpdID) }
        return isTaken
    }

    private static let metadataTimeLimit = Duration.seconds(5)
    private static func pause(_ clock: SessionClock) -> Task<Void, Never> {
        Task { _ = try? await clock.sleep(longestPause) }
    }

    /// The time that the request after a start waits for the first play.
    static let longestPause = Duration.seconds(3)
}
