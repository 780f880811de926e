import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// Reading and changing what is stored.
extension Logins {
    func read<Value>(_ body: (EntitlementStore) throws -> Value) throws(TVEError) -> Value {
        do {
            return try body(parts.store)
        } catch {
            throw TVEError(storage: error)
        }
    }

    /// Reads a stored value that may be unreadable.
    ///
    /// Without an integrity check, an unreadable value stays stored and counts as missing (row T-65).
    func readIfReadable<Value>(_ body: (EntitlementStore) throws -> Value?) throws(TVEError) -> Value? {
        try read { store in
            do {
                return try body(store)
            } catch StorageError.invalidValue {
                return nil
            }
        }
    }

    /// Changes what is stored beside the login: permissions, metadata, notes.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        try read { try $0.change(body) }
    }

    /// Changes who is logged in or which provider is chosen.
    ///
    /// The one way to do so, apart from the upkeep at a start and the service's own answer.
    @discardableResult
    func decide<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        decisions += 1
        return try write { [requestor = providers.requestorForCards] entitlements throws(StorageError) in
            let value = try body(&entitlements)
            if let requestor { try entitlements.keepProviderCard(from: requestor) }
            return value
        }
    }

    // MARK: - Choosing and logging in

    /// Stores the provider that the viewer chose; nil means that the viewer cancelled the choice.
    func choose(_ mvpdID: MVPDID?) throws(TVEError) {
        try decide { [requestorID] entitlements throws(StorageError) in
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
        }
    }

    /// Forgets the remembered provider, or the one whose login counts; writes nothing where there is none.
    func forgetProvider() throws(TVEError) {
        let remembered = try chosenProvider()
        let login = try valid()
        if remembered != nil || login != nil { try choose(nil) }
    }

    /// Makes a TempPass with a stored, valid login the chosen provider.
    ///
    /// - Returns: that login; nil when there is none.
    func choose(validTempPass mvpdID: MVPDID) throws(TVEError) -> AuthenticationToken? {
        let kept = try readIfReadable { try $0.authenticationToken(requestorID: requestorID, mvpdID: mvpdID) }
        guard let kept, isValid(kept) else { return nil }
        let isStillThere = try decide { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.contains(kept) else { return false }
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
            return true
        }
        return isStillThere ? kept : nil
    }

    /// The next login shows the picker again, after one with a provider has failed; stored tokens stay.
    ///
    /// The provider that was chosen before is not opened without asking either, unless its login is still valid: the viewer
    /// has left it for another one. The cause of the failed login matters more than a mark that could not be removed.
    func forgetAutomaticLogin(with mvpdID: MVPDID) {
        let hasLogin = readable != nil
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            guard !hasLogin, let chosen = try entitlements.currentProvider(of: requestorID) else { return }
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: chosen)
        }
    }

    /// Stores a new login; a refused login changes nothing in the store.
    func save(_ login: NewLogin) throws(TVEError) {
        let (token, metadata, isFromPlatform) = (login.token, login.metadata, login.isFromPlatform)
        let isTempPass = token.claims.kind == .tempPass || providers.provider(login.mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: parts.clock.now()) { throw .tempPassExpired }
        try check(token, isFor: login.mvpdID)
        let isSaved = try decide { [requestorID] entitlements throws(StorageError) in
            guard try login.condition.isMet(entitlements, requestorID) else { return false }
            try entitlements.save(
                token, metadata: metadata, canAuthenticate: !isTempPass, isFromPlatform: isFromPlatform)
            return true
        }
        guard isSaved else { throw .loginAbandoned }
    }

    /// Refuses a token that is not for this device, requestor and provider, or has already expired.
    private func check(_ token: AuthenticationToken, isFor mvpdID: MVPDID) throws(TVEError) {
        guard parts.device.binding(of: token.claims.fingerprint) == .mine else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        guard token.claims.requestorID == requestorID, token.claims.providerID == mvpdID,
            !token.isExpired(at: parts.clock.now())
        else {
            throw TVEError(
                .authenticationFailed, status: .authenticationFailed,
                message: "The service sent a token for another login.")
        }
    }

    // MARK: - The end of a login

    /// Whether exactly this login is still stored: while a call waited for the service, a logout may have removed it.
    func isStored(_ login: AuthenticationToken) throws(TVEError) -> Bool {
        try read { try $0.contains(login) }
    }

    /// Checks that the viewer of a login has not logged out, on this device and in any process.
    func checkIsNotLoggedOut(_ login: AuthenticationToken) throws(TVEError) {
        guard try !read({ try $0.isLoggedOut(login, for: requestorID) }) else { throw .loggedOutMeanwhile }
    }

    /// Removes a login that the platform takes back, if it is still the viewer's.
    func removeRevoked(_ login: AuthenticationToken?) {
        guard let login, readable?.text == login.text else { return }
        _ = try? decide { entitlements throws(StorageError) in
            guard try entitlements.contains(login) else { return }
            try entitlements.removeLogin(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
        }
    }

    /// Removes everything of a login that the service has ended, also of the requestor it was made for.
    func removeEnded(_ login: AuthenticationToken) throws(TVEError) {
        try decide { [requestorID] entitlements throws(StorageError) in
            // Another process may have logged in again.
            guard try entitlements.contains(login) else { return }
            // Where the service keeps the logins, only this one has ended. The service is not told: what it has ended it
            // knows, and what it still has may belong to another device of the household.
            if login.isCopy {
                return try entitlements.removeCopy(
                    requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
            }
            try entitlements.removeEntitlements(of: requestorID)
            guard login.claims.requestorID != requestorID else { return }
            try entitlements.removeEntitlements(of: login.claims.requestorID)
        }
    }

    /// Removes the login with one provider, and notes that the service must hear of it; the viewer's choice stays.
    ///
    /// - Parameter login: the login, if there is one; it may be another requestor's.
    func removeLogin(_ login: AuthenticationToken?, with mvpdID: MVPDID) throws(TVEError) {
        try decide { [requestorID, areCopies] entitlements throws(StorageError) in
            try entitlements.removeLogin(requestorID: login?.claims.requestorID ?? requestorID, mvpdID: mvpdID)
            if areCopies { try entitlements.noteLogout(requestorID: requestorID, mvpdID: mvpdID) }
        }
    }

    /// Removes every login, and notes which the service must hear of.
    func removeEveryLogin() throws(TVEError) {
        try decide { [requestorsWithoutNotice] entitlements throws(StorageError) in
            // In either dialect: a session of the other dialect reads the notes.
            let copies = try entitlements.authenticationTokens().filter(\.isCopy)
            let requestors = copies.map(\.claims.requestorID) + requestorsWithoutNotice
            try entitlements.removeAllEntitlements(pending: copies, everyLoginOf: requestors)
        }
    }

    /// The requestors of which the service may keep a login that is not stored, so that a logout ends every login.
    var requestorsWithoutNotice: [RequestorID] { areCopies ? [requestorID] : [] }
}

extension NewLogin.Condition {
    /// Whether the login may still be stored; asked in the transaction that stores it.
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
