import Foundation
import TVEModels
import TVESandbox

/// A filter for exchanges, as the address of a page and the API have it.
struct ExchangeFilter: Sendable {
    let text: String
    let device: String
    let dialect: String
    /// `ok` for what was granted or done, `failed` for what was not, `fault` for simulated failures, the name of an outcome,
    /// or a whole status.
    let status: String
    let flow: Int?

    init(_ query: FormFields) {
        text = (query["text"] ?? "").trimmingCharacters(in: .whitespaces)
        device = query["device"] ?? ""
        dialect = query["dialect"] ?? ""
        status = query["status"] ?? ""
        flow = query["flow"].flatMap { Int($0) }
    }

    /// Whether every exchange fits.
    var isEmpty: Bool { text.isEmpty && device.isEmpty && dialect.isEmpty && status.isEmpty && flow == nil }

    /// The exchanges that fit, in their order.
    func of(_ exchanges: [SandboxExchange], _ index: SearchIndex) -> [SandboxExchange] {
        guard !isEmpty else { return exchanges }
        let fitting = exchanges.filter(fits)
        return text.isEmpty ? fitting : index.search(fitting, text)
    }

    /// The filter as the query of an address.
    ///
    /// - Parameter more: further fields.
    func query(_ more: [(String, String)] = []) -> String {
        let fields =
            [
                ("text", text), ("device", device), ("dialect", dialect), ("status", status),
                ("flow", flow.map { "\($0)" } ?? ""),
            ] + more
        let given = fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.escapedForPath)" }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }

    private func fits(_ exchange: SandboxExchange) -> Bool {
        if !device.isEmpty, !device.isSameBytes(as: exchange.facts.device ?? "") { return false }
        if !dialect.isEmpty, dialect != exchange.facts.dialect { return false }
        if let flow, exchange.facts.flow != flow { return false }
        switch status {
        case "": return true
        case "ok": return [.granted, .done].contains(exchange.outcome.kind)
        case "failed": return exchange.outcome.isFailure
        case "fault": return !exchange.faults.isEmpty
        case let name where ExchangeOutcome.Kind(rawValue: name) != nil: return exchange.outcome.kind.rawValue == name
        default: return status == "\(exchange.status)"
        }
    }
}
