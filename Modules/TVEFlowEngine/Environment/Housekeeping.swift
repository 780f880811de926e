public import TVEStorage

/// What a session does to its store at every start.
public struct Housekeeping: Sendable {
    /// What happens to entitlements that are bound to another device.
    public var foreignTokens: ForeignTokenPolicy
    /// Where older versions of the app may have left a login, newest first; read when this store has none.
    public var legacyStores: [LegacyStore]
    /// How the first start checks what is stored.
    public var integrityCheck = IntegrityMode.none

    /// Sets what to do.
    ///
    /// - Parameters:
    ///   - foreignTokens: what happens to entitlements that are bound to another device.
    ///   - legacyStores: where older versions may have left a login, newest first.
    public init(foreignTokens: ForeignTokenPolicy = .ignore, legacyStores: [LegacyStore] = []) {
        self.foreignTokens = foreignTokens
        self.legacyStores = legacyStores
    }
}
