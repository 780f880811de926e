public import Foundation

/// The answer of a memory to an attempt to spend a media token.
///
/// A stream may start if, and only if, the token was granted.
public enum MediaTokenUseOutcome: Sendable, Hashable {
    /// This was the one use of the token.
    case granted
    /// The token may not start a stream now.
    case refused(MediaTokenRefusal)

    /// A Boolean value that indicates whether the stream may start.
    public var isGranted: Bool { self == .granted }

    /// The reason for which the token was refused, or nil if it was granted.
    public var refusal: MediaTokenRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }
}

/// The reason for which a memory refused a valid media token.
public struct MediaTokenRefusal: Sendable, Hashable {
    /// The reason in a form for programs, logs and metrics, for example `older-than-memory`.
    public let reason: String
    /// The number of seconds after which the same token will be granted, or nil if it never will.
    public let retryAfter: TimeInterval?

    private init(_ reason: String, retryAfter: TimeInterval? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// The token has already started a stream, or a memory that has forgotten it cannot exclude that.
    public static let spent = MediaTokenRefusal("spent")

    /// The token has expired on the memory's clock.
    public static let expired = MediaTokenRefusal("expired")

    /// The token was issued before the memory began to remember, for example before a restart, so it may have been
    /// spent.
    ///
    /// The app should request another token.
    public static let olderThanMemory = MediaTokenRefusal("older-than-memory")

    /// Creates the refusal of a token that was issued in the future of the memory's clock.
    ///
    /// In that case, the memory's clock is behind the clock of the service that issues tokens.
    ///
    /// - Parameter seconds: the number of seconds after which the same token will be granted.
    public static func clockBehind(seconds: TimeInterval) -> MediaTokenRefusal {
        MediaTokenRefusal(clockBehindReason, retryAfter: seconds)
    }

    /// The ``reason`` of ``clockBehind(seconds:)``.
    package static let clockBehindReason = "clock-behind"

    /// The reasons of this module's refusals.
    public static let reasons = [spent.reason, expired.reason, olderThanMemory.reason, clockBehindReason]
}
