public import Foundation
public import TVEModels

/// Values beside the tokens: a running login, answers about sets of resources, unfinished logouts.
extension EntitlementReading {
    /// The login that was running when the app was closed (API reference, row HX7).
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the stored bytes, nil when no login is running.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func pendingLogin(of requestorID: String) throws(StorageError) -> Data? {
        try bytes(at: layout.pending(requestorID))
    }

    /// The service's last answer about a set of resources, if the question was about exactly this set (API reference,
    /// preauthorization cache).
    ///
    /// - Parameters:
    ///   - resources: the resources, in any order.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the decisions in their stored order; nil when the last answer is about another set, is missing or
    ///   cannot be read.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func preauthorization(
        of resources: Set<Resource>, requestorID: String, mvpdID: String
    ) throws(StorageError) -> [PreauthorizationDecision]? {
        let key = layout.login(requestorID, mvpdID).appending(EntitlementLayout.preauthorization)
        guard let text = try text(at: key), let decisions = EntitlementLayout.decisions(Data(text.utf8)),
            Set(decisions.map(\.resource)) == resources
        else { return nil }
        return decisions
    }

    /// The unfinished logouts of a requestor's logins that were removed from this store.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: what is unfinished; storing a new login removes the notes about it.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func unfinishedLogouts(of requestorID: String) throws(StorageError) -> UnfinishedLogouts {
        var left = UnfinishedLogouts()
        for key in try values.keys(under: layout.notes(requestorID)).sorted() {
            let path = key.components
            guard path.count >= 4 else { continue }
            let bytes = try bytes(at: key)
            switch (path.count, path[3]) {
            case (4, "all"): left.isOfEveryLogin = true
            case (5, "newer"): left.newer.append(path[4])
            case (5, "mvpd"):
                // A note that cannot be read still is about a login.
                if LogoutNote(bytes ?? Data())?.isEnded == true {
                    left.ended.append(path[4])
                } else {
                    left.pending.append(path[4])
                }
            default: continue
            }
            left.notes[key] = try values.rawValue(for: key)
        }
        return left
    }
}
