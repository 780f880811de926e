import Foundation
public import TVEModels

/// What ends logins. Whatever ends one also ends the taking over of logins from places of older versions: they must not come
/// back from there.
extension EntitlementChanges {
    /// Removes the copy of a login that the service no longer knows, with everything that came of it; that it once succeeded stays
    /// known, so that the next one needs no picker.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func removeCopy(requestorID: String, mvpdID: String) throws(StorageError) {
        let login = layout.login(requestorID, mvpdID)
        let canAuthenticate = try canAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        try removeLogin(requestorID: requestorID, mvpdID: mvpdID)
        if canAuthenticate { try draft.add([.put(login.appending("canAuthenticate"), EntitlementLayout.yes)]) }
    }

    /// Removes the copy of a login that the service has ended, so that the next one is a new one; that it once succeeded stays
    /// known, and the next one needs no picker.
    ///
    /// - Parameter login: the login.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func end(_ login: AuthenticationToken) throws(StorageError) {
        let (requestorID, mvpdID) = (login.claims.requestorID, login.claims.providerID)
        try removeCopy(requestorID: requestorID, mvpdID: mvpdID)
        try draft.add([.put(layout.note(requestorID, mvpdID), LogoutNote(isEnded: true).bytes)])
    }

    /// Removes one login with everything that came of it; the viewer's choice of provider stays.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func removeLogin(requestorID: String, mvpdID: String) throws(StorageError) {
        try draft.add([
            .removeAll(under: layout.login(requestorID, mvpdID)),
            .putIfAbsent(layout.importsAreOver(requestorID), EntitlementLayout.yes),
        ])
    }

    /// Removes every token and provider choice of one requestor on this device; what another app with another device id keeps in
    /// the same place stays.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func removeEntitlements(of requestorID: String) throws(StorageError) {
        try draft.add([
            .removeAll(under: layout.part(requestorID)),
            .putIfAbsent(layout.importsAreOver(requestorID), EntitlementLayout.yes),
        ])
    }

    /// Removes every token and provider choice of every requestor, as logout does; registrations stay.
    ///
    /// - Parameters:
    ///   - pending: logins that a service has yet to be told about; see ``EntitlementReading/unfinishedLogouts(of:)``.
    ///   - requestorIDs: requestors of which a service may keep further logins.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func removeAllEntitlements(
        pending: [AuthenticationToken] = [], everyLoginOf requestorIDs: [String] = []
    ) throws(StorageError) {
        try draft.add([
            .removeAll(under: EntitlementLayout.root), .removeAll(under: EntitlementLayout.quarantine),
            .putIfAbsent(EntitlementLayout.importsAreOver, EntitlementLayout.yes),
        ])
        for login in pending {
            let key = layout.note(login.claims.requestorID, login.claims.providerID)
            try draft.add([.put(key, LogoutNote(isEnded: false).bytes)])
        }
        for requestorID in requestorIDs {
            try draft.add(layout.endingEveryLogin(of: requestorID))
        }
    }

    // MARK: - Notes about logouts

    /// Notes that a service no longer keeps a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: what was left to do when the service was told; what another process noted since stays.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func finishLogout(
        requestorID: String, mvpdID: String, asOf told: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([layout.note(requestorID, mvpdID)], asOf: told)
    }

    /// Notes that a service keeps no login of a requestor any more.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - told: what was left to do when the service was told; what another process noted since stays.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func finishLogouts(of requestorID: String, asOf told: UnfinishedLogouts) throws(StorageError) {
        try forget(draft.keys(under: layout.notes(requestorID)), asOf: told)
    }

    /// Notes that a new login with a provider has begun, for which the service has ended the old one.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: what was left to do when the login began; what another process noted since stays.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func settleLogouts(
        requestorID: String, mvpdID: String, asOf told: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([layout.note(requestorID, mvpdID)], asOf: told)
        let all = layout.noteOfAll(requestorID)
        // Whatever login comes with this provider is none of those that the note speaks of; a later note speaks of it again.
        if let known = told.notes[all], try draft.rawValue(for: all) == known {
            try draft.add([.put(layout.newerLogins(requestorID).appending(mvpdID), EntitlementLayout.yes)])
        }
    }

    private mutating func forget(_ notes: [StorageKey], asOf told: UnfinishedLogouts) throws(StorageError) {
        for key in notes {
            guard let known = told.notes[key], try draft.rawValue(for: key) == known else { continue }
            try draft.add([.remove(key)])
        }
    }
}
