import Foundation
public import TVEModels
import TVENetworking
import TVEStorage

/// All logins of the device, also those beside that of the viewer's choice (acceptance list, CL12).
extension EntitlementSession {
    /// The logins that count on this device: at most one for each TV provider, whichever is chosen.
    ///
    /// Over REST API v2 every service is asked. Its list has no TempPass and no degraded provider, and a login from the
    /// platform's account or by a service token only while the request confirms it: stored logins of these kinds are
    /// added. The classic dialect has one login at a time, and answers from storage. Nothing is stored, and the chosen
    /// provider stays.
    ///
    /// - Returns: the profiles in descending order of expiry; empty when nobody is logged in.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`, `throttled`,
    ///   `accessTokenUnavailable`, `storageFailed`.
    public func profiles() async throws(TVEError) -> [Profile] {
        try checkIsStarted()
        guard keepsCopies else { return try validLogin().map { [profile(of: $0)] } ?? [] }
        await finishOldLogouts()
        let left = try unfinishedLogouts()
        var found: [AuthenticationToken] = []
        for case let service as any LoginKeepingService in services {
            let answers = try await ask(during: .login) { () async throws(ServiceError) in
                try await service.logins(of: requestorID, with: nil, knowing: nil)
            }
            found += answers.map(\.token)
        }
        found += try read { try $0.authenticationTokens() }
            .filter { $0.claims.requestorID == requestorID && kind(of: $0) != .regular }
        var providers: Set<MVPDID> = []
        return found.filter { counts($0, despite: left) && providers.insert($0.claims.providerID).inserted }
            .map(profile(of:)).sorted { ($1.expires, $0.mvpdID.text) < ($0.expires, $1.mvpdID.text) }
    }

    /// The login with one TV provider, whichever is chosen: also whether a TempPass still lasts.
    ///
    /// Over REST API v2 the service is asked; the classic dialect answers from storage, for the provider of its login.
    /// Nothing is stored, and the chosen provider stays.
    ///
    /// - Parameter mvpdID: the TV provider.
    /// - Returns: the profile; nil when the viewer is not logged in with this provider.
    /// - Throws: `TVEError`: `temporaryAccessExpired`, and what ``profiles()`` throws.
    public func profile(with mvpdID: MVPDID) async throws(TVEError) -> Profile? {
        try checkIsStarted()
        let stored = try validLogin(of: mvpdID)
        guard keepsCopies else { return stored.map(profile(of:)) }
        if let answer = try await answer(about: mvpdID, [:], during: .login) { return profile(of: answer.token) }
        guard let stored, !isWithoutAccount(stored), kind(of: stored) != .regular else { return nil }
        return profile(of: stored)
    }

    /// The login with one provider, for a permission: the stored one, or that of the service, which is stored beside
    /// that of the viewer's choice.
    func login(
        with mvpdID: MVPDID, _ data: [String: MetadataValue]
    ) async throws(TVEError) -> AuthenticationToken {
        try checkIsStarted()
        guard mayWork(with: mvpdID) else { throw .unknownProvider }
        if let stored = try validLogin(of: mvpdID) { return stored }
        guard keepsCopies else { throw .nobodyIsLoggedIn }
        guard let answer = try await answer(about: mvpdID, data, during: .authorization) else {
            throw .nobodyIsLoggedIn
        }
        // A logout on this device has cancelled the call.
        guard !Task.isCancelled else { throw .authorizationCancelled }
        let (token, metadata, isTempPass) = (answer.token, answer.metadata, isTempPass(answer.token))
        // Who is logged in does not change, so this is no `changeLogin`.
        let isKept = try change { [requestorID] entitlements throws(StorageError) in
            guard try !entitlements.unfinishedLogouts(of: requestorID).concerns(mvpdID) else { return false }
            try entitlements.save(
                token, metadata: metadata, canAuthenticate: !isTempPass,
                isFromPlatform: metadata?.isFromPlatform == true, isOfChoice: false)
            return true
        }
        guard isKept else { throw .loggedOutMeanwhile }
        return token
    }

    /// What the service says about the login with one provider now; nil when there is none that counts.
    private func answer(
        about mvpdID: MVPDID, _ data: [String: MetadataValue], during phase: FlowPhase
    ) async throws(TVEError) -> AuthenticationAnswer? {
        await finishOldLogouts()
        let (left, service) = (try unfinishedLogouts(), try service(of: mvpdID))
        // Without a code: the login that the service keeps. A TempPass needs none either.
        var page = LoginPage(
            step: .nothing, requestorID: requestorID, mvpdID: mvpdID, registrationCode: "", expires: clock.now())
        // Only a TempPass may learn the app's data about the viewer, and the configuration says which provider is one.
        if !data.isEmpty {
            await prepareChoice(of: mvpdID)
            if provider(mvpdID)?.isTempPass == true { page.data = data }
        }
        do throws(ServiceError) {
            let answer = try await service.authentication(of: page)
            return counts(answer.token, despite: left) && answer.token.claims.providerID == mvpdID ? answer : nil
        } catch .notLoggedIn {
            return nil
        } catch .denied(let denial) where denial.reason == .temporaryAccessOver {
            throw .tempPassExpired
        } catch {
            throw TVEError(error, during: phase)
        }
    }

    /// Whether a login counts that the service or the store has, after logouts of which the service was not told.
    private func counts(_ login: AuthenticationToken, despite left: UnfinishedLogouts) -> Bool {
        isValid(login) && mayWork(with: login.claims.providerID) && !left.concerns(login.claims.providerID)
    }
}
