import TVEModels

extension EntitlementStore {
    /// Applies a policy to the entitlements of other devices, and to their memberships in households.
    ///
    /// A membership alone does not make ``ForeignTokenPolicy/removeEverything`` remove this device's entitlements.
    ///
    /// - Parameter policy: the policy.
    /// - Returns: the number of entries of other devices that were found and removed.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    @discardableResult
    public func sanitize(_ policy: ForeignTokenPolicy) throws(StorageError) -> Int {
        guard policy != .ignore else { return 0 }
        return try change { entitlements throws(StorageError) in
            let all = try entitlements.values.keys(under: StoredEntry.entitlements)
            let foreign = all.filter { key in
                StoredEntry.Owner(ofEntitlement: key).map { !entitlements.isOwn($0) } ?? true
            }
            let memberships = try entitlements.values.keys(under: StoredEntry.households).filter { key in
                guard case .household(let owner)? = StoredEntry(key) else { return false }
                return !entitlements.isOwn(owner)
            }
            guard !foreign.isEmpty || !memberships.isEmpty else { return 0 }
            // Their service tokens may be valid for long, so they are erased.
            try entitlements.draft.add(memberships.map { .removeAll(under: $0) })
            switch policy {
            case .ignore: return 0
            case .remove:
                // One permanent removal erases the bytes of all. A key without an owner may have this device's own
                // entitlements below it.
                let leaf = foreign.firstWithoutKeysBelow(amongst: all)
                try entitlements.draft.add(leaf.map { [.removeAll(under: $0)] } ?? [])
                try entitlements.draft.add(foreign.map { .remove($0) })
            case .removeEverything: if !foreign.isEmpty { try entitlements.carryOut(.sanitized) }
            }
            return foreign.count + memberships.count
        }
    }
}

/// The policy for entitlements in the store that are bound to another device (API reference, sanitizer).
public enum ForeignTokenPolicy: Sendable {
    /// They remain, invisible to this app, because another app that shares the store may need them.
    ///
    /// This is the default.
    case ignore
    /// They are removed, because no app uses them again with an old device id.
    case remove
    /// Everything is removed, including this device's own entitlements, as in version 1.8.
    case removeEverything
}
