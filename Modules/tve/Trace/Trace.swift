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
        let text: TraceText
        /// Text that is shown when the pointer is on the line.
        var details: TraceText = ""
        /// Beginning and duration, in milliseconds since the trace began.
        let began: Double
        var duration: Double?
        var isFailure = false
    }

    private let began = ContinuousClock.now
    private let date = Date()
    /// Whether the page shows ids.
    private let showsIDs: Bool
    private let list = Guarded<[Entry]>([])

    init(showsIDs: Bool = false) {
        self.showsIDs = showsIDs
    }

    var entries: [Entry] { list.withLock { $0.sorted { $0.began < $1.began } } }

    /// Records something that ended now, with its duration.
    func note(
        _ from: Party, _ to: Party, _ text: TraceText, details: TraceText = "", milliseconds: Double? = nil,
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

    /// Writes the page, readable only by its owner from the beginning, and replaces an existing file.
    ///
    /// - Parameter service: the address of the service.
    func write(to path: String, title: String, service: String) throws {
        let page = TracePage(title: title, date: date, service: service, entries: entries, showsIDs: showsIDs)
        try PrivateFile.replace(path, Data(page.html.utf8))
    }
}

extension Trace {
    func note(_ exchange: ObservedTransport.Exchange, from party: Party) {
        note(
            party, .service, exchange.text,
            details: "\(exchange.fields.map { TraceText(field: $0) }, separator: ", ")",
            milliseconds: exchange.milliseconds, isFailure: exchange.isFailure)
    }
}
