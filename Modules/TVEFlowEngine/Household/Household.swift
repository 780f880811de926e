import Foundation
public import TVEModels
public import TVENetworking
import TVEStorage

/// The household of a device: the devices that share one login through the vendor's single sign-on service.
///
/// A device joins for an account of the programmer or with a code of another device. From then on the session shows the
/// household's token with each request that may carry it, and finds the login of another device. The token is kept in the
/// session's storage and renewed before its end; a storage that seals what it stores seals the token too.
///
/// All calls may be made from any task. Those that ask the service wait for some exchanges at most, each within the
/// transport's time limit.
public final class Household: Sendable, Redacting {
    private let service: HouseholdService
    private let store: InstallationStore
    private let requestorID: RequestorID
    private let fingerprint: String
    private let clock: SessionClock
    private let isOpen: @Sendable () -> Bool
    private let memory = Guarded(Memory())
    private let renewal = SingleFlight<Renewal>()

    private struct Memory {
        /// The stored membership as it was read last; nil before the first reading.
        var known: StoredMembership??
        /// When the service may be asked for a new token after it did not answer.
        var nextRenewal: Date?
        /// Tells the service that this device has left.
        var farewell: Task<Void, Never>?
    }

    /// The outcome of renewing a token.
    private enum Renewal {
        case renewed(StoredMembership)
        /// The service has decided: the membership is over.
        case over(StoredMembership.State)
        case failed(HouseholdError)
    }

    /// - Parameter isOpen: whether the session was not closed.
    init(
        _ service: HouseholdService, store: InstallationStore, requestorID: RequestorID, fingerprint: String,
        clock: SessionClock, isOpen: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        self.store = store
        self.requestorID = requestorID
        self.fingerprint = fingerprint
        self.clock = clock
        self.isOpen = isOpen
    }

    /// The type, and nothing of the membership.
    public var redactedDescription: String { "Household" }

    // MARK: - Joining and leaving

    /// Whether this device belongs to a household, from storage alone.
    ///
    /// - Throws: `TVEError.storageFailed`.
    public func membership() throws(TVEError) -> HouseholdMembership {
        switch try stored()?.state {
        case nil: .none
        case .member?: .member
        case .ended?: .ended
        case .unlinked?: .unlinked
        }
    }

    /// Joins the household of an account of the programmer, whose devices find each other by its id.
    ///
    /// Call it after the viewer has logged in to the account, and before the login with the TV provider: a login that was
    /// made before is not shared. A device that belongs to another household changes to this one.
    ///
    /// - Parameter account: the id of the account, the same on every device; it is kept as long as the membership.
    /// - Throws: `TVEError`: `householdNotOffered`, `throttled`, `serviceUnreachable`, `serviceFailed`, `storageFailed`,
    ///   and what the registration of the application throws.
    public func join(account: String) async throws(TVEError) {
        try checkIsOpen()
        await settleFarewell()
        try keep(
            try await asking { () throws(HouseholdError) in try await service.token(forAccount: account) }, account)
    }

    /// Joins the household of another device with the code that it shows.
    ///
    /// A code is good for one device. If the membership cannot be stored, the code is used up all the same.
    ///
    /// - Parameter code: the code as the viewer typed it.
    /// - Throws: `TVEError`: `linkCodeInvalid`, and what ``join(account:)`` throws.
    public func join(code: LinkCode) async throws(TVEError) {
        try checkIsOpen()
        await settleFarewell()
        try keep(try await asking { () throws(HouseholdError) in try await service.token(joiningWith: code) }, nil)
    }

    /// Makes a household of this device alone, for viewers without an account of the programmer; others join with a code.
    ///
    /// Call it before the login with the TV provider: a login that was made before is not shared. A device that already is
    /// a member stays where it is.
    ///
    /// - Throws: `TVEError`: what ``join(account:)`` throws.
    public func create() async throws(TVEError) {
        guard try membership() != .member else { return try checkIsOpen() }
        // Only the service ever sees it, so nobody can guess it.
        try await join(account: UUID().uuidString)
    }

    /// Takes this device out of its household; the others stay, and so does a login that this device has made.
    ///
    /// The service is told, and the device counts as gone whether or not it answers.
    ///
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured` for a closed session; then nothing has changed.
    public func leave() async throws(TVEError) {
        try checkIsOpen()
        try forget()
        await memory.withLock(\.farewell)?.value
    }

    /// Forgets the membership at once, and tells the service behind the call.
    func forget() throws(TVEError) {
        guard let membership = try stored() else { return }
        try write(nil)
        guard membership.state == .member else { return }
        let token = Self.token(membership)
        let farewell = Task { [service, clock] in
            _ = await clock.run(atMost: Self.longestFarewell) { try? await service.unlink([service.deviceID], token) }
        }
        memory.withLock { $0.farewell = farewell }
    }

    /// Waits until the service has heard that this device has left, so that it does not take the next joining back.
    private func settleFarewell() async {
        guard let farewell = memory.withLock(\.farewell) else { return }
        _ = await clock.run(atMost: Self.longestWait) { await farewell.value }
        farewell.cancel()
    }

    // MARK: - Devices

    /// Makes a code with which another device joins the household.
    ///
    /// - Returns: the code, which ends soon: show it at once, with its end.
    /// - Throws: `TVEError`: `notInHousehold`, and what ``join(account:)`` throws.
    public func linkCode() async throws(TVEError) -> LinkCode {
        try await withToken { (token) throws(HouseholdError) in try await self.service.linkCode(token) }
    }

    /// Lists the devices of the household.
    ///
    /// - Returns: the devices, the one that was seen last first.
    /// - Throws: `TVEError`: `notInHousehold`, and what ``join(account:)`` throws.
    public func devices() async throws(TVEError) -> [HouseholdDevice] {
        try await withToken { (token) throws(HouseholdError) in try await self.service.devices(token) }
    }

    /// Removes devices from the household: their next question finds no shared login.
    ///
    /// - Parameter devices: the ids from ``devices()``. This device leaves with ``leave()``.
    /// - Returns: which were unlinked, and which were not.
    /// - Throws: `TVEError`: `notInHousehold`, and what ``join(account:)`` throws.
    public func unlink(_ devices: [HouseholdDevice.ID]) async throws(TVEError) -> UnlinkedDevices {
        try await withToken { (token) throws(HouseholdError) in try await self.service.unlink(devices, token) }
    }

    /// The id under which the household lists this device.
    public var deviceID: HouseholdDevice.ID { service.deviceID }

    /// Does something with a valid token; one that the service refuses is renewed once.
    private func withToken<Value: Sendable>(
        _ ask: @Sendable (ServiceToken) async throws(HouseholdError) -> Value
    ) async throws(TVEError) -> Value {
        try checkIsOpen()
        guard let membership = try stored(), membership.state == .member else { throw .notInHousehold }
        var token = Self.token(membership)
        if !isFresh(token) { token = try await renewedToken(insteadOf: membership) }
        do throws(HouseholdError) {
            return try await ask(token)
        } catch .tokenRefused, .tokenEnded {
            // Another process may have renewed it, or the clocks differ.
            token = try await renewedToken(insteadOf: membership)
        } catch {
            throw TVEError(error)
        }
        return try await asking { () throws(HouseholdError) in try await ask(token) }
    }

    private func renewedToken(insteadOf membership: StoredMembership) async throws(TVEError) -> ServiceToken {
        switch await renew(membership) {
        case .renewed(let renewed)?: return Self.token(renewed)
        case .over?: throw .notInHousehold
        case .failed(let error)?: throw TVEError(error)
        case nil: throw TVEError(.service(.transport(.cancelled)))
        }
    }

    private func asking<Value>(
        _ ask: () async throws(HouseholdError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(HouseholdError) {
            return try await ask()
        } catch {
            throw TVEError(error)
        }
    }

    private func checkIsOpen() throws(TVEError) { if !isOpen() { throw .sessionIsClosed } }

    // MARK: - The proof

    /// The proof for a request of the session.
    ///
    /// No request waits long for it: without an answer the last token counts until its end, and after that nobody can tell.
    ///
    /// - Parameter isRenewed: whether the last token was of no use.
    func proof(isRenewed: Bool) async -> HouseholdProof {
        // Without its storage nobody can tell.
        guard isOpen(), let stored = try? stored(isAnew: isRenewed) else { return .none }
        switch stored.state {
        case .ended: return .none
        case .unlinked: return .hasLeft
        case .member: break
        }
        let token = Self.token(stored)
        if isFresh(token), !isRenewed { return .token(token.value) }
        let usable: HouseholdProof = token.expires > clock.now() ? .token(token.value) : .none
        // A viewer waits: a service that did not answer is not asked again with the next request.
        if !isRenewed, let next = memory.withLock(\.nextRenewal), clock.now() < next { return usable }
        let renewal = await clock.run(atMost: Self.longestWait) { [self] in await renew(stored) } ?? nil
        switch renewal {
        case .renewed(let renewed): return .token(renewed.token)
        case .over(.unlinked): return .hasLeft
        case .over: return .none
        case .failed, nil:
            let next = clock.now().addingTimeInterval(Self.pauseAfterFailure)
            memory.withLock { $0.nextRenewal = next }
            return usable
        }
    }

    private func isFresh(_ token: ServiceToken) -> Bool {
        token.expires > clock.now().addingTimeInterval(Self.renewalBeforeEnd)
    }

    /// Renews the token of a membership, once for all callers.
    ///
    /// - Returns: nil when the calling task was cancelled.
    private func renew(_ membership: StoredMembership) async -> Renewal? {
        await renewal.run { [self] in
            // Another process, or the last renewal, may have been faster.
            if let kept = (try? stored(isAnew: true)) ?? nil, kept != membership { return Self.outcome(kept) }
            let outcome = await askForRenewal(membership)
            guard case .failed = outcome else {
                memory.withLock { $0.nextRenewal = nil }
                return settle(outcome, membership)
            }
            return outcome
        }
    }

    private static func outcome(_ kept: StoredMembership) -> Renewal {
        kept.state == .member ? .renewed(kept) : .over(kept.state)
    }

    private func askForRenewal(_ membership: StoredMembership) async -> Renewal {
        let token = Self.token(membership)
        do throws(HouseholdError) {
            return .renewed(Self.membership(try await service.renewed(token), membership.account))
        } catch .tokenRefused where token.expires > clock.now() {
            // A token that has not ended is refused only to a device that was unlinked.
            return .over(.unlinked)
        } catch .tokenEnded, .tokenRefused {
            guard let account = membership.account else { return .over(.ended) }
            do throws(HouseholdError) {
                return .renewed(Self.membership(try await service.token(forAccount: account), account))
            } catch {
                return .failed(error)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Stores the outcome of a renewal: a token is a copy, and that the membership is over is a decision of the service.
    private func settle(_ outcome: Renewal, _ membership: StoredMembership) -> Renewal {
        var settled = membership
        switch outcome {
        case .renewed(let renewed): settled = renewed
        case .over(let state): settled.state = state
        case .failed: return outcome
        }
        do throws(StorageError) {
            let isStored = try store.setMembership(
                settled, requestorID: requestorID, fingerprint: fingerprint, ifStillIs: membership)
            // The device has joined or left a household in the meantime.
            guard isStored else { return (try stored(isAnew: true)).map(Self.outcome) ?? .over(.ended) }
        } catch {
            // Used until it ends; the next start renews the stored one.
        }
        memory.withLock { $0.known = .some(settled) }
        return outcome
    }

    // MARK: - Storage

    private func keep(_ token: ServiceToken, _ account: String?) throws(TVEError) {
        try write(Self.membership(token, account))
    }

    private func write(_ membership: StoredMembership?) throws(TVEError) {
        do throws(StorageError) {
            try store.setMembership(membership, requestorID: requestorID, fingerprint: fingerprint)
        } catch {
            throw TVEError(error)
        }
        memory.withLock {
            $0.known = .some(membership)
            $0.nextRenewal = nil
        }
    }

    private func stored() throws(TVEError) -> StoredMembership? {
        do throws(StorageError) {
            return try stored(isAnew: false)
        } catch {
            throw TVEError(error)
        }
    }

    /// - Parameter isAnew: whether the store is read even though it was read before.
    private func stored(isAnew: Bool) throws(StorageError) -> StoredMembership? {
        if !isAnew, let known = memory.withLock(\.known) { return known }
        let read = try store.membership(requestorID: requestorID, fingerprint: fingerprint)
        memory.withLock { $0.known = .some(read) }
        return read
    }

    private static func token(_ membership: StoredMembership) -> ServiceToken {
        ServiceToken(value: membership.token, expires: Date(timeIntervalSince1970: membership.expires))
    }

    private static func membership(_ token: ServiceToken, _ account: String?) -> StoredMembership {
        StoredMembership(token: token.value, expires: token.expires, account: account)
    }

    /// Five minutes.
    private static let renewalBeforeEnd: TimeInterval = 300
    /// A minute.
    private static let pauseAfterFailure: TimeInterval = 60
    /// For a request that a viewer waits for.
    private static let longestWait = Duration.seconds(5)
    private static let longestFarewell = Duration.seconds(30)
}
