import Foundation
import TVEModels

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
            exchange.facts.requestor ?? "", "\(exchange.status)",
            exchange.faults.map(\.rawValue).joined(separator: " "),
        ].joined(separator: " ").lowercased()
    }
}
