import Foundation
import TVEModels

/// What happened while a command ran, for the trace page: calls, callbacks, exchanges, writes.
///
/// It contains no secrets: exchanges have no headers and only the names of their fields, writes have key and size.
final class Trace: Sendable {
    /// The participants.
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
    ///
    /// - Throws: errors of the file system.
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
    /// Records an exchange with the service.
    func note(_ exchange: ObservedTransport.Exchange, from party: Party) {
        note(
            party, .service, words.path(exchange.text), details: exchange.fields.joined(separator: ", "),
            milliseconds: exchange.milliseconds, isFailure: exchange.isFailure)
    }
}
