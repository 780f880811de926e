import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// Reads and changes of the store.
extension Logins {
    func read<Value>(_ body: (EntitlementStore) throws -> Value) throws(TVEError) -> Value {
        try TVEError.storing { try body(parts.store) }
    }

    /// Reads a stored value, and returns `nil` if it is unreadable.
    ///
    /// Without an integrity check, an unreadable value stays stored and is treated as missing (row T-65).
    func readIfReadable<Value>(_ body: (EntitlementStore) throws -> Value?) throws(TVEError) -> Value? {
        try read { store in
            do {
                return try body(store)
            } catch StorageError.invalidValue {
                return nil
            }
        }
    }

    /// Returns the stored tokens that have expired; if the service keeps the logins, only permissions, because the
    /// copies of logins stay.
    func expiredTokens(on actor: isolated any Actor) -> [ExpiredToken] {
        (try? parts.store.expiredTokens(at: parts.clock.now(), permissionsOnly: areCopies)) ?? []
    }

    /// Changes data that is stored with the login: permissions, metadata and pending logouts.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        try read { try $0.change(body) }
    }

    /// Stores a copy of what the service has said, if that is possible at once.
    ///
    /// A copy that cannot be stored is requested again later, so no call fails or waits because of it.
    ///
    /// - Returns: the value of the body, or `nil` if nothing was stored.
    func keep<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) -> Value? {
        try? parts.store.change(patience: .zero, body)
    }

    /// Waits some seconds at most until no other process keeps the store locked.
    ///
    /// A login that the viewer has just made is worth this wait. It comes before the turn of the actor that stores the
    /// login, because no turn may take that long.
    nonisolated(nonsending) func waitForStore() async {
        for _ in 0..<100 {
            do throws(StorageError) {
                return try parts.store.change(patience: .zero) { _ throws(StorageError) in }
            } catch {
                // Any other error is reported when the login is stored.
                guard error == .locked, (try? await parts.clock.sleep(.milliseconds(50))) != nil else { return }
            }
        }
    }

    /// Changes who is logged in or which provider is chosen.
    ///
    /// All such changes use this method, apart from the maintenance at a start and the service's own answer.
    @discardableResult
    private func decide<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        decided()
        return try write { [requestor = providers.prepareChange()] entitlements throws(StorageError) in
            let value = try body(&entitlements)
            if let requestor { try entitlements.keepProvider(from: requestor) }
            return value
        }
    }

    // MARK: - Choosing and logging in

    /// Stores the provider that the viewer chose.
    ///
    /// `nil` means that the viewer cancelled the choice.
    func choose(_ mvpdID: MVPDID?) throws(TVEError) {
        try decide { [requestorID] entitlements throws(StorageError) in
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
        }
    }

    /// Removes the remembered provider, or the one whose login is used.
    ///
    /// The method writes nothing if there is neither.
    func forgetProvider() throws(TVEError) {
        let remembered = try chosenProvider()
        let login = try valid()
        if remembered != nil || login != nil { try choose(nil) }
    }

    /// Chooses a TempPass as the provider if it has a stored, valid login.
    ///
    /// - Returns: the login, or `nil` if there is none.
    func choose(validTempPass mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        guard let kept = try stored(with: mvpdID), isValid(kept) else { return nil }
        let isStillThere = try decide { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.contains(kept) else { return false }
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
            return true
        }
        return isStillThere ? kept : nil
    }

    /// Makes the next login show the picker again after a login with a provider failed.
    ///
    /// Stored tokens stay.
    ///
    /// The provider that was chosen before is not opened without asking either, unless its login is still valid,
    /// because the viewer left it for another provider. An error of the store is ignored, because the cause of the
    /// failed login is more important.
    func forgetAutomaticLogin(with mvpdID: MVPDID) {
        // A closed session reads no login, so it cannot know that there is none.
        let mayHaveLogin = readable != nil || !parts.isOpen
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            guard !mayHaveLogin, let chosen = try entitlements.currentProvider(of: requestorID) else { return }
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: chosen)
        }
    }

    /// Stores a new login, unless its token is not for this device, requestor and provider, or has already expired.
    ///
    /// A login that is refused changes nothing in the store.
    func store(_ login: NewLogin) throws(TVEError) {
        let token = login.answer.token
        // The service may leave out the kind of a login, which is then that of an ordinary one.
        let isTempPass = providers.isTempPass(token) || providers.provider(login.mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: parts.clock.now()) { throw .tempPassExpired }
        guard parts.device.binding(of: token.claims.fingerprint) == .mine else { throw .tokenOfOtherDevice }
        guard token.claims.requestorID == requestorID, token.claims.providerID == login.mvpdID else {
            throw .tokenOfOtherLogin
        }
        guard !token.isExpired(at: parts.clock.now()) else { throw .loginHasEndedAlready }
        let isSaved = try decide { [requestorID] entitlements throws(StorageError) in
            guard try login.condition.isMet(entitlements, requestorID) else { return false }
            try entitlements.save(
                token, metadata: login.answer.metadata, canAuthenticate: !isTempPass,
                isFromPlatform: login.isTokenOfPlatform || login.answer.metadata?.isFromPlatform == true)
            return true
        }
        guard isSaved else { throw .loginAbandoned }
        // The service names another page for the logout of the new login.
        forget(logoutPageOf: login.mvpdID)
    }

    // MARK: - The end of a login

    /// Checks that the viewer of a login has not logged out, on this device and in any process.
    ///
    /// If the store cannot be read, no logout is known, and the answer that the service has already given is used.
    func checkIsNotLoggedOut(_ login: AuthenticationToken) throws(TVEError) {
        let wasStored = unsaved[login.claims.providerID] != login.text
        let isLoggedOut = try? read { try $0.isLoggedOut(login, for: requestorID, wasStored: wasStored) }
        guard isLoggedOut != true else { throw .loggedOutMeanwhile }
    }

    /// Removes a login that the platform has revoked, and announces its end, if it is still the viewer's login.
    func removeRevoked(_ login: AuthenticationToken?) {
        guard let login, readable?.text == login.text else { return }
        let isRemoved = try? decide { entitlements throws(StorageError) in
            guard try entitlements.contains(login) else { return false }
            try entitlements.removeLogin(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
            return true
        }
        if isRemoved == true, let reason = try? errorForMissingLogin() { reports.announce(failure: reason) }
    }

    /// Removes all data of a login that the service has ended, including the data of the requestor for which the login
    /// was made.
    ///
    /// - Returns: a Boolean value that indicates whether exactly this login was still stored. A logout may have removed
    ///   it while a call waited for the service.
    func removeEnded(_ login: AuthenticationToken) throws(TVEError) -> Bool {
        // A login that is gone needs no write, for which the store may be locked.
        guard try read({ try $0.contains(login) }) else { return false }
        return try decide { [requestorID] entitlements throws(StorageError) in
            // Another process may have logged in again.
            guard try entitlements.contains(login) else { return false }
            // If the service keeps the logins, only this one has ended. No logout is sent: the service knows which
            // login it ended, and any other login may belong to another device of the household.
            if login.isCopy {
                try entitlements.removeCopy(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
            } else {
                try entitlements.removeEntitlements(of: requestorID)
                try entitlements.removeEntitlements(of: login.claims.requestorID)
            }
            return true
        }
    }

    /// Removes the copy of a TempPass, and announces its end, if an error says that its time is over.
    ///
    /// By this device's clock, the copy may last longer.
    func removeEnded(_ login: AuthenticationToken, after error: TVEError) {
        guard case .denied(let denial)? = error.underlying as? ServiceError, denial.reason == .temporaryAccessOver,
            !denial.isAboutResourcesOfTempPass, providers.isTempPass(login)
        else { return }
        let isOfChoice = (try? chosenProvider()) == login.claims.providerID
        guard (try? removeEnded(login)) == true, isOfChoice else { return }
        // The call itself reports the status.
        reports.announce(AuthenticationStatus(.tempPassExpired))
    }

    /// Removes the login with one provider and records a pending logout for the service.
    ///
    /// The viewer's choice stays.
    ///
    /// - Parameters:
    ///   - login: the login, if there is one. It may belong to another requestor.
    ///   - mvpdID: the provider, or `nil` to remove every login and the viewer's choice.
    func removeLogin(_ login: AuthenticationToken?, with mvpdID: MVPDID?) throws(TVEError) {
        loggedOut(of: mvpdID)
        guard let mvpdID else { return try removeEveryLogin() }
        try decide { [requestorID, areCopies] entitlements throws(StorageError) in
            try entitlements.removeLogin(requestorID: login?.claims.requestorID ?? requestorID, mvpdID: mvpdID)
            if areCopies { try entitlements.noteLogout(requestorID: requestorID, mvpdID: mvpdID) }
        }
    }

    /// Removes every login and records the pending logouts for the service.
    private func removeEveryLogin() throws(TVEError) {
        try decide { [requestorID, requestorsWithoutNotice] entitlements throws(StorageError) in
            // The logouts are recorded in either dialect, because a session of the other dialect reads them.
            let copies = try entitlements.authenticationTokens().filter(\.isCopy)
            let requestors = copies.map(\.claims.requestorID) + requestorsWithoutNotice
            try entitlements.removeAllEntitlements(pending: copies, everyLoginOf: requestors)
            // A member would receive the household's login again. If the whole household logs out, this device remains
            // a member.
            try entitlements.leaveHouseholds(but: HouseholdWideLogout.current == nil ? nil : requestorID)
        }
    }

    /// The requestors for which the service may keep a login that is not stored.
    ///
    /// A logout must end all their logins.
    var requestorsWithoutNotice: [RequestorID] { areCopies ? [requestorID] : [] }
}

extension NewLogin.Condition {
    /// Returns a Boolean value that indicates whether the login may still be stored.
    ///
    /// It is evaluated in the transaction that stores the login.
    fileprivate func isMet(
        _ entitlements: some EntitlementReading, _ requestorID: RequestorID
    ) throws(StorageError) -> Bool {
        switch self {
        case .always: return true
        case .sameChoice(let choice): return try choice == entitlements.chosenLogin(of: requestorID)
        case .otherLogin(let other):
            guard try entitlements.contains(other) else { return false }
            return try !entitlements.isProviderDeselected(for: requestorID)
        }
    }
}
