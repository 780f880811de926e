public import Foundation

/// One valid media token about to be spent: enough to recognize it again, not enough to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of the signed bytes, 32 bytes: the same for every wrapping of the token and spelling of its markers.
    public let digest: Data
    /// When the token expires for the verifier that verified it: its own end plus that verifier's clock tolerance.
    public let expires: Date
    /// When the token was issued, by the service's clock.
    public let issued: Date
    /// Until when the token must be remembered; never earlier than ``expires``.
    ///
    /// Later, no verifier accepts it, whatever its clock tolerance. So the tolerance can be raised while tokens are in
    /// use, and verifiers that share a memory may have different ones.
    public let rememberedUntil: Date

    /// Describes a use.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the signed bytes, 32 bytes.
    ///   - expires: when the token expires for its verifier.
    ///   - issued: when the token was issued.
    ///   - rememberedUntil: when the token expires for the verifier with the largest clock tolerance; nil means
    ///     `expires`.
    public init(digest: Data, expires: Date, issued: Date, rememberedUntil: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
        self.rememberedUntil = max(expires, rememberedUntil ?? expires)
    }

    /// Returns a Boolean value that indicates whether a memory may have lost this token, because it began to remember
    /// after the token was issued.
    ///
    /// Every memory must ask this before it grants a token that it does not know: what was spent before a restart, a
    /// deployment or a failover is in no memory that began after it.
    ///
    /// - Parameters:
    ///   - began: since when the memory forgot nothing, by its own clock.
    ///   - issuerClockSkew: seconds by which the clock of the service that issues tokens may be ahead of that clock.
    /// - Returns: true if the token may have been spent before `began`; then it must not be granted.
    public func mayHaveBeenSpent(before began: Date, issuerClockSkew: TimeInterval) -> Bool {
        // As numbers and written so that NaN counts as spent: for `Date`, `>=` is the opposite of `<`.
        let age = issued.timeIntervalSinceReferenceDate - began.timeIntervalSinceReferenceDate
        return !(age >= 0 && age >= issuerClockSkew)
    }
    /// Returns the time until a memory may grant this token, which was issued in the future of the memory's clock.
    ///
    /// Every memory must ask this before it writes a token. ``mayHaveBeenSpent(before:issuerClockSkew:)`` protects tokens
    /// that were spent before a restart only if they were issued before the restart plus `issuerClockSkew`. A token that
    /// was issued later than that by the memory's own clock must wait, and must not be remembered as spent.
    ///
    /// - Parameters:
    ///   - now: the current time on the memory's own clock.
    ///   - issuerClockSkew: seconds by which the clock of the service that issues tokens may be ahead of that clock.
    /// - Returns: the number of seconds to wait, greater than 0; nil if the token may be granted now. A token that was
    ///   issued at no time, or at a time that is not a number, gets infinity.
    public func secondsUntilGrantable(at now: Date, issuerClockSkew: TimeInterval) -> TimeInterval? {
        let lead = issued.timeIntervalSinceReferenceDate - now.timeIntervalSinceReferenceDate
        // `max` passes NaN on. Written so that NaN is refused.
        let limit = issuerClockSkew.isNaN ? 0 : max(0, issuerClockSkew)
        if lead < limit { return nil }
        // At the very moment the token is still too young: the memory of a restart in the same millisecond would grant it.
        return lead.isNaN ? .infinity : max(lead - limit, 0.001)
    }
}
