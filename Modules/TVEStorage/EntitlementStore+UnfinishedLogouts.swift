import Foundation
public import TVEModels

extension EntitlementStore {
    /// What is left to do about logins of a requestor that were removed here.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: what is left; keeping a new login takes it away.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func unfinishedLogouts(of requestorID: String) throws(StorageError) -> UnfinishedLogouts {
        var left = UnfinishedLogouts()
        for key in try backend.keys(under: unfinished(requestorID)).sorted() {
            let path = key.components
            switch (path.count, path[3]) {
            case (4, "all"): left.isOfEveryLogin = true
            case (5, "mvpd"):
                if try text(at: key) == Self.endedText {
                    left.ended.append(path[4])
                } else {
                    left.untold.append(path[4])
                }
            default: break
            }
        }
        return left
    }

    /// Notes that a service no longer keeps a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func finishLogout(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.remove(unfinished(requestorID, mvpdID))])
    }

    /// Notes that a service keeps no login of a requestor any more.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func finishLogouts(of requestorID: String) throws(StorageError) {
        try backend.apply([.removeAll(under: unfinished(requestorID))])
    }

    /// Notes that a new login with a provider has begun, before which the service was told about the old one.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func settleLogouts(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply(settling(requestorID, mvpdID))
    }

    /// Removes the copy of a login that the service has ended, so that the next one is a new one; that it once succeeded stays known,
    /// and the next one needs no picker.
    ///
    /// - Parameter login: the login.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func end(_ login: AuthenticationToken) throws(StorageError) {
        let (requestorID, mvpdID) = (login.claims.requestorID, login.claims.providerID)
        try removeCopy(
            requestorID: requestorID, mvpdID: mvpdID,
            and: [.put(unfinished(requestorID, mvpdID), Data(Self.endedText.utf8))])
    }

    /// The notes about logins that a logout removes.
    func notes(about logins: [AuthenticationToken], everyLoginOf requestorIDs: Set<String>) -> [StorageChange] {
        logins.map { .put(unfinished($0.claims.requestorID, $0.claims.providerID), Self.yes) }
            + requestorIDs.sorted().map { .put(unfinished($0).appending("all"), Self.yes) }
    }

    /// A login that is kept leaves nothing to do about the ones before it.
    func settling(_ requestorID: String, _ mvpdID: String) -> [StorageChange] {
        [.remove(unfinished(requestorID, mvpdID)), .remove(unfinished(requestorID).appending("all"))]
    }

    static let endedText = "ended"

    private func unfinished(_ requestorID: String) -> StorageKey {
        StorageKey("logout").appending(requestorID).appending(fingerprint)
    }

    private func unfinished(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        unfinished(requestorID).appending("mvpd").appending(mvpdID)
    }
}
