/// How an access enabler looks at what is stored when it starts (storage integrity page).
#if canImport(ObjectiveC)
@objc
#endif
public enum IntegrityCheckType: Int, Sendable {
    /// Not at all, which is the default.
    case INTEGRITY_CHECK_NONE = 0
    /// Everything: whatever is wrong, all values go and the viewer is logged out.
    case INTEGRITY_CHECK_ALL = 1
    /// Everything goes without a look.
    case INTEGRITY_CHECK_CLEAR = 2
}
