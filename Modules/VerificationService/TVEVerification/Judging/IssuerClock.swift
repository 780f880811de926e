import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// Compares the clock of the service that issues tokens with this machine's clock, by the tokens that come.
///
/// A token shows the difference only while it is young, so the largest lead of the last minutes counts. Only tokens with a
/// valid signature count: nobody else can make the service report a wrong clock.
final class IssuerClock: Sendable {
    /// The number of seconds after which a lead is forgotten, at the latest after twice this time.
    private static let window: TimeInterval = 60

    private struct State {
        var began = -TimeInterval.infinity
        var largest: TimeInterval?
        /// The largest lead of the window before.
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

    /// Returns the number of seconds by which the issuer's clock was ahead of this machine's, at least; nil if no token
    /// came lately.
    ///
    /// It is negative where every token was already some seconds old.
    func lead(at now: Date) -> TimeInterval? {
        state.withLockedValue { state in
            Self.turn(&state, now)
            return [state.largest, state.previous].compactMap { $0 }.max()
        }
    }

    private static func turn(_ state: inout State, _ now: Date) {
        let age = now.timeIntervalSinceReferenceDate - state.began
        // A clock that was set back begins a new window too.
        guard age < 0 || age >= window else { return }
        state.previous = age >= 0 && age < 2 * window ? state.largest : nil
        state.largest = nil
        state.began = now.timeIntervalSinceReferenceDate
    }
}
