import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// An estimate of the difference between the issuer's clock and this machine's clock, based on the tokens that arrive.
///
/// A token reveals the difference only while it is young, so the estimate is the largest lead of the last minutes. Only
/// tokens with a valid signature are considered, so that nobody else can make the service report a wrong clock.
final class IssuerClock: Sendable {
    /// The length of a window, in seconds.
    ///
    /// A lead is forgotten after one to two windows.
    private static let window: TimeInterval = 60

    private struct State {
        var began = -TimeInterval.infinity
        var largest: TimeInterval?
        /// The largest lead of the previous window.
        var previous: TimeInterval?
    }

    private let state = NIOLockedValueBox(State())

    /// Records the times of issue of tokens that arrived at the same time.
    func record(_ issued: [Date], at now: Date) {
        let lead = issued.map { $0.timeIntervalSince(now) }.filter(\.isFinite).max()
        guard let lead else { return }
        state.withLockedValue { state in
            Self.turn(&state, now)
            state.largest = max(state.largest ?? lead, lead)
        }
    }

    /// Returns the number of seconds by which the issuer's clock was at least ahead of this machine's clock.
    ///
    /// The number is negative if every token was already some seconds old on arrival.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the lead, in seconds; `nil` if no token arrived in the last minutes.
    func lead(at now: Date) -> TimeInterval? {
        state.withLockedValue { state in
            Self.turn(&state, now)
            return [state.largest, state.previous].compactMap { $0 }.max()
        }
    }

    private static func turn(_ state: inout State, _ now: Date) {
        let age = now.timeIntervalSinceReferenceDate - state.began
        // If this machine's clock was set back, a new window begins too.
        guard age < 0 || age >= window else { return }
        state.previous = age >= 0 && age < 2 * window ? state.largest : nil
        state.largest = nil
        state.began = now.timeIntervalSinceReferenceDate
    }
}
