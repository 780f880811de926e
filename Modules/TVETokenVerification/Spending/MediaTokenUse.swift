public import Foundation

/// A valid media token that is about to be spent, with enough values to recognize it again but not to play with it.
public struct MediaTokenUse: Sendable, Hashable {
    /// The SHA-256 of the signed bytes, 32 bytes.
    ///
    /// It is the same for every wrapping of the token and spelling of its markers.
    public let digest: Data
    /// The time at which the token expires for its verifier, which is its own end plus that verifier's clock tolerance.
    public let expires: Date
    /// The time at which the token was issued, by the service's clock.
    public let issued: Date
    /// The time until which the token must be remembered, which is never earlier than ``expires``.
    ///
    /// After that time, no verifier accepts the token, whatever its clock tolerance is. Therefore the tolerance can be
    /// raised while tokens are in use, and verifiers that share a memory may have different ones.
    public let rememberedUntil: Date

    /// Creates the description of a use.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of the signed bytes, 32 bytes.
    ///   - expires: the time at which the token expires for its verifier.
    ///   - issued: the time at which the token was issued.
    ///   - rememberedUntil: the time at which the token expires for the verifier with the largest clock tolerance. Pass
    ///     nil to use `expires`.
    public init(digest: Data, expires: Date, issued: Date, rememberedUntil: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
        self.rememberedUntil = max(expires, rememberedUntil ?? expires)
    }

    /// Returns a Boolean value that indicates whether a memory may have lost this token, because it began after the
    /// token was issued.
    ///
    /// Every memory must call this before it grants a token that it does not know. A token that was spent before a
    /// restart, a deployment or a failover is in no memory that began after it.
    ///
    /// - Parameters:
    ///   - began: the time since which the memory has forgotten nothing, by its own clock.
    ///   - issuerClockSkew: the number of seconds by which the clock of the service that issues tokens may be ahead of
    ///     that clock.
    /// - Returns: true if the token may have been spent before `began`. Then it must not be granted.
    public func mayHaveBeenSpent(before began: Date, issuerClockSkew: TimeInterval) -> Bool {
        // The times are compared as numbers, in a way that makes the result true for NaN. For `Date`, `>=` is the
        // opposite of `<`.
        let age = issued.timeIntervalSinceReferenceDate - began.timeIntervalSinceReferenceDate
        return !(age >= 0 && age >= issuerClockSkew)
    }

    /// Returns the time until a memory may grant this token, which was issued in the future of the memory's clock.
    ///
    /// Every memory must call this before it writes a token. ``mayHaveBeenSpent(before:issuerClockSkew:)`` protects
    /// tokens that were spent before a restart only if they were issued before the restart plus `issuerClockSkew`. A
    /// token that was issued later than that by the memory's own clock must wait, and must not be remembered as spent.
    ///
    /// - Parameters:
    ///   - now: the current time on the memory's own clock.
    ///   - issuerClockSkew: the number of seconds by which the clock of the service that issues tokens may be ahead of
    ///     that clock.
    /// - Returns: the number of seconds after which the token may be granted, greater than 0, or nil if it may be
    ///   granted now. The number is infinite for a token whose time of issue is not a number.
    public func secondsUntilGrantable(at now: Date, issuerClockSkew: TimeInterval) -> TimeInterval? {
        let lead = issued.timeIntervalSinceReferenceDate - now.timeIntervalSinceReferenceDate
        // `max` passes NaN on, so NaN is treated separately. It means that no difference is allowed.
        let limit = issuerClockSkew.isNaN ? 0 : max(0, issuerClockSkew)
        if lead < limit { return nil }
        // A token with exactly this lead is still too young, because the memory of a restart in the same millisecond
        // would grant it. Therefore the number is a millisecond longer than the rest of the lead.
        return lead.isNaN ? .infinity : lead - limit + 0.001
    }
}
