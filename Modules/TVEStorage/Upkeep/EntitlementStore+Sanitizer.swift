import TVEModels

extension EntitlementStore {
    /// Applies a policy to the entitlements of other devices.
    ///
    /// - Parameter policy: what to do with them.
    /// - Returns: how many entries of other devices were found and removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func sanitize(_ policy: ForeignTokenPolicy) throws(StorageError) -> Int {
        guard policy != .ignore else { return 0 }
        return try change { entitlements throws(StorageError) in
            let foreign = try entitlements.values.keys(under: StoredEntry.entitlements).filter { key in
                StoredEntry.Owner(ofEntitlement: key).map { !entitlements.isOwn($0) } ?? true
            }
            guard !foreign.isEmpty else { return 0 }
            switch policy {
            case .ignore: return 0
            case .remove: try entitlements.draft.add(foreign.map { .remove($0) })
            case .removeEverything: try entitlements.carryOut(.sanitized)
            }
            return foreign.count
        }
    }
}
