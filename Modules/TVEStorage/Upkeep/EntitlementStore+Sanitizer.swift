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
            let foreign = try entitlements.values.keys(under: EntitlementLayout.root).filter { key in
                let path = key.parts
                return path.count < 3 || !entitlements.isOwn(path[2])
            }
            guard !foreign.isEmpty else { return 0 }
            switch policy {
            case .ignore: return 0
            case .remove: try entitlements.draft.add(foreign.map { .remove($0) })
            case .removeEverything:
                try entitlements.draft.add([
                    .removeAll(under: EntitlementLayout.root),
                    .putIfAbsent(EntitlementLayout.importsAreOver, EntitlementLayout.yes),
                ])
            }
            return foreign.count
        }
    }
}
