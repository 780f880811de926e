import Foundation
import TVEModels

/// A record of the calls, callbacks, exchanges and writes of a command, for the trace page.
///
/// The record contains no secrets. Of an exchange it contains the names of fields but no header, and of a write the key
/// and the size.
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
        let text: TraceText
        /// The text that is shown when the line is expanded.
        var details: TraceText = ""
        /// The beginning of the entry, in milliseconds since the trace began.
        let began: Double
        /// The duration in milliseconds, or `nil` if it is unknown.
        var duration: Double?
        var isFailure = false
    }

    private let began = ContinuousClock.now
    private let date = Date()
    /// A Boolean value that indicates whether the page shows ids.
    private let showsIDs: Bool
    private let list = Guarded<[Entry]>([])

    init(showsIDs: Bool = false) {
        self.showsIDs = showsIDs
    }

    var entries: [Entry] { list.withLock { $0.sorted { $0.began < $1.began } } }

    /// Records an entry that ends now.
    ///
    /// - Parameters:
    ///   - text: the text of the line.
    ///   - from: the party that acts.
    ///   - to: the party that is addressed.
    ///   - details: further text for the expanded line.
    ///   - milliseconds: the duration, or `nil` if it is unknown.
    ///   - isFailure: a Boolean value that indicates whether the entry is marked as a failure.
    func note(
        _ text: TraceText, from: Party, to: Party, details: TraceText = "", milliseconds: Double? = nil,
        isFailure: Bool = false
    ) {
        let now = Timeline.milliseconds(since: began)
        list.withLock {
            $0.append(
                Entry(
                    from: from, to: to, text: text, details: details, began: now - (milliseconds ?? 0),
                    duration: milliseconds, isFailure: isFailure))
        }
    }

    /// Writes the page into a file that only its owner can read, and replaces an existing file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - title: the title of the page.
    ///   - service: the address of the service.
    func write(to path: String, title: String, service: String) throws {
        let page = TracePage(title: title, date: date, service: service, entries: entries, showsIDs: showsIDs)
        let html = Data(page.html.utf8)
        // The path may be that of an input of this command, such as the software statement.
        guard PrivateFile.beginsLike(html, path) else { throw ToolFailure(FileFault.notAPage(path)) }
        try PrivateFile.replace(path, html)
    }
}

extension Trace {
    func note(_ exchange: ObservedTransport.Exchange, from party: Party) {
        note(
            exchange.text, from: party, to: .service,
            details: "\(exchange.fields.map { TraceText(field: $0) }, separator: ", ")",
            milliseconds: exchange.milliseconds, isFailure: exchange.isFailure)
    }
}
