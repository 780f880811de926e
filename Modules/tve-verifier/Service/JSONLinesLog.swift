#if VerificationService
import Foundation
import Logging

/// Writes each message as one line of JSON to standard error.
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
        // Times with a fixed shape sort as strings.
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(Date())
        var fields: [(String, String)] = [
            ("time", time), ("level", event.level.rawValue), ("logger", label), ("message", event.message.description),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        fields += all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        let line = "{" + fields.map { "\(Self.quoted($0)):\(Self.quoted($1))" }.joined(separator: ",") + "}\n"
        // In one call, so that lines of several threads do not mix. A closed reader must not end the service.
        let bytes = Array(line.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A string as JSON; line breaks in it are escaped.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
#endif
