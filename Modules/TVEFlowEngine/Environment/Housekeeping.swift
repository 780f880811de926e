public import TVEStorage

/// What a session does to its store at every start.
public struct Housekeeping: Sendable {
    /// What happens to entitlements that are bound to another device.
    public var foreignTokens: ForeignTokenPolicy
    /// Where older versions of the app may have left a login, newest first; looked at when there is none here.
    public var legacyStores: [LegacyStore]
    /// How the first start looks at what is stored.
    public var integrityCheck = IntegrityMode.none

    /// Says what to do.
    ///
    /// - Parameters:
    ///   - foreignTokens: what happens to entitlements that are bound to another device.
    ///   - legacyStores: where older versions may have left a login, newest first.
    public init(foreignTokens: ForeignTokenPolicy = .ignore, legacyStores: [LegacyStore] = []) {
        self.foreignTokens = foreignTokens
        self.legacyStores = legacyStores
    }
}
