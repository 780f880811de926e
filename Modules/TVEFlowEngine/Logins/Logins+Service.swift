import Foundation
import TVEModels
import TVENetworking
import TVEStorage

/// The logins that the service currently has, independently of the viewer's choice (acceptance list, CL12).
extension Logins {
    /// Returns the logins that a service keeps for this device, or an empty array for a service that keeps none.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider of the logins, or `nil` for all providers.
    ///   - known: the stored copy, if there is one.
    nonisolated(nonsending) func keptLogins(
        at service: any EntitlementService, with mvpdID: MVPDID? = nil, knowing known: AuthenticationToken? = nil
    ) async throws(ServiceError) -> [AuthenticationAnswer] {
        guard let service = service as? any LoginKeepingService else { return [] }
        return try await service.logins(of: requestorID, with: mvpdID, knowing: known)
    }

    /// See ``EntitlementSession/profiles()``.
    nonisolated(nonsending) func profiles() async throws(TVEError) -> [Profile] {
        try readiness.check()
        guard areCopies else { return try valid().map { [profile(of: $0)] } ?? [] }
        await sendPendingLogouts()
        let before = logouts
        let pending = try pendingLogouts()
        var found: [AuthenticationToken] = []
        for service in parts.services {
            do throws(ServiceError) {
                found += try await keptLogins(at: service).map(\.token)
            } catch {
                throw TVEError(error, during: .login)
            }
            try readiness.check()
        }
        found.removeAll { !isAllowed($0, given: pending) || hasLoggedOut(of: $0.claims.providerID, since: before) }
        // Another process may have logged out in the meantime.
        let later = try pendingLogouts()
        found += try read { try $0.authenticationTokens() }
            .filter { $0.claims.requestorID == requestorID && kind(of: $0) != .regular }
        var seen: Set<MVPDID> = []
        return found.filter { isValid($0) && isAllowed($0, given: later) && seen.insert($0.claims.providerID).inserted }
            .map(profile(of:)).sorted { ($1.expires, $0.mvpdID.text) < ($0.expires, $1.mvpdID.text) }
    }

    /// See ``EntitlementSession/profile(with:)``.
    func profile(with mvpdID: MVPDID, on actor: isolated any Actor) async throws(TVEError) -> Profile? {
        try readiness.check()
        let stored = try valid(with: mvpdID)
        guard areCopies else { return stored.map(profile(of:)) }
        if let answer = try await answer(about: mvpdID, [:], during: .login, on: actor) {
            return profile(of: answer.token)
        }
        // The viewer may have logged out in the meantime.
        let kept = try valid(with: mvpdID)
        guard let kept, !isWithoutAccount(kept), kind(of: kept) != .regular else { return nil }
        return profile(of: kept)
    }

    /// Returns the login with one provider for a request about resources: the stored login, or the service's login,
    /// which is then stored beside the login of the viewer's choice.
    ///
    /// The stored login is a copy. If it cannot be stored, the request is sent all the same.
    func login(
        with mvpdID: MVPDID, data: [String: MetadataValue], during phase: FlowPhase, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationToken {
        try readiness.check()
        guard providers.mayWork(with: mvpdID) else { throw .unknownProvider }
        if let stored = try valid(with: mvpdID) { return stored }
        guard areCopies, let answer = try await answer(about: mvpdID, data, during: phase, on: actor) else {
            throw .nobodyIsLoggedIn
        }
        // A cancelled call, for example one that a logout has ended, stores no login.
        guard !Task.isCancelled else { throw TVEError(ServiceError.transport(.cancelled), during: phase) }
        // A login that was stored in the meantime is newer than the answer.
        if let stored = try? valid(with: mvpdID) { return stored }
        let isTempPass = providers.isTempPass(answer.token)
        // The authentication status does not change, so the number of decisions stays the same.
        let isSaved = keep { [requestorID] entitlements throws(StorageError) in
            guard try !entitlements.unfinishedLogouts(of: requestorID).concerns(mvpdID) else { return false }
            try entitlements.save(
                answer.token, metadata: answer.metadata, canAuthenticate: !isTempPass,
                isFromPlatform: answer.metadata?.isFromPlatform == true, isOfChoice: false)
            return true
        }
        guard isSaved != false else { throw .loggedOutMeanwhile }
        record(answer.token, isSaved: isSaved == true)
        forget(logoutPageOf: mvpdID)
        return answer.token
    }

    /// Returns the viewer's valid login.
    ///
    /// - Parameter withoutDoubt: a Boolean value that indicates whether to ask the service first about a login that it
    ///   may no longer have.
    nonisolated(nonsending) func valid(withoutDoubt: Bool) async throws(TVEError) -> AuthenticationToken? {
        let stored = try valid()
        guard withoutDoubt, let stored, try isInDoubt(stored) else { return stored }
        return try await confirmed(stored)
    }

    /// Returns a Boolean value that indicates whether the service may no longer have a stored login, because another
    /// login with the same provider has begun since and has not succeeded.
    ///
    /// A forced login ends the stored one before its page opens.
    private func isInDoubt(_ login: AuthenticationToken) throws(TVEError) -> Bool {
        // A service of the app's own may share logins. That of another requestor has no mark of this one.
        guard areCopies, !isWithoutAccount(login), login.claims.requestorID == requestorID else { return false }
        return try !canAuthenticate(with: login.claims.providerID)
    }

    /// Returns the viewer's valid login, after a request that asks whether the service still has a stored one.
    ///
    /// If there is no answer, the stored login stays valid.
    nonisolated(nonsending) private func confirmed(
        _ login: AuthenticationToken
    ) async throws(TVEError) -> AuthenticationToken? {
        let choice = try read { try $0.chosenLogin(of: requestorID) }
        let mvpdID = login.claims.providerID
        guard let service = try? providers.service(of: mvpdID),
            let kept = try? await keptLogins(at: service, with: mvpdID, knowing: login),
            !Task.isCancelled
        else { return try valid() }
        guard let answer = kept.first(where: { $0.token.claims.providerID == mvpdID }) else {
            _ = try removeEnded(login)
            return try valid()
        }
        if answer.token.text == login.text {
            // The service still has the stored login, so the next call need not ask again.
            _ = try? write { [requestorID] entitlements throws(StorageError) in
                guard try entitlements.contains(login) else { return }
                try entitlements.setCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            }
        } else if !isWithoutAccount(answer.token) {
            // The viewer may have finished the login that failed on this device, perhaps with another account.
            try? store(NewLogin(answer: answer, mvpdID: mvpdID, condition: .sameChoice(choice)))
        }
        return try valid()
    }

    /// Returns the service's current login with one provider, or `nil` if there is no valid one.
    private func answer(
        about mvpdID: MVPDID, _ data: [String: MetadataValue], during phase: FlowPhase, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationAnswer? {
        await sendPendingLogouts()
        let before = logouts
        let pending = try pendingLogouts()
        let service = try providers.service(of: mvpdID)
        // Without a code, the service returns the login that it keeps. A TempPass needs no code either.
        var page = LoginPage(
            step: .nothing, requestorID: requestorID, mvpdID: mvpdID, registrationCode: "", expires: parts.clock.now())
        // Only a TempPass may receive the app's data about the viewer, and the configuration shows whether a provider
        // is one.
        if !data.isEmpty {
            await providers.prepareChoice(of: mvpdID, on: actor)
            if providers.provider(mvpdID)?.isTempPass == true { page.data = data }
        }
        let answer: AuthenticationAnswer
        do throws(ServiceError) {
            answer = try await service.authentication(of: page)
        } catch .notLoggedIn {
            return nil
        } catch .viewerIdentityMissing where phase == .login {
            // The call asks for an existing login and does not try to obtain one.
            return nil
        } catch .denied(let denial) where denial.reason == .temporaryAccessOver {
            // Without a login no decision is requested, so the call fails with this denial, which names the limit of
            // the pass.
            throw TVEError(ServiceError.denied(denial), during: .login)
        } catch {
            throw TVEError(error, during: phase)
        }
        try readiness.check()
        let token = answer.token
        guard isValid(token), token.claims.providerID == mvpdID, isAllowed(token, given: pending),
            try isAllowed(token, given: pendingLogouts()), !hasLoggedOut(of: mvpdID, since: before)
        else { return nil }
        return answer
    }

    /// Returns a Boolean value that indicates whether the provider and the logouts that the service has not received
    /// yet allow the use of a login.
    func isAllowed(_ login: AuthenticationToken, given pendingLogouts: UnfinishedLogouts) -> Bool {
        providers.mayWork(with: login.claims.providerID) && !pendingLogouts.concerns(login.claims.providerID)
    }

    /// Returns a Boolean value that indicates whether this device has logged out of a provider since an earlier time.
    ///
    /// The service may already have received the logout, so that it is no longer pending.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider.
    ///   - before: the numbers of logouts at that time.
    func hasLoggedOut(of mvpdID: MVPDID, since before: [MVPDID?: Int]) -> Bool {
        logouts[mvpdID] != before[mvpdID] || logouts[nil] != before[nil]
    }
}
