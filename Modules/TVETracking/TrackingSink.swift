public import Foundation

/// Takes tracking events, beside whoever reads the session's events.
public protocol TrackingSink: Sendable {
    /// Takes an event; called inside the call that causes it, so it must be short.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - client: what the service said about this client.
    ///   - time: when it happened.
    func record(_ event: TrackingEvent, client: TrackedClient, at time: Date)
}
