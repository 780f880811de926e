package import Foundation
import TVEModels

/// The service's clock, which a tester can move in the console.
///
/// Everything then expires as if the time had passed.
package final class ServiceClock: Sendable {
    private let source: @Sendable () -> Date
    private let moved = Guarded<TimeInterval>(0)
    /// The numbers of seconds by which the clock may be ahead: ten years in both directions.
    package static let range: ClosedRange<TimeInterval> = -315_360_000...315_360_000

    init(_ source: @escaping @Sendable () -> Date) {
        self.source = source
    }

    package var now: Date { source().addingTimeInterval(moved.withLock(\.self)) }

    /// The service's time and that of the clock's source at the same instant.
    var reading: (now: Date, source: Date) {
        let time = source()
        return (time.addingTimeInterval(offset), time)
    }

    /// The number of seconds by which the clock is ahead of its source.
    package var offset: TimeInterval { moved.withLock(\.self) }

    /// Moves the clock in one step, so that no move of another tester is lost.
    ///
    /// - Parameter offset: the closure that returns the new number of seconds by which the clock is ahead, from the
    ///   present one and the time of the source.
    /// - Returns: the number of seconds by which the clock was moved; `nil` when ``range`` does not contain the new
    ///   number, and nothing was moved.
    package func move(_ offset: (_ present: TimeInterval, _ source: Date) -> TimeInterval) -> TimeInterval? {
        moved.withLock { moved -> TimeInterval? in
            let present = moved
            let next = offset(present, source())
            guard Self.range.contains(next) else { return nil }
            moved = next
            return next - present
        }
    }

    /// Sets the number of seconds by which the clock is ahead, limited to ``range``.
    package func set(_ seconds: TimeInterval) {
        let seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
        moved.withLock { $0 = seconds }
    }
}
