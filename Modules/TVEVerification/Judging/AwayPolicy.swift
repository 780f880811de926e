#if VerificationService
/// What a valid token gets when the memory cannot say whether it was spent.
public enum AwayPolicy: String, Sendable, CaseIterable {
    /// It is no first use: the stream does not start.
    case refuse
    /// It counts as a first use, and the answer says that the memory is unavailable. Tokens can be used again meanwhile.
    case accept
}
#endif
