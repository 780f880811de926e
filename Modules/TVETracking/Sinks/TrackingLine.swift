import Foundation

/// One event as a line of JSON.
struct TrackingLine: Encodable {
    let time: String
    let event: String
    let data: [String]

    init(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        self.time = time.formatted(.iso8601)
        self.event = event.name
        data = event.data(client: client)
    }

    /// The line without its end; keys are sorted, so that equal events are equal lines.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings only: always valid JSON.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
