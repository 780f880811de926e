import Foundation
import TVEModels

/// What happened while a command ran, for the trace page: calls, callbacks, exchanges, writes.
///
/// It contains no secrets: exchanges have no headers and only the names of their fields, writes have key and size.
final class Trace: Sendable {
    enum Party: String, CaseIterable {
        case app = "App"
        case library = "Library"
        case storage = "Storage"
        case service = "Service"
        case browser = "Browser"
    }

    struct Entry: Sendable {
        let from: Party
        let to: Party
        let text: String
        /// Text that is shown when the pointer is on the line.
        var details = ""
        /// Beginning and duration, in milliseconds since the trace began.
        let began: Double
        var duration: Double?
        var isFailure = false
    }

    private let began = ContinuousClock.now
    /// Which parts of ids are included.
    let words: TraceWords
    private let list = Guarded<[Entry]>([])

    init(showsIDs: Bool = false) {
        words = TraceWords(showsIDs: showsIDs)
    }

    var entries: [Entry] { list.withLock { $0.sorted { $0.began < $1.began } } }

    /// Records something that ended now, with its duration.
    func note(
        _ from: Party, _ to: Party, _ text: String, details: String = "", milliseconds: Double? = nil,
        isFailure: Bool = false
    ) {
        let now = Timeline.milliseconds(since: began)
        let text = words.call(text)
        list.withLock {
            $0.append(
                Entry(
                    from: from, to: to, text: text, details: details, began: now - (milliseconds ?? 0),
                    duration: milliseconds, isFailure: isFailure))
        }
    }

    /// Writes the page, readable only by its owner from the beginning, and replaces an existing file.
    func write(to path: String, title: String) throws {
        let bytes = Data(TracePage(title: title, entries: entries, showsIDs: words.showsIDs).html.utf8)
        let beside = "\(path).\(UUID().uuidString)"
        let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        do {
            try FileHandle(fileDescriptor: file, closeOnDealloc: true).write(contentsOf: bytes)
            guard rename(beside, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(beside)
            throw error
        }
    }
}

extension Trace {
    func note(_ exchange: ObservedTransport.Exchange, from party: Party) {
        note(
            party, .service, words.path(exchange.text), details: exchange.fields.joined(separator: ", "),
            milliseconds: exchange.milliseconds, isFailure: exchange.isFailure)
    }
}

/// Which parts of a call, a callback or a key are in a trace: its shape, and ids only if they were requested.
///
/// A resource reveals what a viewer watches, a fingerprint which device it is, and either can identify a viewer.
struct TraceWords: Sendable {
    let showsIDs: Bool

    /// A call or a callback.
    func call(_ text: String) -> String {
        guard !showsIDs else { return text }
        return Self.patterns.reduce(text) { text, pattern in
            text.replacing(pattern.expression) { "\($0.1)…\($0.2)" }
        }
    }

    /// A storage key: its kind of entry.
    func key(_ text: String) -> String {
        guard !showsIDs else { return text }
        return text.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.kinds.contains(String($0)) ? String($0) : "…" }.joined(separator: "/")
    }

    /// A path of the service: in some paths the last part is a resource or a viewer.
    func path(_ text: String) -> String {
        showsIDs ? text : text.replacing(/[0-9a-fA-F]{32,}/, with: "…")
    }

    private struct Pattern: Sendable {
        private let text: String
        init(_ text: String) { self.text = text }
        var expression: Regex<(Substring, Substring, Substring)> {
            // The patterns are below, and tests check them; an invalid one would hide everything.
            (try? Regex(text, as: (Substring, Substring, Substring).self)) ?? /(^)(?s:.*)($)/
        }
    }

    private static let patterns = [
        Pattern(#"^((?:get|check)Authorization\().*(\).*)$"#), Pattern(#"^(setToken\(.*forResource: ).*(\))$"#),
        Pattern(#"^(tokenRequestFailed\()(?s:.*)(\))$"#), Pattern(#"^(preauthorizedResources\(\[)(?s:.*)(\]\))$"#),
        Pattern(#"^(sendTrackingData\(\[)(?s:.*)(\], \d+\))$"#), Pattern(#"^(setMetadataStatus\()(?s:.*)(\))$"#),
        Pattern(#"^(status\([^,]+, \w+, ")(?s:.*)("\))$"#),
    ]

    private static let kinds: Set<String> = [
        "requestor", "quarantine", "imported", "logout", "device", "seed", "registration", "mvpd", "authn", "authz",
        "pending", "preauthorization", "canAuthenticate", "platform", "current", "all", "newer", "closed", "metadata",
        "probe",
    ]
}
