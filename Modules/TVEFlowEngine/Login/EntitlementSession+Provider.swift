public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// The TV provider the viewer chose last, or whose login of another requestor counts, if the requestor works with it.
    ///
    /// - Returns: the provider, or nil when none is remembered.
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured`.
    public func selectedProvider() throws(TVEError) -> TVProvider? {
        let configuration = try configured()
        var chosen = if let preselected = loginFlow.machine.preselected { preselected } else { try currentProvider() }
        if chosen == nil { chosen = try validLogin()?.claims.providerID }
        return chosen.flatMap(configuration.requestor.provider)
    }

    /// Chooses the TV provider of the next login, or forgets the chosen one; tokens stay.
    ///
    /// A TempPass lets the viewer in at once. While a login is on its way, it goes on with the chosen provider; taking the choice
    /// back ends it, and it answers; the provider is forgotten (API reference, rows SP6 to SP13).
    ///
    /// - Parameter mvpdID: the provider; nil forgets, and the answer to "who is logged in" becomes
    ///   `providerNotSelected`.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`, and with a TempPass what
    ///   ``authenticate(using:isForced:data:filter:)`` throws.
    public func selectProvider(_ mvpdID: String?) async throws(TVEError) {
        _ = try await select(mvpdID)
    }

    /// The same, for whoever wants to know what it came to.
    ///
    /// - Returns: who is logged in now, where the choice itself decides that; nil where a login has the answer, or the next one.
    package func select(_ mvpdID: String?) async throws(TVEError) -> AuthenticationStatus? {
        handle(KeptLoginsEvent.decided)
        handle(StartEvent.viewerChangedLogin)
        do throws(TVEError) {
            let configuration = try configured()
            guard let mvpdID else {
                if loginFlow.machine.canBeEnded {
                    // The login ends, and answers for itself, also when the choice cannot be removed.
                    try? forgetProvider()
                    handle(LoginEvent.tookChoiceBack)
                    return nil
                }
                handle(LoginEvent.tookChoiceBack)
                try choose(nil)
                return announcedFailure(
                    TVEError(.providerNotSelected, message: "The choice of TV provider was taken back."))
            }
            guard let provider = configuration.requestor.provider(mvpdID) else { throw .unknownProvider }
            if loginFlow.machine.isWithViewer {
                handle(LoginEvent.chose(mvpdID))
            } else if provider.isTempPass {
                track(.providerSelected(mvpdID: mvpdID))
                return try await use(tempPass: mvpdID)
            } else {
                try choose(mvpdID)
                handle(LoginEvent.chose(mvpdID))
            }
            return nil
        } catch {
            announcedFailure(error)
            throw error
        }
    }

    /// Remembered only when it let the viewer in or said that it had: a failure says nothing about the pass.
    private func use(tempPass mvpdID: String) async throws(TVEError) -> AuthenticationStatus? {
        let kept = try readable { () throws(StorageError) in
            try store.authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
        }
        guard let kept, isValid(kept) else { return try await enterTempPass(mvpdID) }
        let isStillThere = try stored { () throws(StorageError) in
            try store.change { [requestorID] entitlements throws(StorageError) in
                guard try entitlements.contains(kept) else { return false }
                try entitlements.setCurrentProvider(mvpdID, of: requestorID)
                return true
            }
        }
        guard isStillThere else { return try await enterTempPass(mvpdID) }
        handle(LoginEvent.choseKeptTempPass)
        return announcedLogin(kept, isCached: true)
    }

    /// Forgets the remembered provider, or the one whose login counts; writes nothing where there is none.
    private func forgetProvider() throws(TVEError) {
        let remembered = try currentProvider()
        let login = try validLogin()
        if remembered != nil || login != nil { try choose(nil) }
    }

    /// Remembers the provider that the viewer chose, or that the choice was taken back.
    func choose(_ mvpdID: String?) throws(TVEError) {
        try stored { () throws(StorageError) in
            try store.change { [requestorID] entitlements throws(StorageError) in
                try entitlements.setCurrentProvider(mvpdID, of: requestorID)
            }
        }
    }
}
