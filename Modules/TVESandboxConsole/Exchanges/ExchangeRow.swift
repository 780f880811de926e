import Foundation
import TVEModels
import TVESandbox

/// A row in the list of exchanges.
enum ExchangeRow {
    static func html(_ exchange: SandboxExchange, _ names: DeviceNames, chosen: Bool = false) -> String {
        let facts = exchange.facts
        let outcome = exchange.outcome
        let device = facts.device ?? ""
        let name = device.isEmpty ? "" : names.name(device)
        // A narrow list cuts off the end of a long outcome, so the marks stand before it.
        let said = ExchangeChanges(exchange).marks + outcomeHTML(outcome)
        let dialect = ServiceStep.Dialect(rawValue: facts.dialect)?.title ?? facts.dialect
        let owner = [facts.requestor?.text, outcome.provider?.text].compactMap(\.self).joined(separator: " · ")
            .escapedForXML
        let flow = facts.flow.map { "<a href=\"/console/sequence?flow=\($0)\">\($0)</a>" } ?? ""
        return """
            <tr data-id="\(exchange.id)" data-device="\(device.escapedForXML)"\(exchange.isSent ? "" : " data-open")\(chosen ? " class=\"chosen\"" : "")>
            <td class="time">\(time(exchange.began))</td>
            <td class="code \(level(exchange))">\(status(exchange))</td>
            <th scope="row"><a class="open" href="/console/exchanges/\(exchange.id)" title="\(shown(exchange.path))"><span class="method">\(exchange.method.escapedForXML)</span> \(shown(exchange.path))</a></th>
            <td class="step"><span class="title">\(facts.title.escapedForXML)</span>\(said.isEmpty ? "" : "<span class=\"said\">\(said)</span>")</td>
            <td class="dialect">\(dialect)</td>
            <td class="device" title="\(device.escapedForXML)" data-name="\(name.escapedForXML)">\(deviceHTML(device, name))</td>
            <td class="requestor" title="\(owner)">\(owner)</td>
            <td class="flow">\(flow)</td>
            <td class="took"\(exchange.isSent ? "" : " data-since=\"\(exchange.began.milliseconds)\"")>\(exchange.isSent ? took(exchange.milliseconds) : "in flight")</td>
            </tr>
            """
    }

    /// Returns the outcome of an exchange as HTML.
    ///
    /// The result is empty if the outcome has no text, or if it is a fault, which is shown separately.
    static func outcomeHTML(_ outcome: ExchangeOutcome) -> String {
        guard !outcome.text.isEmpty, outcome.kind != .fault else { return "" }
        let text = outcome.text.escapedForXML
        return " <span class=\"outcome \(outcome.kind.rawValue)\" title=\"\(text)\">\(text)</span>"
    }

    /// Returns the name of a device as HTML, whose end stays visible in a narrow column.
    ///
    /// Only the end of the name tells devices of one model apart.
    private static func deviceHTML(_ id: String, _ name: String) -> String {
        let suffix = " (\(short(id)))"
        guard !id.isEmpty, name.hasByteSuffix(suffix) else { return name.escapedForXML }
        let model = String(name.unicodeScalars.dropLast(suffix.unicodeScalars.count))
        let end = id.count > 13 ? String(id.suffix(4)) : id
        return "<span class=\"fit\"><span>\(model.escapedForXML)</span> "
            + "<span class=\"quiet\">\(end.escapedForXML)</span></span>"
    }

    static func mark(_ mark: ExchangeLog.Mark) -> String {
        """
        <tr class="mark" data-id="mark-\(mark.date.milliseconds)-\(mark.after)"><td class="time">\(time(mark.date))</td><td colspan="8">\(mark.text.escapedForXML)</td></tr>
        """
    }

    /// Returns the HTTP status, "…" for a request without an answer, or "cut" if a fault dropped the connection.
    static func status(_ exchange: SandboxExchange) -> String {
        if exchange.status == 0 { return "…" }
        return exchange.faults.contains(.dropped) ? "cut" : "\(exchange.status)"
    }

    /// Returns the style class for the severity of a status.
    static func level(_ exchange: SandboxExchange) -> String {
        switch exchange.status {
        case 0: "waits"
        case 1..<300: exchange.faults.contains(.dropped) ? "bad" : "good"
        case 300..<400: "moved"
        default: "bad"
        }
    }

    /// Returns the time of day in UTC as HTML; the console's script shows it in the time zone of the browser.
    static func time(_ date: Date) -> String {
        let milliseconds = Int(bounded: date.timeIntervalSince1970 * 1000) % 86_400_000
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let seconds = milliseconds / 1000
        let rest = milliseconds % 1000
        let text =
            "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(String(rest + 1000).dropFirst())"
        return "<time datetime=\"\(iso(date))\" data-clock>\(text)</time>"
    }

    /// Returns a date and time in UTC as HTML; the console's script shows it in the time zone of the browser.
    static func date(_ date: Date) -> String { "<time datetime=\"\(iso(date))\">\(date.formatted(.iso8601))</time>" }

    private static func iso(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static func took(_ milliseconds: Double) -> String { "\(SequenceDiagram.text(milliseconds)) ms" }

    /// Returns an id shortened to its beginning and its end, which distinguish it from most others.
    static func short(_ id: String) -> String {
        id.count > 13 ? "\(id.prefix(8))…\(id.suffix(4))" : id
    }

    private static func shown(_ path: String) -> String {
        path.utf8.count > 120 ? "\(String(path.prefix(118)).escapedForXML)…" : path.escapedForXML
    }
}
