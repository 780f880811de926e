public import Foundation
public import Logging

/// Logs every event at level info, its array as metadata.
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
    ///   - client: what the service said about this client.
    ///   - time: when it happened; the logger has a clock of its own.
    public func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        logger.info("\(event.name)", metadata: ["data": .array(event.data(client: client).map { .string($0) })])
    }
}
