import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    /// Logs in with a provider, wherever this device's viewers log in.
    func logIn(
        with mvpdID: String, _ presenter: any AuthenticationPresenter, _ terms: LoginTerms
    ) async throws(TVEError) -> Profile {
        do throws(TVEError) {
            await finishRefresh()
            var terms = terms
            if try mustBeNew(mvpdID) { terms.isForced = true }
            let (token, metadata) =
                switch (loginStyle, try configured().requestor.provider(mvpdID)?.isTempPass) {
                case (.secondScreen, false?): try await secondScreenLogin(mvpdID, presenter, terms)
                default: try await browserLogin(mvpdID, presenter, terms)
                }
            return try accept(token, metadata, from: mvpdID)
        } catch {
            // A choice that was made meanwhile stays.
            if preselected.isSameBytes(as: mvpdID) { preselected = nil }
            // The next attempt shows the picker again; tokens that are there stay. What the login failed of matters more
            // than a mark that could not be taken away.
            try? stored { () throws(StorageError) in
                try store.change { [requestorID] entitlements throws(StorageError) in
                    try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
                }
            }
            // Whatever the cancelled step failed of, the reason is that the viewer left.
            throw Task.isCancelled ? Self.abandoned : error
        }
    }

    /// Logs in with a provider, or with another one that the viewer chooses meanwhile (API reference, `setSelectedProvider`).
    func logInOrChange(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ terms: LoginTerms
    ) async throws(TVEError) -> Profile {
        var mvpdID = mvpdID
        while true {
            let attempt = Task { [mvpdID] () -> Result<Profile, TVEError> in
                do throws(TVEError) {
                    return .success(try await logIn(with: mvpdID, presenter, terms))
                } catch {
                    return .failure(error)
                }
            }
            self.attempt = attempt
            let outcome = await withTaskCancellationHandler {
                await attempt.value
            } onCancel: {
                attempt.cancel()
            }
            self.attempt = nil
            defer { changedProvider = nil }
            guard case .failure = outcome, let changedProvider, !Task.isCancelled else { return try outcome.get() }
            mvpdID = changedProvider
        }
    }

    /// Whether a login was ended here and the service may not know, or was ended there: then the viewer logs in anew.
    func mustBeNew(_ mvpdID: String) throws(TVEError) -> Bool {
        guard keepsCopies else { return false }
        return try unfinishedLogouts().concerns(mvpdID)
    }

    func unfinishedLogouts() throws(TVEError) -> UnfinishedLogouts {
        try stored { () throws(StorageError) in try store.unfinishedLogouts(of: requestorID) }
    }

    // MARK: - The token

    /// Keeps a new login and announces it; nothing that is refused changes what is stored.
    ///
    /// - Parameter stillStands: whether a login that the viewer did not ask for may still be kept; asked in the step that keeps it.
    func accept(
        _ token: AuthenticationToken, _ metadata: UserMetadata?, from mvpdID: String, isFromPlatform: Bool = false,
        if stillStands: @escaping @Sendable (EntitlementChanges) throws(StorageError) -> Bool = { _ in true }
    ) throws(TVEError) -> Profile {
        let isTempPass = try configured().requestor.provider(mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: clock.now()) {
            try choose(mvpdID)
            throw Self.tempPassExpired
        }
        try check(token, isFor: mvpdID)
        guard !Task.isCancelled else { throw Self.abandoned }
        let isKept = try stored { () throws(StorageError) in
            try store.change { entitlements throws(StorageError) in
                guard try stillStands(entitlements) else { return false }
                try entitlements.save(
                    token, metadata: metadata, canAuthenticate: !isTempPass, isFromPlatform: isFromPlatform)
                return true
            }
        }
        guard isKept else { throw Self.abandoned }
        preselected = nil
        decisions += 1
        if token.claims.isDegraded {
            hub.emit(.status(StatusEvent(.authenticatedByDegradation, message: "The TV provider is degraded.")))
        } else if isTempPass {
            hub.emit(.status(StatusEvent(.authenticatedByTempPass, message: "Logged in by a TempPass.")))
        }
        announcedLogin(token, isCached: false)
        return profile(of: token)
    }

    /// Refuses a token that is not for this device, requestor and provider, or already over.
    private func check(_ token: AuthenticationToken, isFor mvpdID: String) throws(TVEError) {
        guard device.binding(of: token.claims.fingerprint) == .mine else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        guard token.claims.requestorID.isSameBytes(as: requestorID), token.claims.providerID.isSameBytes(as: mvpdID),
            !token.isExpired(at: clock.now())
        else {
            throw TVEError(
                .authenticationFailed, status: .authenticationFailed,
                message: "The service sent a token for another login.")
        }
    }
}
