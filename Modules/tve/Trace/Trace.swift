import Foundation
import TVEModels

/// What happened while a command ran, for the page that shows it: calls, callbacks, exchanges, writes.
///
/// Nothing secret gets in: exchanges come without header and with the names of their fields alone, writes with key and size.
final class Trace: Sendable {
    /// Who takes part.
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
        /// What stands beside the line when somebody points at it.
        var details = ""
        /// When it began and how long it took, in milliseconds since the trace began.
        let began: Double
        var duration: Double?
        var isFailure = false
    }

    private let began = ContinuousClock.now
    /// What of ids goes in.
    let words: TraceWords
    private let list = Guarded<[Entry]>([])

    init(showsIDs: Bool = false) {
        words = TraceWords(showsIDs: showsIDs)
    }

    var entries: [Entry] { list.withLock { $0.sorted { $0.began < $1.began } } }

    /// Notes something that ended now and took so long.
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

    /// Writes the page, for its owner alone from the first byte on, in the place of a file of this name.
    ///
    /// - Throws: what the file system throws.
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
    /// Notes an exchange with the service.
    func note(_ exchange: ObservedTransport.Exchange, from party: Party) {
        note(
            party, .service, words.path(exchange.text), details: exchange.fields.joined(separator: ", "),
            milliseconds: exchange.milliseconds, isFailure: exchange.isFailure)
    }
}
