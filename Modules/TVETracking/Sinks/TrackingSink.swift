public import Foundation

/// Receives tracking events, in addition to the session's own event stream.
public protocol TrackingSink: Sendable {
    /// Receives an event; called inside the call that causes it, so it must be short.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - client: how the service describes this client.
    ///   - time: when it happened.
    func record(_ event: TrackingEvent, client: TrackedClient, at time: Date)
}
