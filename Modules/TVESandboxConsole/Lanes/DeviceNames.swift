import Foundation
import TVEModels
import TVESandbox

/// The names of devices for people.
///
/// A device has the name that the tester gave it. Without one, its name consists of the model and the system that the
/// device sends, and if it sends none, of a part of its id.
struct DeviceNames {
    /// The ids of the devices that have sent requests, the most recent one first.
    let ids: [String]
    private let names: [ExactText: String]

    /// Creates the names from the tester's names and from the newest description that each device has sent.
    init(_ exchanges: [SandboxExchange], _ nicknames: [ExactText: String]) {
        var order: [String] = []
        var known: [ExactText: String?] = [:]
        for exchange in exchanges.reversed() {
            guard let id = exchange.facts.device else { continue }
            let key = ExactText(id)
            if known[key] == nil {
                order.append(id)
                known[key] = .some(nicknames[key])
            }
            if known[key] == .some(nil), let said = Self.said(exchange) { known[key] = .some(said) }
        }
        ids = order
        let counts = Dictionary(known.values.compactMap(\.self).map { (ExactText($0), 1) }, uniquingKeysWith: +)
        // The names of several devices of the same model include their ids.
        names = Dictionary(
            uniqueKeysWithValues: known.compactMap { key, name in
                guard let name else { return nil }
                let isAlone = counts[ExactText(name)] == 1
                return (key, isAlone ? name : "\(name) (\(ExchangeRow.short(key.text)))")
            })
    }

    init(_ routes: SandboxRoutes) {
        self.init(routes.log.all, routes.notes.withLock(\.nicknames))
    }

    func name(_ id: String) -> String { names[ExactText(id)] ?? ExchangeRow.short(id) }

    /// The devices as options of a menu.
    var choices: [(String, String)] { ids.map { ($0, name($0)) } }

    // MARK: - Descriptions that devices send

    /// Returns the model and the system that a request names.
    ///
    /// They are in `X-Device-Info` or `device_info`, both of which are a JSON object in Base64 (REST API v2, 3.3), or
    /// in the header `ap_11` of the web dialect.
    private static func said(_ exchange: SandboxExchange) -> String? {
        let info =
            exchange.request.header("X-Device-Info")
            ?? (exchange.facts.step == "makeCode"
                ? FormFields(String(decoding: exchange.request.body, as: UTF8.self))["device_info"] : nil)
        if let info, let bytes = Data(base64Encoded: info),
            let facts = try? UntrustedJSON.read([String: MetadataValue].self, from: bytes, .small)
        {
            func fact(_ name: String) -> String? { facts[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
            let system = [fact("osName"), fact("osVersion")].compactMap(\.self).joined(separator: " ")
            let parts = [fact("model"), system.isEmpty ? nil : system].compactMap(\.self)
            if !parts.isEmpty { return limited(parts.joined(separator: ", ")) }
        }
        return exchange.request.header("ap_11").map(limited)
    }

    private static func limited(_ text: String) -> String { String(text.prefix(60)) }
}
