import Foundation
import TVEModels
import TVETokenCodec

/// The ids in an exchange that connect it with other exchanges.
struct CorrelationIDs {
    private(set) var device: String?
    private(set) var requestor: RequestorID?
    /// The ids in the request, each with its kind.
    ///
    /// They identify the sender.
    private(set) var inRequest: [String] = []
    /// The ids in the answer, each with its kind.
    ///
    /// Later requests contain them.
    private(set) var inAnswer: [String] = []
    /// A Boolean value that indicates whether the exchange has registered an application, which begins a flow.
    private(set) var beginsFlow = false

    /// Reads the ids in a request and in its answer.
    init(_ exchange: SandboxExchange, _ step: ServiceStep) {
        self.init(exchange.recorded, step)
        beginsFlow = step.id == "register" && exchange.status == 201
        inAnswer = Self.idsInAnswer(exchange, step)
        if step.id == "individualize" { device = Self.texts(exchange)["deviceId"] }
    }

    /// Reads the ids in a request.
    init(_ request: RecordedRequest, _ step: ServiceStep) {
        let path = request.segments
        let form = request.form
        let query = FormFields(request.query)
        func field(_ name: String) -> String? { (form[name] ?? query[name]).flatMap { $0.isEmpty ? nil : $0 } }
        if let header = request.message.header("Authorization"), header.utf8.count > 7 {
            inRequest.append("access \(header.dropFirst(7))")
        }
        if let id = field("client_id") { inRequest.append("client \(id)") }
        if let code = field("reg_code") ?? field("code") { inRequest.append("code \(code.uppercased())") }
        if let relay = field("RelayState") { inRequest.append("relay \(relay)") }
        if let index = field("session_index") { inRequest.append("session \(index)") }
        device = Self.device(request.message) ?? field("device_id") ?? field("deviceId")
        requestor = (field("requestor_id") ?? field("requestor")).map(RequestorID.init)
        switch (step.id, path.count) {
        case ("config", 3), ("makeCode", _): requestor = RequestorID(path[2])
        case ("readCode", _), ("deleteCode", _):
            requestor = RequestorID(path[2])
            inRequest.append("code \(path[4].uppercased())")
        case ("authenticate", 5):
            requestor = RequestorID(path[3])
            inRequest.append("code \(path[4].uppercased())")
        case (_, 3) where step.dialect == .restV2: requestor = RequestorID(path[1])
        case (_, 4...) where step.dialect == .restV2:
            requestor = RequestorID(path[2])
            if ["session", "resumeSession"].contains(step.id) { inRequest.append("code \(path[4].uppercased())") }
            if step.id == "profileOfCode" { inRequest.append("code \(path[5].uppercased())") }
        default: break
        }
    }

    private static func device(_ message: SandboxExchange.Message) -> String? {
        if let header = message.header("AP-Device-Identifier") {
            let parts = header.parts(separatedBy: " ", keepsEmpty: false)
            guard parts.count == 2 else { return header }
            return Data(base64Encoded: String(parts[1])).flatMap { String(validUTF8: $0) }
                ?? String(parts[1])
        }
        return message.header("ap_21")
    }

    private static func idsInAnswer(_ exchange: SandboxExchange, _ step: ServiceStep) -> [String] {
        switch step.id {
        case "register": return texts(exchange)["client_id"].map { ["client \($0)"] } ?? []
        case "token": return texts(exchange)["access_token"].map { ["access \($0)"] } ?? []
        case "makeCode", "createSession", "resumeSession", "partnerSession":
            return texts(exchange)["code"].map { ["code \($0)"] } ?? []
        case "authenticateSAML", "logoutClassic":
            let body = String(decoding: exchange.answer.body.prefix(8_192), as: UTF8.self)
            let place = exchange.answer.header("Location") ?? ""
            return
                (place.firstMatch(of: /RelayState=([0-9a-f]+)/)
                ?? body.firstMatch(of: /name="RelayState" value="([0-9a-f]+)"/)).map { ["relay \($0.1)"] } ?? []
        case "logout":
            let text = String(decoding: exchange.answer.body.prefix(8_192), as: UTF8.self)
            return text.firstMatch(of: /session_index=([A-Za-z0-9%]+)/)
                .flatMap { $0.1.removingPercentEncoding }.map { ["session \($0)"] } ?? []
        case "sessionWeb", "sessionDevice":
            guard let root = try? XMLTree(parsing: exchange.answer.body, .answer),
                let text = root.firstDescendant("authnToken")?.text,
                let index = try? TokenDecoder().authenticationToken(text).claims.samlSessionIndex
            else { return [] }
            return ["session \(index)"]
        default: return []
        }
    }

    /// Returns the members of an answer's JSON object that are strings.
    private static func texts(_ exchange: SandboxExchange) -> [String: String] {
        let values = try? UntrustedJSON.read([String: MetadataValue].self, from: exchange.answer.body, .small)
        return (values ?? [:]).compactMapValues(\.stringValue)
    }
}
