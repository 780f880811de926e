public import Foundation
public import Logging

/// Logs every event at level info, with its data as metadata.
public struct LogTrackingSink: TrackingSink {
    private let logger: Logger

    /// Makes a sink.
    ///
    /// - Parameter logger: where to log.
    public init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an event; see ``TrackingSink``.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - client: how the service describes this client.
    ///   - time: when it happened; not used, because the logger has its own clock.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        logger.info("\(event.name)", metadata: ["data": .array(event.data(client: client).map { .string($0) })])
    }
}
