public import Foundation
public import TVEModels

extension EntitlementStore {
    /// Removes the copy of a login that the service no longer knows, with everything that came of it; that it once succeeded stays
    /// known, so that the next one needs no picker.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeCopy(requestorID: String, mvpdID: String) throws(StorageError) {
        try removeCopy(requestorID: requestorID, mvpdID: mvpdID, and: [])
    }

    func removeCopy(requestorID: String, mvpdID: String, and more: [StorageChange]) throws(StorageError) {
        let login = login(requestorID, mvpdID)
        let canAuthenticate = try canAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        let mark = canAuthenticate ? [StorageChange.put(login.appending("canAuthenticate"), Self.yes)] : []
        try backend.apply([.removeAll(under: login)] + mark + more)
    }

    /// Removes one login with everything that came of it; the viewer's choice of provider stays.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeLogin(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.removeAll(under: login(requestorID, mvpdID))])
    }

    /// Removes every token and provider choice of one requestor on this device; what another app with another device id keeps in
    /// the same place stays.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeEntitlements(of requestorID: String) throws(StorageError) {
        try backend.apply([.removeAll(under: part(requestorID))])
    }

    /// Removes every token and provider choice of every requestor, as logout does; registrations stay.
    ///
    /// - Parameters:
    ///   - untold: logins that a service has yet to be told about; see ``unfinishedLogouts(of:)``.
    ///   - requestorIDs: requestors of which a service may keep further logins.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeAllEntitlements(
        untold: [AuthenticationToken] = [], everyLoginOf requestorIDs: Set<String> = []
    ) throws(StorageError) {
        try backend.apply(
            [.removeAll(under: Self.root), .removeAll(under: Self.quarantine)]
                + notes(about: untold, everyLoginOf: requestorIDs))
    }

    /// Removes tokens that have run out: AuthN tokens with the AuthZ tokens of their login, and AuthZ tokens by themselves.
    ///
    /// The viewer's choice of provider stays. A value that is no token is left for ``check(_:progress:)``.
    ///
    /// - Parameters:
    ///   - now: the device's present time.
    ///   - permissionsOnly: whether AuthN tokens stay, for a device whose clock nobody vouches for.
    /// - Returns: how many entries were removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func removeExpired(at now: Date, permissionsOnly: Bool = false) throws(StorageError) -> Int {
        var batch: [StorageChange] = []
        for key in try backend.keys(under: Self.root) {
            let path = key.components
            guard path.count >= 6, path[3] == "mvpd", let text = try text(at: key) else { continue }
            if path[5] == "authn", !permissionsOnly, (try? reader.authentication(text))?.isExpired(at: now) == true {
                batch.append(.remove(key))
                batch.append(.removeAll(under: StorageKey(path.dropLast() + ["authz"])))
            } else if path[5] == "authz", (try? reader.authorization(text))?.isExpired(at: now) == true {
                batch.append(.remove(key))
            }
        }
        if !batch.isEmpty { try backend.apply(batch) }
        return batch.count
    }
}
