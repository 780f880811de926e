package import Foundation
import TVEModels

/// The service's clock, which the console moves: everything expires as if the time had passed.
package final class ServiceClock: Sendable {
    private let source: @Sendable () -> Date
    private let moved = Guarded<TimeInterval>(0)
    /// How far the clock may be moved in all, in seconds: ten years.
    package static let range: ClosedRange<TimeInterval> = -315_360_000...315_360_000

    init(_ source: @escaping @Sendable () -> Date) {
        self.source = source
    }

    package var now: Date { source().addingTimeInterval(moved.withLock(\.self)) }

    /// How many seconds it is ahead of the time that it would show by itself.
    package var offset: TimeInterval { moved.withLock(\.self) }

    /// Sets how many seconds it is ahead, within ``range``.
    package func set(_ seconds: TimeInterval) {
        let seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
        moved.withLock { $0 = seconds }
    }
}
