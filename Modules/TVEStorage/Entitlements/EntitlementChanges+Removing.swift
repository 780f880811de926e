import Foundation
public import TVEModels

/// Every way in which logins end on a device.
package enum LoginEnd: Sendable, CaseIterable {
    /// The service does not know the copy of a login any more.
    case unknownToService
    /// One login is removed.
    case removed
    /// Every login of a requestor is removed.
    case removedOfRequestor
    /// The viewer has logged out.
    case logout
    /// The sanitizer has found entitlements of another device.
    case sanitized
    /// A check has cleared the store.
    case cleared
}

/// Changes that end logins.
extension EntitlementChanges {
    /// Removes what an end removes, and ends the import of logins from places of older versions for everybody whose
    /// login ends: it must not return from there.
    ///
    /// - Parameters:
    ///   - end: how the login ends.
    ///   - requestorID: the requestor; not needed where every login ends.
    ///   - mvpdID: the TV provider; not needed where every login of the requestor ends.
    mutating func carryOut(
        _ end: LoginEnd, requestorID: RequestorID = "", mvpdID: MVPDID = ""
    ) throws(StorageError) {
        let login = login(requestorID, mvpdID)
        switch end {
        case .unknownToService:
            // The note that a login succeeded stays, so that the next login needs no picker.
            let canAuthenticate = try canAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            try carryOut(.removed, requestorID: requestorID, mvpdID: mvpdID)
            if canAuthenticate { try draft.add([.put(.canAuthenticate(login), StoredEntry.yes)]) }
        case .removed: try remove([login.entitlements], .importsAreOverFor(login.owner))
        case .removedOfRequestor: try remove([login.owner.entitlements], .importsAreOverFor(login.owner))
        case .logout, .sanitized, .cleared:
            try remove([StoredEntry.entitlements, StoredEntry.quarantine], .importsAreOver)
        }
    }

    private mutating func remove(_ parents: [StorageKey], _ mark: StoredEntry) throws(StorageError) {
        try draft.add(parents.map { .removeAll(under: $0) } + [.putIfAbsent(mark, StoredEntry.yes)])
    }

    /// Removes the copy of a login that the service does not know any more, with everything that depends on it.
    ///
    /// The note that a login succeeded stays, so that the next login needs no picker.
    public mutating func removeCopy(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try carryOut(.unknownToService, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Removes one login with everything that depends on it; the viewer's choice of provider stays.
    public mutating func removeLogin(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try carryOut(.removed, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Removes every token and provider choice of one requestor on this device; values of another app with another
    /// device id in the same place stay.
    public mutating func removeEntitlements(of requestorID: RequestorID) throws(StorageError) {
        try carryOut(.removedOfRequestor, requestorID: requestorID)
    }

    /// Removes every token and provider choice of every requestor, as logout does; registrations stay.
    ///
    /// A service that keeps logins must be told about every login of each requestor whose viewer has begun one.
    ///
    /// - Parameters:
    ///   - pending: logins that a service must still be told about; see ``EntitlementReading/unfinishedLogouts(of:)``.
    ///   - requestorIDs: requestors of which a service may keep further logins.
    public mutating func removeAllEntitlements(
        pending: [AuthenticationToken] = [], everyLoginOf requestorIDs: [RequestorID] = []
    ) throws(StorageError) {
        let owners = try Set(requestorIDs.map(owner)).union(ownersOfBegunLogins())
        try carryOut(.logout)
        for login in pending {
            try draft.add([.put(.end(self.login(of: login)), LogoutNote().bytes)])
        }
        try draft.add(owners.flatMap(\.endingEveryLogin))
    }

    // MARK: - Notes about logouts

    /// Notes that a viewer begins to log in at a service that keeps the logins; stays for good.
    ///
    /// - Parameter requestorID: the requestor.
    package mutating func noteBegunLogin(of requestorID: RequestorID) throws(StorageError) {
        try draft.add([.putIfAbsent(.begunLogin(owner(requestorID)), StoredEntry.yes)])
    }

    /// Notes that a service must still be told that the viewer ended every login.
    ///
    /// - Parameter requestorIDs: the requestors whose logins ended.
    package mutating func endEveryLogin(of requestorIDs: [RequestorID]) throws(StorageError) {
        for requestorID in requestorIDs { try draft.add(owner(requestorID).endingEveryLogin) }
    }

    /// Notes that a service must still be told that the viewer ended the login with one provider.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    package mutating func noteLogout(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.put(.end(login(requestorID, mvpdID)), LogoutNote().bytes)])
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
