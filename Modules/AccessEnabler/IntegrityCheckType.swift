/// How an access enabler looks at what is stored when it starts (storage integrity page).
#if canImport(ObjectiveC)
@objc
#endif
public enum IntegrityCheckType: Int, Sendable {
    /// Not at all, which is the default.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_NONE)
    #endif
    case INTEGRITY_CHECK_NONE = 0
    /// Everything: whatever is wrong, all values go and the viewer is logged out.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_ALL)
    #endif
    case INTEGRITY_CHECK_ALL = 1
    /// Everything goes without a look.
    #if canImport(ObjectiveC)
    @objc(INTEGRITY_CHECK_CLEAR)
    #endif
    case INTEGRITY_CHECK_CLEAR = 2
}
