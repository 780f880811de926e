import Foundation
import TVEModels
import TVESandbox

/// A line of the list of exchanges: the same in a page and in the events for an open page.
enum ExchangeRow {
    static func html(_ exchange: SandboxExchange) -> String {
        let facts = exchange.facts
        let device = facts.device ?? ""
        let faults = exchange.faults.map {
            let title = FaultDescription($0).title.escapedForXML
            return " <span class=\"fault\" title=\"\(title)\">\(title)</span>"
        }.joined()
        let status = exchange.faults.contains(.dropped) ? "cut" : "\(exchange.status)"
        let dialect = ServiceStep.Dialect(rawValue: facts.dialect)?.title ?? facts.dialect
        let flow = facts.flow.map { "<a href=\"/console/sequence?flow=\($0)\">\($0)</a>" } ?? ""
        return """
            <tr data-id="\(exchange.id)" data-device="\(device.escapedForXML)" data-dialect="\(facts.dialect)" \
            data-status="\(exchange.status)" data-faults="\(exchange.faults.count)" data-words="\(ExchangeFilter.words(exchange).escapedForXML)">
            <td class="time">\(time(exchange.began))</td>
            <td class="code \(level(exchange))">\(status)</td>
            <th scope="row"><a class="open" href="/console/exchanges/\(exchange.id)"><span class="method">\(exchange.method.escapedForXML)</span> \(shown(exchange.path))</a></th>
            <td class="step">\(facts.title.escapedForXML)\(faults)</td>
            <td class="dialect">\(dialect)</td>
            <td class="device" title="\(device.escapedForXML)">\(short(device).escapedForXML)</td>
            <td class="requestor">\((facts.requestor?.text ?? "").escapedForXML)</td>
            <td class="flow">\(flow)</td>
            <td class="took">\(took(exchange.milliseconds))</td>
            </tr>
            """
    }

    /// The severity of a status.
    static func level(_ exchange: SandboxExchange) -> String {
        switch exchange.status {
        case 1..<300: exchange.faults.contains(.dropped) ? "bad" : "good"
        case 300..<400: "moved"
        default: "bad"
        }
    }

    static func time(_ date: Date) -> String {
        let milliseconds = Int(bounded: date.timeIntervalSince1970 * 1000) % 86_400_000
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
        return
            "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(String(rest + 1000).dropFirst())"
    }

    static func took(_ milliseconds: Double) -> String { "\(SequenceDiagram.text(milliseconds)) ms" }

    /// The beginning and the end of an id, which distinguish it from most others.
    static func short(_ id: String) -> String {
        id.count > 13 ? "\(id.prefix(8))…\(id.suffix(4))" : id
    }

    private static func shown(_ path: String) -> String {
        path.utf8.count > 120 ? "\(String(path.prefix(118)).escapedForXML)…" : path.escapedForXML
    }
}

/// A filter for the list of exchanges.
struct ExchangeFilter: Sendable {
    let text: String
    let device: String
    let dialect: String
    /// `ok` below 400, `failed` from 400 on, `fault` for simulated failures, or a whole status.
    let status: String
    let flow: Int?

    init(_ query: FormFields) {
        text = (query["text"] ?? "").lowercased()
        device = query["device"] ?? ""
        dialect = query["dialect"] ?? ""
        status = query["status"] ?? ""
        flow = query["flow"].flatMap { Int($0) }
    }

    func fits(_ exchange: SandboxExchange) -> Bool {
        if !device.isEmpty, !device.isSameBytes(as: exchange.facts.device ?? "") { return false }
        if !dialect.isEmpty, dialect != exchange.facts.dialect { return false }
        if let flow, exchange.facts.flow != flow { return false }
        switch status {
        case "": break
        case "ok": if !(1..<400).contains(exchange.status) { return false }
        case "failed": if exchange.status > 0, exchange.status < 400 { return false }
        case "fault": if exchange.faults.isEmpty { return false }
        default: if status != "\(exchange.status)" { return false }
        }
        return text.isEmpty || Self.words(exchange).contains(text)
    }

    /// The text in which words are searched.
    static func words(_ exchange: SandboxExchange) -> String {
        [
            exchange.method, exchange.path, exchange.facts.title, exchange.facts.device ?? "",
            exchange.facts.requestor?.text ?? "", "\(exchange.status)",
            exchange.faults.map(\.rawValue).joined(separator: " "),
        ].joined(separator: " ").lowercased()
    }
}
