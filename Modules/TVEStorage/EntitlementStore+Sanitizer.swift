extension EntitlementStore {
    /// Applies a policy to the entitlements of other devices.
    ///
    /// - Parameter policy: what to do with them.
    /// - Returns: how many entries of other devices were there and went.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func sanitize(_ policy: ForeignTokenPolicy) throws(StorageError) -> Int {
        guard policy != .ignore else { return 0 }
        let foreign = try backend.keys(under: Self.root).filter { key in
            let path = key.components
            return path.count < 3 || path[2] != fingerprint
        }
        guard !foreign.isEmpty else { return 0 }
        switch policy {
        case .ignore: return 0
        case .remove: try backend.apply(foreign.map { .remove($0) })
        case .removeEverything: try backend.apply([.removeAll(under: Self.root)])
        }
        return foreign.count
    }
}
