/// The kind of check of the stored data when an access enabler starts (storage integrity page).
#if canImport(ObjectiveC)
@objc
#endif
public enum IntegrityCheckType: Int, Sendable {
    /// No check, which is the default.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_NONE)
    #endif
    case INTEGRITY_CHECK_NONE = 0
    /// A full check, after which all values are removed and the viewer is logged out if anything is wrong.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_ALL)
    #endif
    case INTEGRITY_CHECK_ALL = 1
    /// The removal of all values without a check.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_CLEAR)
    #endif
    case INTEGRITY_CHECK_CLEAR = 2
}
