public import Foundation
public import TVEModels

/// What is kept beside tokens: a login that is on its way, answers about sets of resources, logouts that are not finished.
extension EntitlementReading {
    /// What a requestor's viewer was about to finish when the app was closed (API reference, row HX7).
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the bytes that were kept, nil when no login is on its way.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func pendingLogin(of requestorID: String) throws(StorageError) -> Data? {
        try bytes(at: layout.pending(requestorID))
    }

    /// The service's last answer about a set of resources, if exactly this set was asked about (API reference,
    /// preauthorization cache).
    ///
    /// - Parameters:
    ///   - resources: the resources, in any order.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the decisions in the order in which they were kept, nil when another set or nothing was kept, or what was
    ///   kept cannot be read.
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

    /// What is left to do about logins of a requestor that were removed here.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: what is left; keeping a new login takes it away.
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
                // A note that cannot be read is about a login all the same.
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
