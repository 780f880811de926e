public import TVEStorage

/// The maintenance that a session performs on its store at every start.
public struct Housekeeping: Sendable {
    /// The policy for entitlements that are bound to another device.
    public var foreignTokens: ForeignTokenPolicy
    /// The stores in which older versions of the app may have left a login, newest first.
    ///
    /// A start without a valid login reads each of them once for each requestor (API reference, row T-53).
    public var legacyStores: [LegacyStore]
    /// The integrity check that the first start runs on the store.
    public var integrityCheck = IntegrityMode.none

    /// Creates a set of maintenance rules.
    ///
    /// - Parameters:
    ///   - foreignTokens: the policy for entitlements that are bound to another device.
    ///   - legacyStores: the stores in which older versions of the app may have left a login, newest first.
    public init(foreignTokens: ForeignTokenPolicy = .ignore, legacyStores: [LegacyStore] = []) {
        self.foreignTokens = foreignTokens
        self.legacyStores = legacyStores
    }
}
