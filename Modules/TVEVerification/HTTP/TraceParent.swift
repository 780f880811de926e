#if VerificationService
import HTTPTypes
import Logging

/// The ids of a distributed trace (W3C Trace Context, `traceparent`).
struct TraceParent: Sendable, Hashable {
    let traceID: String
    let parentID: String

    /// Parses the header of version 00, and the common part of later ones; nil for anything else.
    init?(_ header: String) {
        let parts = header.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard header.utf8.count <= 256, parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4,
            Self.isHex(parts[1], 32), Self.isHex(parts[2], 16), Self.isHex(parts[3], 2),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        parentID = String(parts[2])
    }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A request's trace as metadata of the log.
    static func metadata(_ headers: HTTPFields) -> Logger.Metadata {
        guard let name = HTTPField.Name("traceparent"), let trace = headers[name].flatMap({ TraceParent($0) }) else {
            return [:]
        }
        return ["trace_id": .string(trace.traceID), "span_id": .string(trace.parentID)]
    }
}
#endif
