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

/// What happens to entitlements in the store that are bound to another device (API reference, sanitizer).
public enum ForeignTokenPolicy: Sendable {
    /// They stay, invisible to this app: another app that shares the store may need them. The default.
    case ignore
    /// They are removed: with an old device id they will never be used again.
    case remove
    /// Everything is removed, this device's own entitlements too, as in version 1.8.
    case removeEverything
}
