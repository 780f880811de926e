import Foundation
public import TVEModels

/// The events with which a login ends on a device.
package enum LoginEnd: Sendable, CaseIterable {
    /// The service no longer has the login whose copy is stored.
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
    /// Removes everything that belongs to an ended login, and ends the import from places of older versions.
    ///
    /// The import ends for every requestor whose login ends, so that the login does not return from there.
    ///
    /// - Parameters:
    ///   - end: the event that ends the login.
    ///   - requestorID: the requestor. It is ignored if every login ends.
    ///   - mvpdID: the TV provider. It is ignored if every login of the requestor ends.
    mutating func carryOut(
        _ end: LoginEnd, requestorID: RequestorID = "", mvpdID: MVPDID = ""
    ) throws(StorageError) {
        let login = login(requestorID, mvpdID)
        switch end {
        case .unknownToService:
            // The record of a successful login remains, so that the next login needs no picker.
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

    /// Removes the copy of a login that the service no longer has, with everything that depends on it.
    ///
    /// The record of a successful login remains, so that the next login needs no picker.
    public mutating func removeCopy(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try carryOut(.unknownToService, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Removes one login with everything that depends on it, but not the viewer's choice of provider.
    public mutating func removeLogin(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try carryOut(.removed, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Removes every token and provider choice of one requestor on this device.
    ///
    /// Values of another app that has another device id in the same place remain.
    public mutating func removeEntitlements(of requestorID: RequestorID) throws(StorageError) {
        try carryOut(.removedOfRequestor, requestorID: requestorID)
    }

    /// Removes every token and provider choice of every requestor, as logout does, but not the registrations.
    ///
    /// A service that stores logins must receive a logout of every login, for each requestor whose viewer has begun
    /// one.
    ///
    /// - Parameters:
    ///   - pending: the logins whose logout the service has not received; see
    ///     ``EntitlementReading/unfinishedLogouts(of:)``.
    ///   - requestorIDs: the requestors for which a service may have further logins.
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

    /// Removes the memberships in households of every requestor on this device.
    ///
    /// - Parameter requestorID: the requestor whose membership remains, or nil for none.
    package mutating func leaveHouseholds(but requestorID: RequestorID?) throws(StorageError) {
        let kept = requestorID.map { StoredEntry.household(owner($0)).key }
        // Their service tokens may be valid for long, so they are erased.
        let left = try draft.keys(under: StoredEntry.households).filter { $0 != kept }
        try draft.add(left.map { .removeAll(under: $0) })
    }

    // MARK: - Records of logouts

    /// Records permanently that a viewer begins to log in at a service that stores the logins.
    ///
    /// - Parameter requestorID: the requestor.
    package mutating func noteBegunLogin(of requestorID: RequestorID) throws(StorageError) {
        try draft.add([.putIfAbsent(.begunLogin(owner(requestorID)), StoredEntry.yes)])
    }

    /// Records that a service has yet to receive the end of every login.
    ///
    /// - Parameter requestorIDs: the requestors whose logins ended.
    package mutating func endEveryLogin(of requestorIDs: [RequestorID]) throws(StorageError) {
        for requestorID in requestorIDs { try draft.add(owner(requestorID).endingEveryLogin) }
    }

    /// Records that a service has yet to receive the end of the login with one provider.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    package mutating func noteLogout(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.put(.end(login(requestorID, mvpdID)), LogoutNote().bytes)])
    }

    /// Records that a service no longer has a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - records: the records at the time when the service received the logout. Later records of another process
    ///     remain.
    public mutating func finishLogout(
        requestorID: RequestorID, mvpdID: MVPDID, asOf records: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([StoredEntry.end(login(requestorID, mvpdID)).key], asOf: records)
    }

    /// Records that a service no longer has any login of a requestor.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - records: the records at the time when the service received the logout. Later records of another process
    ///     remain.
    public mutating func finishLogouts(
        of requestorID: RequestorID, asOf records: UnfinishedLogouts
    ) throws(StorageError) {
        try forget(draft.keys(under: owner(requestorID).logouts), asOf: records)
    }

    /// Records that a new login with a provider has begun, for which the service has ended the old one.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    ///   - records: the records at the time when the login began. Later records of another process remain.
    public mutating func settleLogouts(
        requestorID: RequestorID, mvpdID: MVPDID, asOf records: UnfinishedLogouts
    ) throws(StorageError) {
        try forget([StoredEntry.end(login(requestorID, mvpdID)).key], asOf: records)
        let all = StoredEntry.endOfEveryLogin(owner(requestorID)).key
        // The new login is excluded from the pending logout of every login, unless that logout was recorded again
        // since.
        if let known = records.notes[all], try draft.rawValue(for: all) == known {
            try draft.add([.put(.newerLogin(login(requestorID, mvpdID)), StoredEntry.yes)])
        }
    }

    private mutating func forget(_ notes: [StorageKey], asOf records: UnfinishedLogouts) throws(StorageError) {
        for key in notes {
            guard let known = records.notes[key], try draft.rawValue(for: key) == known else { continue }
            try draft.add([.remove(key)])
        }
    }
}
