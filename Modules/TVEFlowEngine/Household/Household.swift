import Foundation
public import TVEModels
public import TVENetworking
import TVEStorage

/// The household of a device: the devices that share one login through the vendor's single sign-on service.
///
/// A device joins with an account of the programmer or with a code from another device. After that, the session sends
/// the household's token with each request that may carry it, and receives the login of another device. The token is
/// kept in the session's storage and is renewed before it expires. A storage that seals its values seals the token too.
///
/// The methods can be called from any task. Methods that contact the service make a few requests at most, each within
/// the transport's time limit.
public final class Household: Sendable, Redacting {
    private let service: HouseholdService
    private let kept: KeptMembership
    private let clock: SessionClock
    private let isOpen: @Sendable () -> Bool
    private let memory = Guarded(Memory())
    private let renewal = SingleFlight<Result<StoredMembership, HouseholdError>>()
    private let departure: HouseholdDeparture
    /// The creation of a household that is under way, which a second call joins.
    let creation = SingleFlight<Result<Void, TVEError>>()
    /// The logout of the whole household that is under way, which a second call joins.
    let householdLogouts = SingleFlight<Result<Void, TVEError>>()

    private struct Memory {
        /// The time without renewals after the service did not answer one, or gave a token that does not last long.
        ///
        /// If the clock is set back to a time before its beginning, it is over.
        var renewalPause: Range<Date>?
        /// The number of times that the device has left its household, or the viewer has logged out.
        var departures = 0
    }

    /// Creates the household of a session.
    ///
    /// - Parameter isOpen: a closure that returns whether the session is still open.
    init(
        _ service: HouseholdService, store: InstallationStore, requestorID: RequestorID, fingerprint: String,
        clock: SessionClock, isOpen: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        kept = KeptMembership(in: store, requestorID: requestorID, fingerprint: fingerprint)
        self.clock = clock
        self.isOpen = isOpen
        departure = HouseholdDeparture(service, clock: clock)
    }

    /// The name of the type, without any data of the membership.
    public var redactedDescription: String { "Household" }

    // MARK: - Joining and leaving

    /// Returns the device's membership in a household from storage, without a request to the service.
    ///
    /// - Throws: `TVEError.storageFailed`.
    public func membership() throws(TVEError) -> HouseholdMembership { try facts().membership }

    /// Returns the facts of the stored membership, without a request to the service.
    ///
    /// - Throws: `TVEError.storageFailed`.
    package func facts() throws(TVEError) -> HouseholdFacts {
        guard let stored = try stored(), stored.state != .left else { return HouseholdFacts(membership: .none) }
        let origin: HouseholdFacts.Origin =
            if stored.account == nil { .code } else { stored.isMadeHere == true ? .thisDevice : .account }
        let membership: HouseholdMembership =
            switch stored.state {
            case .left: .none
            case .member: .member
            case .ended: .ended
            case .unlinked: .unlinked
            }
        return HouseholdFacts(membership: membership, origin: origin, tokenExpires: stored.serviceToken.expires)
    }

    /// Joins the household of an account of the programmer.
    ///
    /// The devices of the household share the account's id.
    ///
    /// Call this method after the viewer has logged in to the account and before the login with the TV provider,
    /// because an earlier login is not shared. A device that belongs to another household moves to this one. The
    /// service is notified of that in a task that the caller does not wait for.
    ///
    /// - Parameter account: the id of the account, which is the same on every device. It is stored for the duration of
    ///   the membership. An empty id is refused without a request, with `serviceFailed` and the recovery
    ///   `fixConfiguration`.
    /// - Throws: `TVEError`: `householdNotOffered`, `throttled`, `serviceUnreachable`, `serviceFailed`,
    ///   `storageFailed`, `notInHousehold` if the viewer logged out or the device left its household during the call,
    ///   `requestorNotConfigured` for a closed session, and the errors of the application's registration.
    public func join(account: String) async throws(TVEError) {
        try await join(account: account, isMadeHere: false)
    }

    private func join(account: String, isMadeHere: Bool) async throws(TVEError) {
        try await join(with: account, isMadeHere: isMadeHere) { () throws(HouseholdError) in
            try await service.token(forAccount: account)
        }
    }

    /// Joins a household, unless the viewer logs out or the session ends meanwhile.
    private func join(
        with account: String? = nil, isMadeHere: Bool? = nil, _ send: () async throws(HouseholdError) -> ServiceToken
    ) async throws(TVEError) {
        try checkIsOpen()
        let departures = memory.withLock(\.departures)
        await departure.settle()
        let membership = StoredMembership(
            try await convertingErrors(send), receivedAt: clock.now(), account: account, isMadeHere: isMadeHere)
        guard isOpen(), memory.withLock(\.departures) == departures else {
            // A code or an account may lead back into the same household, which must not unlink the device then.
            let known = (try? stored()).flatMap { $0.state == .member ? $0 : nil }
            if membership.serviceToken.isOfOtherHousehold(than: known?.serviceToken) { departure.begin(membership) }
            try checkIsOpen()
            throw .leftWhileJoining
        }
        let (isStored, earlier) = try write(membership)
        guard isStored else {
            // Another process has joined a household, in which the device stays.
            return departure.begin(membership)
        }
        if let earlier, earlier.state == .member,
            membership.serviceToken.isOfOtherHousehold(than: earlier.serviceToken)
        {
            departure.begin(earlier)
        }
        // A logout that began while the membership was being stored did not find it, and may have removed it since.
        guard memory.withLock(\.departures) == departures else {
            // A later join may have stored its own membership meanwhile.
            let later = kept.replaceMembership(membership, by: .left) ? nil : try? stored()
            if membership.serviceToken.isOfOtherHousehold(than: later?.serviceToken) { departure.begin(membership) }
            throw .leftWhileJoining
        }
    }

    /// Joins the household of another device with the code that it shows.
    ///
    /// A code is valid for one device. It is used up even if the membership cannot be stored.
    ///
    /// - Parameter code: the code as the viewer typed it.
    /// - Throws: `TVEError`: `linkCodeInvalid`, and the errors of ``join(account:)``.
    public func join(code: LinkCode) async throws(TVEError) {
        try await join { () throws(HouseholdError) in try await service.token(joiningWith: code) }
    }

    /// Creates a household of this device alone, for viewers without an account of the programmer.
    ///
    /// Other devices join with a code.
    ///
    /// Call this method before the login with the TV provider, because an earlier login is not shared. A device that is
    /// already a member stays in its household.
    ///
    /// - Throws: `TVEError`: the errors of ``join(account:)``.
    public func create() async throws(TVEError) {
        let answer: Void? = try await creation.run { [self] () async throws(TVEError) -> Void in
            guard try membership() != .member else { return try checkIsOpen() }
            // Only the service receives this random id, so nobody else can join with it.
            try await join(account: UUID().uuidString, isMadeHere: true)
        }
        if answer == nil { throw TVEError(.service(.transport(.cancelled))) }
    }

    /// Removes this device from its household.
    ///
    /// The other devices stay, and so does a login that this device has made. A login that came from the household ends
    /// with the next request to the service. The method notifies the service, and the device has left whether or not
    /// the service answers.
    ///
    /// - Throws: `TVEError`: `storageFailed`, or `requestorNotConfigured` for a closed session. After an error nothing
    ///   has changed.
    public func leave() async throws(TVEError) {
        try checkIsOpen()
        try forget()
        await departure.finish()
    }

    /// Removes the stored membership at once, and notifies the service in a task that the caller does not wait for.
    ///
    /// - Parameter onlyAsMember: a Boolean value that indicates whether a membership that has ended stays, because the
    ///   service returns no login for it.
    func forget(onlyAsMember: Bool = false) throws(TVEError) {
        memory.withLock { $0.departures += 1 }
        guard let membership = try stored(), membership.state != .left else { return }
        if onlyAsMember, membership.state != .member { return }
        // Another process may have joined another household since.
        let left = try write(.left).earlier ?? membership
        if left.state == .member { departure.begin(left) }
    }

    // MARK: - Devices

    /// Requests a code with which another device joins the household.
    ///
    /// - Returns: the code. It expires soon: show it at once, together with its expiry.
    /// - Throws: `TVEError`: `notInHousehold`, and the errors of ``join(account:)``.
    public func linkCode() async throws(TVEError) -> LinkCode {
        try await withToken { (token) throws(HouseholdError) in try await self.service.linkCode(token) }
    }

    /// Lists the devices of the household.
    ///
    /// - Returns: the devices, the most recently seen one first.
    /// - Throws: `TVEError`: `notInHousehold`, and the errors of ``join(account:)``.
    public func devices() async throws(TVEError) -> [HouseholdDevice] {
        try await withToken { (token) throws(HouseholdError) in try await self.service.devices(token) }
    }

    /// Removes devices from the household.
    ///
    /// Their next request returns no shared login.
    ///
    /// - Parameter devices: the ids of the devices, from ``devices()``. To remove this device, call ``leave()``.
    /// - Returns: the devices that were unlinked and those that were not.
    /// - Throws: `TVEError`: `notInHousehold`, and the errors of ``join(account:)``.
    public func unlink(_ devices: [HouseholdDevice.ID]) async throws(TVEError) -> UnlinkedDevices {
        try await withToken { (token) throws(HouseholdError) in try await self.service.unlink(devices, token) }
    }

    /// The id of this device in the household's list.
    public var deviceID: HouseholdDevice.ID { service.deviceID }

    /// Sends a request with a valid token.
    ///
    /// A token that the service refuses is renewed once.
    private func withToken<Value: Sendable>(
        _ send: @Sendable (ServiceToken) async throws(HouseholdError) -> Value
    ) async throws(TVEError) -> Value {
        try checkIsOpen()
        guard var membership = try stored() else { throw .notInHousehold }
        try checkIsMember(membership)
        let isUsable = isRenewalPaused && membership.serviceToken.expires > clock.now()
        if !isUsable, !membership.isFresh(at: clock.now()) { membership = try await renewed(membership) }
        do throws(HouseholdError) {
            return try await send(membership.serviceToken)
        } catch .tokenRefused, .tokenEnded {
            // Another process may have renewed the token, or the clocks differ.
            membership = try await renewed(membership)
        } catch {
            throw TVEError(error)
        }
        let token = membership.serviceToken
        return try await convertingErrors { () throws(HouseholdError) in try await send(token) }
    }

    /// Checks that the device still belongs to its household.
    private func checkIsMember(_ membership: StoredMembership) throws(TVEError) {
        switch membership.state {
        case .member: break
        case .ended: throw TVEError(HouseholdError.tokenEnded)
        case .unlinked: throw TVEError(HouseholdError.tokenRefused)
        case .left: throw .notInHousehold
        }
    }

    /// Renews the token of a membership, and checks that the device still belongs to its household.
    private func renewed(_ membership: StoredMembership) async throws(TVEError) -> StoredMembership {
        let settled = try await convertingErrors { () throws(HouseholdError) in try await renew(membership) }
        try checkIsMember(settled)
        return settled
    }

    private func convertingErrors<Value>(
        _ send: () async throws(HouseholdError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(HouseholdError) {
            return try await send()
        } catch {
            throw TVEError(error)
        }
    }

    private func checkIsOpen() throws(TVEError) { if !isOpen() { throw .sessionIsClosed } }

    // MARK: - The proof

    /// Looks for a household that another process has joined, because a start begins.
    func startBegins() { kept.forgetAbsence() }

    /// Returns the proof of the household's login for a request of the session.
    ///
    /// No request waits long for the proof. Without an answer from the service the last token is used until it expires,
    /// and after that there is no proof.
    ///
    /// - Parameter isRenewed: a Boolean value that indicates whether the last token did not lead to a login, so that a
    ///   new one is needed. Without a new one there is no proof.
    func proof(isRenewed: Bool) async -> HouseholdProof {
        // The membership is unknown if the storage cannot be read.
        guard isOpen(), let stored = try? kept.readMembership(isAnew: isRenewed) else { return .none }
        guard stored.state == .member, isRenewed || !stored.isFresh(at: clock.now()) else { return stored.proof }
        let usable: HouseholdProof = stored.serviceToken.expires > clock.now() ? stored.proof : .none
        // A viewer is waiting, so a service that did not answer receives no renewal with the next request.
        if !isRenewed, isRenewalPaused { return usable }
        if let settled = await renewedInTime(stored) { return settled.proof }
        // The renewal has failed or takes too long, so the next requests use the current token at once.
        if usable != .none { pauseRenewals() }
        // The device's clock may be behind, so a token that seems valid may have led to no login because it has ended.
        return isRenewed ? .none : usable
    }

    /// Renews the token of a membership for a request that a viewer is waiting for.
    ///
    /// A renewal that takes longer goes on, because the next one would take as long.
    ///
    /// - Returns: the membership that then stands, or `nil` if the service has failed or has not answered in time.
    private func renewedInTime(_ membership: StoredMembership) async -> StoredMembership? {
        // A stream, unlike the value of a task, ends at once for a caller that is cancelled.
        let (outcomes, line) = AsyncStream<StoredMembership?>.makeStream()
        Task { [self] in
            let settled = try? await renew(membership)
            if settled == nil { pauseRenewals() }
            line.yield(settled)
        }
        return await clock.run(atMost: Self.longestWait) { () async -> StoredMembership? in
            await outcomes.first { _ in true } ?? nil
        } ?? nil
    }

    private var isRenewalPaused: Bool { memory.withLock(\.renewalPause).map { $0.contains(clock.now()) } ?? false }

    private func pauseRenewals() {
        let now = clock.now()
        memory.withLock { $0.renewalPause = now..<now.addingTimeInterval(Self.pauseAfterFailure) }
    }

    /// Ends the pause of renewals after a new token, unless the token already has to be renewed.
    ///
    /// Such a token lasts only a few minutes. Renewals then pause for half of its remaining lifetime.
    private func endPause(with membership: StoredMembership) {
        let now = clock.now()
        let rest = max(0, membership.serviceToken.expires.timeIntervalSince(now))
        let pause: Range<Date>? = membership.isFresh(at: now) ? nil : now..<now.addingTimeInterval(rest / 2)
        memory.withLock { $0.renewalPause = pause }
    }

    /// Ends a renewal that no request waits for any more, because the session ends.
    func close() { renewal.cancel() }

    /// Renews the token of a membership.
    ///
    /// Simultaneous callers share one renewal.
    ///
    /// - Returns: the membership that then stands.
    /// - Throws: any ``HouseholdError``, also if the calling task was cancelled.
    private func renew(_ membership: StoredMembership) async throws(HouseholdError) -> StoredMembership {
        let settled = try await renewal.run { [self] () async throws(HouseholdError) -> StoredMembership in
            guard isOpen() else { throw .service(.transport(.cancelled)) }
            // Another process, or the previous renewal, may have stored a new token already.
            if let known = try? kept.readMembership(isAnew: true), known != membership { return known }
            return settle(try await membership.renewed(by: service, at: clock), insteadOf: membership)
        }
        guard let settled else { throw .service(.transport(.cancelled)) }
        return settled
    }

    /// Stores a renewed or ended membership, unless the device has joined or left a household in the meantime.
    ///
    /// A token is a copy of the service's data; the end of a membership is a decision of the service.
    ///
    /// - Returns: the membership that then stands.
    private func settle(_ settled: StoredMembership, insteadOf membership: StoredMembership) -> StoredMembership {
        endPause(with: settled)
        if kept.replaceMembership(membership, by: settled) { return settled }
        var removed = membership
        removed.state = .ended
        do throws(StorageError) {
            return try kept.readMembership(isAnew: true) ?? removed
        } catch {
            return settled
        }
    }

    // MARK: - Storage

    /// Stores a membership, unless it is that of a household that this device has made and the device is a member.
    ///
    /// - Returns: a Boolean value that indicates whether the membership was stored, and the one that was stored before.
    private func write(
        _ membership: StoredMembership
    ) throws(TVEError) -> (isStored: Bool, earlier: StoredMembership?) {
        let written = try TVEError.storing {
            try kept.writeMembership(membership, isFirst: membership.isMadeHere == true)
        }
        endPause(with: membership)
        return written
    }

    private func stored() throws(TVEError) -> StoredMembership? {
        // Another process may have joined a household, or left it.
        try TVEError.storing { try kept.readMembership(isAnew: true) }
    }

    /// The pause after a renewal that failed: one minute.
    private static let pauseAfterFailure: TimeInterval = 60
    /// The time limit of a renewal for a request that a viewer is waiting for.
    private static let longestWait = Duration.seconds(5)
}
