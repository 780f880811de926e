import TVEModels
import TVENetworking
import TVEStorage

/// The flow that updates the copies of logins if the service keeps the logins themselves (REST API v2).
///
/// The copy is available at once and without a network, and the service decides. An unreachable service says nothing
/// about the viewer. At most one request runs, and a login that begins ends it first.
final class Refresh: Flow, EndsBeforeLogin {
    /// A request to the service for the logins that it keeps.
    private struct Request {
        /// A Boolean value that indicates whether to report a login that the request finds.
        ///
        /// If a call begins the request, the call acts on the login itself. The end of a login is always reported.
        let isAnnounced: Bool
        /// The calls that wait for the request.
        var calls: [CallID] = []
        /// A Boolean value that indicates whether a permission was granted after the request was sent.
        var isOutdated = false
        /// A Boolean value that indicates whether the request was cancelled because of a login and has not ended yet.
        var isEnding = false
    }

    private let callers = Callers<Void>()
    /// The request that is running, or `nil` if none is.
    private var current: Request?
    /// The task of the running request, or of the last one.
    private(set) var task: Task<Void, Never>?
    /// The pause before the request that follows a start may be sent.
    private var pause: Task<Void, Never>?
    /// The wait for the end of the service's backoff, for a request that no call waits for.
    private var backoff: Task<Void, Never>?
    /// The uptime at which the last request was sent to the service.
    private(set) var lastRequest: Duration?
    /// A Boolean value that indicates whether the service did not answer a request since the last start.
    private var hasFailed = false
    /// A Boolean value that indicates whether a permission may have changed the provider's metadata about the viewer.
    private var hasOldMetadata = false
    /// The uptime at which a request for metadata last failed.
    private var lastFailedAnswer: Duration?
    /// The calls that wait for the current metadata, with their time limits.
    private var metadataCalls: [CallID: Task<Void, Never>] = [:]

    // MARK: - Reads

    /// Updates the copy at a start, and waits for the service only if there is no copy to answer from.
    ///
    /// - Returns: a Boolean value that indicates whether there is a copy to answer from.
    /// - Throws: the error if the service answers neither this request nor the one for the configuration, without which
    ///   nobody can log in either.
    func takeOver(on actor: isolated any Actor) async throws(TVEError) -> Bool {
        if logins.readable != nil {
            inBackground(followsStart: true, on: actor)
            return true
        }
        hasFailed = false
        await now(on: actor)
        if hasFailed { _ = try await providers.configuration(on: actor) }
        return logins.readable != nil
    }

    /// Sends a request to the service while the caller continues.
    ///
    /// The request is not repeated soon, because every request counts against the throttle.
    ///
    /// - Parameter followsStart: a Boolean value that indicates whether the request follows a start, so that it is
    ///   sent in any case and waits for the first play.
    func inBackground(followsStart: Bool = false, on actor: isolated any Actor) {
        guard logins.mayBeRefreshed, current == nil, followsStart || !isSoon(after: lastRequest) else { return }
        begin(isAnnounced: true, followsStart: followsStart, on: actor)
    }

    /// Ends the pause after a start, because a play has been answered and the request no longer competes with it for
    /// the network and the processor.
    func playAnswered() { pause?.cancel() }

    /// Sends a request to the service and waits for the answer.
    ///
    /// Simultaneous calls share one request.
    func now(on actor: isolated any Actor) async {
        await wait(on: actor) { call in
            guard current?.isEnding != true else { return callers.answer([call], ()) }
            if current == nil { begin(isAnnounced: false, on: actor) }
            current?.calls.append(call)
            endWaits()
        }
    }

    /// Waits for the answer of the running request, if there is one.
    ///
    /// A request that follows a start is sent at once.
    func settled(on actor: isolated any Actor) async {
        if current != nil { await now(on: actor) }
    }

    /// Fetches the provider's current metadata about the viewer, if an authorization may have changed it.
    ///
    /// If the answer takes too long, the known metadata is used. A request that failed is not repeated soon.
    func metadata(on actor: isolated any Actor) async {
        await wait(on: actor) { call in
            let isWanted = hasOldMetadata && !isSoon(after: lastFailedAnswer)
            guard current?.isEnding != true, isWanted else { return callers.answer([call], ()) }
            if current == nil { begin(isAnnounced: true, on: actor) }
            limitWait(of: call, on: actor)
            endWaits()
        }
    }

    /// Limits the time for which a call waits for the current metadata.
    private func limitWait(of call: CallID, on actor: isolated any Actor) {
        metadataCalls[call] = Task {
            // The closure names the actor so that it runs in turns of the session.
            _ = actor
            try? await parts.clock.sleep(Self.metadataTimeLimit)
            if !Task.isCancelled { leave(call) }
        }
    }

    /// Records that a permission was granted, which may change the provider's metadata about the viewer.
    func permissionGiven() {
        hasOldMetadata = true
        current?.isOutdated = true
    }

    /// Ends a running request, so that its outdated answer does not interfere with the login that begins now.
    func endBeforeLogin(on actor: isolated any Actor) async {
        stop()
        if current != nil { await task?.value }
    }

    /// Ends all running work because the session ends.
    func close(on actor: isolated any Actor) {
        stop()
        ended(isTaken: false, on: actor)
    }

    private func wait(on actor: isolated any Actor, _ begin: (CallID) -> Void) async {
        guard logins.mayBeRefreshed else { return }
        await callers.wait(on: actor, begin) { [self] call in leave(call) }
    }

    /// Lets a call continue that was cancelled or has waited long enough.
    private func leave(_ call: CallID) {
        metadataCalls.removeValue(forKey: call)?.cancel()
        current?.calls.removeAll { $0 == call }
        callers.answer([call], ())
    }

    private func isSoon(after uptime: Duration?) -> Bool {
        uptime.map { parts.clock.uptime() - $0 < Self.freshness } ?? false
    }

    // MARK: - The request

    private func begin(isAnnounced: Bool, followsStart: Bool = false, on actor: isolated any Actor) {
        lastRequest = parts.clock.uptime()
        current = Request(isAnnounced: isAnnounced)
        let pause = followsStart ? Self.pause(parts.clock) : nil
        self.pause = pause
        task = Task {
            await pause?.value
            await waitOutBackoff()
            // The answer reflects the permissions that were granted while the request waited.
            current?.isOutdated = false
            // A closed session sends nothing, neither before its flows have ended nor afterwards. A logout that has
            // begun during the pause is sent once.
            let isLate = Task.isCancelled || !parts.isOpen || !logins.mayBeRefreshed
            // A request that was not sent must not delay the next one.
            lastRequest = isLate ? nil : parts.clock.uptime()
            ended(isTaken: isLate ? false : await sendRequest(), on: actor)
        }
    }

    /// Waits until the service no longer asks for a backoff, unless a call waits for the request.
    nonisolated(nonsending) private func waitOutBackoff() async {
        guard current?.calls.isEmpty == true, metadataCalls.isEmpty, current?.isEnding == false,
            let service = try? providers.service(of: logins.chosenProvider())
        else { return }
        backoff = Task { [pacer = parts.pacer, root = service.root] in await pacer?.waitOutBackoff(of: root) }
        await backoff?.value
    }

    /// Lets the request be sent at once.
    private func endWaits() {
        pause?.cancel()
        backoff?.cancel()
    }

    /// Cancels the running request, whose end is still handled.
    private func stop() {
        guard current?.isEnding == false else { return }
        current?.isEnding = true
        // A cancelled request must not delay the next one.
        lastRequest = nil
        task?.cancel()
        endWaits()
    }

    /// Handles the end of the running request.
    ///
    /// - Parameter isTaken: a Boolean value that indicates whether the answer is now stored.
    private func ended(isTaken: Bool, on actor: isolated any Actor) {
        guard let ended = current else { return }
        current = nil
        callers.answer(ended.calls, ())
        if !ended.isEnding {
            if isTaken, !ended.isOutdated { hasOldMetadata = false }
            // A request that was already running may have begun before the change.
            if !metadataCalls.isEmpty, ended.isOutdated { return begin(isAnnounced: true, on: actor) }
        }
        guard !metadataCalls.isEmpty else { return }
        lastFailedAnswer = hasOldMetadata ? parts.clock.uptime() : nil
        for call in metadataCalls.keys.sorted() { leave(call) }
    }

    /// Sends a request for the logins.
    ///
    /// - Returns: a Boolean value that indicates whether the answer, or the fact that there is nothing to request, is
    ///   now stored.
    nonisolated(nonsending) private func sendRequest() async -> Bool {
        do {
            return try await requestLogins()
        } catch {
            // A service that has found no login without a proof has answered.
            hasFailed = error is ServiceError && error as? ServiceError != .loginNotProven
            return false
        }
    }

    nonisolated(nonsending) private func requestLogins() async throws -> Bool {
        let decisions = logins.decisions
        await logins.sendPendingLogouts()
        let basis = try StoredBasis(of: parts.requestorID, in: parts.store)
        let pending = basis.pendingLogouts
        // A pending logout of every login does not concern a login that was made later.
        let isNewer = basis.choice.mvpdID.map(pending.newer.contains) ?? false
        guard !pending.isOfEveryLogin || isNewer, !basis.isDeselected else { return false }
        let known = try logins.stored(with: basis.choice.mvpdID)
        // The service creates a login without an account again for every request, so the copy is used until it expires.
        if let known, logins.isValid(known), logins.isWithoutAccount(known), !hasOldMetadata { return false }
        // A valid token of the other dialect stays, because another app that uses the store may still need it.
        if known == nil, basis.choice.token?.isExpired(at: parts.clock.now()) == false { return false }
        let service = try providers.service(of: basis.choice.mvpdID)
        let found: [AuthenticationAnswer]
        do throws(ServiceError) {
            found = try await logins.keptLogins(at: service, with: basis.choice.mvpdID, knowing: known)
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
        guard decisions == logins.decisions, !Task.isCancelled, logins.mayBeRefreshed else { return false }
        let login = found.first { logins.isAllowed($0.token, given: pending) }
        let wasLoggedIn = known.map(logins.isValid) ?? false
        if let login, logins.isValid(login.token) {
            guard try take(login, insteadOf: known, asAnswerTo: basis) else { return false }
            if current?.isAnnounced == true, !wasLoggedIn {
                reports.announce(login: logins.profile(of: login.token), isCached: true)
            }
        } else if let known, known.text != login?.token.text,
            found.isEmpty || logins.isAllowed(known, given: pending) || pending.concerns(known.claims.providerID)
        {
            // The same login, which has expired only by a possibly wrong clock, stays stored. So does a login whose
            // provider the configuration leaves out, because another configuration may have it.
            let isRemoved = try parts.store.change { entitlements throws(StorageError) in
                guard try basis.isUnchanged(in: entitlements) else { return false }
                try entitlements.removeCopy(requestorID: known.claims.requestorID, mvpdID: known.claims.providerID)
                return true
            }
            guard isRemoved else { return false }
            if wasLoggedIn { reports.announce(failure: try logins.errorForMissingLogin()) }
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
        let login = answer.token
        // A login without an account does not replace a valid one: it would last a minute.
        let isKept =
            known.map { logins.isValid($0) && (logins.isWithoutAccount($0) || logins.isWithoutAccount(login)) } ?? false
        let isNew = !isKept && login.text != known?.text
        let mayReplaceMetadata = !logins.isWithoutAccount(login) || known.map(logins.isWithoutAccount) == true
        let isTempPass = providers.isTempPass(login)
        let isTaken = try parts.store.change {
            [requestorID = parts.requestorID, requestor = providers.prepareChange()] entitlements throws(StorageError)
            in
            guard try basis.isUnchanged(in: entitlements) else { return false }
            if isNew {
                try entitlements.save(
                    login, metadata: answer.metadata, canAuthenticate: !isTempPass,
                    isFromPlatform: answer.metadata?.isFromPlatform == true)
                if let requestor { try entitlements.keepProvider(from: requestor) }
            } else if let metadata = answer.metadata, mayReplaceMetadata {
                let old = try? entitlements.userMetadata(requestorID: requestorID, mvpdID: login.claims.providerID)
                guard old?.data != metadata.data || old?.encrypted != metadata.encrypted else { return true }
                try entitlements.save(metadata, requestorID: requestorID, mvpdID: login.claims.providerID)
            }
            return true
        }
        // The page would end the new login at the provider.
        if isTaken, isNew { logins.forget(logoutPageOf: login.claims.providerID) }
        return isTaken
    }

    /// The time within which a second request is not sent.
    private static let freshness = Duration.seconds(30)
    private static let metadataTimeLimit = Duration.seconds(5)
    private static func pause(_ clock: SessionClock) -> Task<Void, Never> {
        Task { _ = try? await clock.sleep(longestPause) }
    }

    /// The time that the request after a start waits for the first play.
    static let longestPause = Duration.seconds(3)
}
