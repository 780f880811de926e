import Foundation
import TVEModels
import TVESandbox

/// A filter for exchanges, read from the query of a page or of the API.
struct ExchangeFilter: Sendable {
    let text: String
    let device: String
    let dialect: String
    /// The outcome to select.
    ///
    /// The value is `ok` for requests that were granted or done, `failed` for those that failed, `fault` for simulated
    /// failures, the name of an outcome, an HTTP status, or empty for all exchanges.
    let status: String
    let flow: Int?

    /// The names of the fields in a query.
    static let names = ["text", "device", "dialect", "status", "flow"]

    /// The values of a status that are no HTTP status.
    static let outcomes = ["", "ok", "failed"] + ExchangeOutcome.Kind.allCases.map(\.rawValue)

    /// Returns a Boolean value that indicates whether a text can be the value of a status.
    static func isStatus(_ text: String) -> Bool {
        outcomes.contains(text) || text.wholeMatch(of: /[1-5][0-9]{2}/) != nil
    }

    init(_ query: FormFields) {
        text = (query["text"] ?? "").trimmingCharacters(in: .whitespaces)
        device = query["device"] ?? ""
        dialect = query["dialect"] ?? ""
        status = query["status"] ?? ""
        flow = query["flow"].flatMap { Int($0) }
    }

    /// A Boolean value that indicates whether the filter selects every exchange.
    var isEmpty: Bool { text.isEmpty && device.isEmpty && dialect.isEmpty && status.isEmpty && flow == nil }

    /// Returns the exchanges that match the filter, in their order.
    func matches(in exchanges: [SandboxExchange], index: SearchIndex) -> [SandboxExchange] {
        guard !isEmpty else { return exchanges }
        // The index removes the texts of exchanges that it is not given, so it gets all of them.
        let found = text.isEmpty ? exchanges : index.search(exchanges, text)
        return found.filter(isMatch)
    }

    /// Returns the filter as the query of an address.
    ///
    /// - Parameter more: additional fields of the query, each with its name and value.
    func query(_ more: [(String, String)] = []) -> String {
        let fields =
            [
                ("text", text), ("device", device), ("dialect", dialect), ("status", status),
                ("flow", flow.map { "\($0)" } ?? ""),
            ] + more
        let given = fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.escapedForPath)" }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }

    private func isMatch(_ exchange: SandboxExchange) -> Bool {
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
