/// What an integrity check does (API reference, `IntegrityCheckType`; `report` and `repair` are ours).
public enum IntegrityMode: String, Sendable, CaseIterable {
    /// Nothing: neither checks nor removes (`INTEGRITY_CHECK_NONE`, the default).
    case none
    /// Checks the store and every value, and writes nothing.
    case report
    /// Checks that the store works and that every value is valid; on any failure all entitlements are removed and the
    /// viewer is logged out (`INTEGRITY_CHECK_ALL`).
    case all
    /// Removes everything without a check (`INTEGRITY_CHECK_CLEAR`).
    case clear
    /// Checks like ``all``, but only moves bad values aside and keeps the good ones.
    case repair
}
