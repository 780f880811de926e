public import TVEModels
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// The TV provider that the viewer chose last, or whose shared login counts, if the requestor works with it.
    ///
    /// - Returns: the provider, or nil when none is remembered. The configuration is loaded only for a provider of which
    ///   nothing is stored.
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured`, and what ``configuration()`` throws.
    public func selectedProvider() async throws(TVEError) -> TVProvider? {
        try checkIsStarted()
        var chosen = if let preselected = loginFlow.machine.preselected { preselected } else { try currentProvider() }
        if chosen == nil { chosen = try validLogin()?.claims.providerID }
        guard let chosen else { return nil }
        if let known = provider(chosen) { return known }
        return try await configuration().requestor.provider(chosen)
    }

    /// Chooses the TV provider of the next login, or forgets the chosen one; tokens stay.
    ///
    /// A TempPass logs the viewer in at once. A running login continues with the chosen provider; one that the requestor
    /// does not have is refused, and the login stays where it is. Nil ends a running login, which gets its answer, and
    /// forgets the provider (API reference, rows SP6 to SP13).
    ///
    /// - Parameter mvpdID: the provider; nil forgets it, and the answer to "who is logged in" becomes
    ///   `providerNotSelected`.
    /// - Returns: who is logged in now, where the choice itself decides that; nil where a running login or the next one
    ///   has the answer.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`, and with a TempPass what
    ///   ``authenticate(using:isForced:data:filter:)`` throws.
    @discardableResult
    public func selectProvider(_ mvpdID: MVPDID?) async throws(TVEError) -> AuthenticationStatus? {
        try await selectProvider(mvpdID) { _, _ in }
    }

    /// The same, for a facade that reports the outcome to the app.
    ///
    /// - Parameter tell: is called with who is logged in now, where the choice itself decides that.
    @discardableResult
    package func selectProvider(
        _ mvpdID: MVPDID?, answer tell: @escaping LoginCall.Telling
    ) async throws(TVEError) -> AuthenticationStatus? {
        // Also where there is nothing to store.
        handle(ProfileCopiesEvent.decided)
        handle(LoginEvent.viewerActed)
        let tempPass: MVPDID
        do throws(TVEError) {
            try checkIsStarted()
            loginFlow.choices += 1
            guard let mvpdID else { return try cancelChoice(tell) }
            let choice = loginFlow.choices
            await prepareChoice(of: mvpdID)
            // A later choice or a logout decides.
            guard choice == loginFlow.choices else { return nil }
            guard mayWork(with: mvpdID) else { throw .unknownProvider }
            if loginFlow.machine.isWithViewer {
                handle(LoginEvent.chose(mvpdID))
                return nil
            } else if provider(mvpdID)?.isTempPass != true {
                try choose(mvpdID)
                handle(LoginEvent.chose(mvpdID))
                return nil
            }
            track(.providerSelected(mvpdID: mvpdID))
            if let login = try keptLogin(withTempPass: mvpdID) {
                handle(LoginEvent.choseKeptTempPass)
                let status = announcedLogin(login, isCached: true)
                tell(self, status)
                return status
            }
            tempPass = mvpdID
        } catch {
            // A login that waits for the viewer stays where it is and has one answer, so the choice alone is refused.
            if error.code == .unknownProvider, loginFlow.machine.isWithViewer {
                _ = reported(error)
            } else {
                tell(self, announcedFailure(error))
            }
            throw error
        }
        // Stored only when the TempPass logs the viewer in or says that it has expired: a failure says nothing about it.
        return try await enterTempPass(tempPass, telling: tell)
    }

    private func cancelChoice(_ tell: LoginCall.Telling) throws(TVEError) -> AuthenticationStatus? {
        let isRunning = !loginFlow.machine.isFree
        // A running login ends and gets its answer, even when the choice cannot be removed.
        if isRunning { try? forgetProvider() }
        handle(LoginEvent.cancelledChoice)
        if isRunning { return nil }
        try choose(nil)
        let status = announcedFailure(
            TVEError(.providerNotSelected, message: "The choice of TV provider was cancelled."))
        tell(self, status)
        return status
    }

    /// Loads the configuration for the choice of a provider of which nothing is known: a TempPass logs the viewer in at
    /// once.
    ///
    /// Without an answer the provider counts as an ordinary one; the login says what is wrong.
    package func prepareChoice(of mvpdID: MVPDID) async {
        if keepsCopies, startFlow.machine.isUsable, provider(mvpdID) == nil { _ = try? await configuration() }
    }

    /// The stored login with a TempPass, if it is still valid; the TempPass is the chosen provider then.
    private func keptLogin(withTempPass mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        let kept = try readIfReadable { try $0.authenticationToken(requestorID: requestorID, mvpdID: mvpdID) }
        guard let kept, isValid(kept) else { return nil }
        let isStillThere = try changeLogin { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.contains(kept) else { return false }
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
            return true
        }
        return isStillThere ? kept : nil
    }

    /// Forgets the remembered provider, or the one whose login counts; writes nothing where there is none.
    private func forgetProvider() throws(TVEError) {
        let remembered = try currentProvider()
        let login = try validLogin()
        if remembered != nil || login != nil { try choose(nil) }
    }

    /// Stores the provider that the viewer chose; nil means that the viewer cancelled the choice.
    func choose(_ mvpdID: MVPDID?) throws(TVEError) {
        try changeLogin { [requestorID] entitlements throws(StorageError) in
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
        }
    }
}
