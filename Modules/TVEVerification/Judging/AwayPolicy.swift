#if VerificationService
/// The answer for a valid token when the memory cannot say whether it was spent.
public enum AwayPolicy: String, Sendable, CaseIterable {
    /// It is not a first use: the stream does not start.
    case refuse
    /// It counts as a first use, and the answer says that the memory is unavailable. In the meantime, tokens can be
    /// used more than once.
    case accept
}
#endif
