#if VerificationService
/// The limits of one request.
public struct VerificationLimits: Sendable, Hashable {
    /// Most bytes of the body with one token.
    public var bodyBytes = 128 << 10
    /// Most bytes of the body with a batch.
    public var batchBytes = 2 << 20
    /// Most tokens in a batch.
    public var batchTokens = 100
    /// Seconds within which a body must be complete.
    public var bodySeconds = 10

    /// The default limits.
    public init() {}
}
#endif
