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

    /// Sets the number of seconds by which the clock is ahead, limited to ``range``.
    package func set(_ seconds: TimeInterval) {
        let seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
        moved.withLock { $0 = seconds }
    }
}
