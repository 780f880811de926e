import Foundation
public import TVEModels

/// Changes that end logins. Each of them also ends the import of logins from places of older versions: an ended login
/// must not return from there.
extension EntitlementChanges {
    /// Removes the copy of a login that the service does not know any more, with everything that depends on it.
    ///
    /// The note that a login succeeded stays, so that the next login needs no picker.
    public mutating func removeCopy(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        let canAuthenticate = try canAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        try removeLogin(requestorID: requestorID, mvpdID: mvpdID)
        if canAuthenticate { try draft.add([.put(.canAuthenticate(login(requestorID, mvpdID)), StoredEntry.yes)]) }
    }

    /// Removes the copy of a login that the service has ended, so that the next login is a new one.
    ///
    /// The note that a login succeeded stays, so that the next login needs no picker.
    ///
    /// - Parameter login: the login.
    public mutating func end(_ login: AuthenticationToken) throws(StorageError) {
        try removeCopy(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
        try draft.add([.put(.end(self.login(of: login)), LogoutNote(isEnded: true).bytes)])
    }

    /// Removes one login with everything that depends on it; the viewer's choice of provider stays.
    public mutating func removeLogin(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([
            .removeAll(under: login(requestorID, mvpdID).entitlements),
            .putIfAbsent(.importsAreOverFor(owner(requestorID)), StoredEntry.yes),
        ])
    }

    /// Removes every token and provider choice of one requestor on this device; values of another app with another
    /// device id in the same place stay.
    public mutating func removeEntitlements(of requestorID: RequestorID) throws(StorageError) {
        try draft.add([
            .removeAll(under: owner(requestorID).entitlements),
            .putIfAbsent(.importsAreOverFor(owner(requestorID)), StoredEntry.yes),
        ])
    }

    /// Removes every token and provider choice of every requestor, as logout does; registrations stay.
    ///
    /// - Parameters:
    ///   - pending: logins that a service must still be told about; see ``EntitlementReading/unfinishedLogouts(of:)``.
    ///   - requestorIDs: requestors of which a service may keep further logins.
    public mutating func removeAllEntitlements(
        pending: [AuthenticationToken] = [], everyLoginOf requestorIDs: [RequestorID] = []
    ) throws(StorageError) {
        try draft.add([
            .removeAll(under: StoredEntry.entitlements), .removeAll(under: StoredEntry.quarantine),
            .putIfAbsent(.importsAreOver, StoredEntry.yes),
        ])
        for login in pending {
            try draft.add([.put(.end(self.login(of: login)), LogoutNote(isEnded: false).bytes)])
        }
        try endEveryLogin(of: requestorIDs)
    }

    // MARK: - Notes about logouts

    /// Notes that a service must still be told that the viewer ended every login.
    ///
    /// - Parameter requestorIDs: the requestors whose logins ended.
    package mutating func endEveryLogin(of requestorIDs: [RequestorID]) throws(StorageError) {
        for requestorID in requestorIDs { try draft.add(owner(requestorID).endingEveryLogin) }
    }

    /// Notes that a service does not keep a login any more.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: the notes as they were when the service was told; later notes of another process stay.
    public mutating func finishLogout(
        requestorID: RequestorID, mvpdID: MVPDID, asOf told: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([StoredEntry.end(login(requestorID, mvpdID)).key], asOf: told)
    }

    /// Notes that a service keeps no login of a requestor any more.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - told: the notes as they were when the service was told; later notes of another process stay.
    public mutating func finishLogouts(of requestorID: RequestorID, asOf told: UnfinishedLogouts) throws(StorageError) {
        try forget(draft.keys(under: owner(requestorID).logouts), asOf: told)
    }

    /// Notes that a new login with a provider has begun, for which the service has ended the old one.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - told: the notes as they were when the login began; later notes of another process stay.
    public mutating func settleLogouts(
        requestorID: RequestorID, mvpdID: MVPDID, asOf told: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([StoredEntry.end(login(requestorID, mvpdID)).key], asOf: told)
        let all = StoredEntry.endOfEveryLogin(owner(requestorID)).key
        // A login with this provider is newer than the note about all logins; a later note includes it again.
        if let known = told.notes[all], try draft.rawValue(for: all) == known {
            try draft.add([.put(.newerLogin(login(requestorID, mvpdID)), StoredEntry.yes)])
        }
    }

    private mutating func forget(_ notes: [StorageKey], asOf told: UnfinishedLogouts) throws(StorageError) {
        for key in notes {
            guard let known = told.notes[key], try draft.rawValue(for: key) == known else { continue }
            try draft.add([.remove(key)])
        }
    }
}
