#if VerificationService
/// A change of the connections to Redis.
public enum RedisConnectionChange: Sendable, Hashable {
    /// Tokens can be spent from now on.
    case connected
    /// No token can be spent until there is a connection again.
    ///
    /// Reported when the last connection breaks, and when an attempt to connect fails for another reason than the
    /// previous one.
    case lost(RedisUsesError)
}
#endif
