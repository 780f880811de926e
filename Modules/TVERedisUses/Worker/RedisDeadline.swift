#if VerificationService
import Foundation

/// A point in time by which something must end, on a monotonic clock.
struct RedisDeadline: Sendable, Comparable {
    let nanoseconds: UInt64

    static var now: RedisDeadline { RedisDeadline(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

    /// A point in time that many seconds later; at most a day.
    func advanced(by seconds: TimeInterval) -> RedisDeadline {
        RedisDeadline(nanoseconds: nanoseconds + UInt64(min(max(seconds, 0), 86_400) * 1e9))
    }

    /// Milliseconds until then, rounded up, as `poll` takes them; 0 when it has passed.
    var milliseconds: Int32 {
        let now = Self.now.nanoseconds
        return nanoseconds <= now ? 0 : Int32(min((nanoseconds - now + 999_999) / 1_000_000, 86_400_000))
    }

    static func < (left: RedisDeadline, right: RedisDeadline) -> Bool { left.nanoseconds < right.nanoseconds }
}
#endif
