import Foundation
import Logging
@_spi(VerificationService) import TVEModels
import TVEVerification

/// A log handler that writes each message as one line of JSON to standard error.
struct JSONLinesLog: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let label: String

    init(label: String) {
        self.label = label
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
        line.end("}")
        // A single call writes the line, so that lines of several threads do not mix. A closed reader must not end the
        // service.
        let bytes = line.bytes + [UInt8(ascii: "\n")]
        ServiceSupport.write(bytes, to: STDERR_FILENO)
    }
}
