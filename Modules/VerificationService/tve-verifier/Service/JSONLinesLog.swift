import Foundation
import Logging
import TVEVerification

/// A log handler that writes each message as one line of JSON to standard error.
struct JSONLinesLog: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let output: StandardError

    init(label: String, output: StandardError) {
        self.label = label
        self.output = output
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        // Times of a fixed format can be sorted as strings.
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(Date())
        var line = JSONText()
        line.begin("{")
        line.field("time", time)
        line.field("level", event.level.rawValue)
        line.field("logger", label)
        line.field("message", event.message.description)
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line.field(key, value.description) }
        output.write { dropped in
            if dropped > 0 { line.field("droppedLines", dropped) }
            line.end("}")
            return line.bytes
        }
    }
}
