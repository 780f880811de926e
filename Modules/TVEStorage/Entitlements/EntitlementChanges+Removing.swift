import Foundation
public import TVEModels

/// Changes that end logins. Each of them also ends the import of logins from places of older versions: an ended login
/// must not return from there.
extension EntitlementChanges {
    /// Removes the copy of a login that the service does not know any more, with everything that depends on it.
    ///
    /// The note that a login succeeded stays, so that the next login needs no picker.
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

    /// Removes the copy of a login that the service has ended, so that the next login is a new one.
    ///
    /// The note that a login succeeded stays, so that the next login needs no picker.
    ///
    /// - Parameter login: the login.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func end(_ login: AuthenticationToken) throws(StorageError) {
        let (requestorID, mvpdID) = (login.claims.requestorID, login.claims.providerID)
        try removeCopy(requestorID: requestorID, mvpdID: mvpdID)
        try draft.add([.put(layout.note(requestorID, mvpdID), LogoutNote(isEnded: true).bytes)])
    }

    /// Removes one login with everything that depends on it; the viewer's choice of provider stays.
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

    /// Removes every token and provider choice of one requestor on this device; values of another app with another
    /// device id in the same place stay.
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
    ///   - pending: logins that a service must still be told about; see ``EntitlementReading/unfinishedLogouts(of:)``.
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

    /// Notes that a service must still be told that the viewer ended every login.
    ///
    /// - Parameter requestorIDs: the requestors whose logins ended.
    /// - Throws: any ``StorageError`` about reading.
    package mutating func endEveryLogin(of requestorIDs: [String]) throws(StorageError) {
        for requestorID in requestorIDs { try draft.add(layout.endingEveryLogin(of: requestorID)) }
    }

    /// Notes that a service does not keep a login any more.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: the notes as they were when the service was told; later notes of another process stay.
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
    ///   - told: the notes as they were when the service was told; later notes of another process stay.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func finishLogouts(of requestorID: String, asOf told: UnfinishedLogouts) throws(StorageError) {
        try forget(draft.keys(under: layout.notes(requestorID)), asOf: told)
    }

    /// Notes that a new login with a provider has begun, for which the service has ended the old one.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: the notes as they were when the login began; later notes of another process stay.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func settleLogouts(
        requestorID: String, mvpdID: String, asOf told: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([layout.note(requestorID, mvpdID)], asOf: told)
        let all = layout.noteOfAll(requestorID)
        // A login with this provider is newer than the note about all logins; a later note includes it again.
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
