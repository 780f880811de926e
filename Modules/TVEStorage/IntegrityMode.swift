/// What an integrity check does (API reference, `IntegrityCheckType`; `report` and `repair` are ours).
public enum IntegrityMode: String, Sendable, CaseIterable {
    /// Nothing: neither checks nor removes (`INTEGRITY_CHECK_NONE`, the default).
    case none
    /// Looks at the store and every value, and writes nothing.
    case report
    /// Checks that the store works and that every value is valid; on any failure all entitlements go and the viewer is
    /// logged out (`INTEGRITY_CHECK_ALL`).
    case all
    /// Removes everything without looking at it (`INTEGRITY_CHECK_CLEAR`).
    case clear
    /// Checks like ``all``, but moves only what is bad aside and keeps the good.
    case repair
}
