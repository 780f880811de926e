public import Foundation

/// A receiver of tracking events, in addition to the session's own event stream.
public protocol TrackingSink: Sendable {
    /// Receives an event.
    ///
    /// The call that causes the event waits for this function, so it must return quickly.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - client: the service's description of this client.
    ///   - time: the time of the event.
    func record(_ event: TrackingEvent, client: TrackedClient, at time: Date)
}
