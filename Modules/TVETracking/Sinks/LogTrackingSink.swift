public import Foundation
public import Logging

/// A sink that logs every event at level info, with the event's data as metadata.
public struct LogTrackingSink: TrackingSink {
    private let logger: Logger

    /// Creates a sink.
    ///
    /// - Parameter logger: the logger to write to.
    public init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an event; see ``TrackingSink``.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - client: the service's description of this client.
    ///   - time: the time of the event. It is ignored, because the logger has its own clock.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        logger.info("\(event.name)", metadata: ["data": .array(event.data(client: client).map { .string($0) })])
    }
}
