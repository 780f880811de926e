import TVENetworking
import TVETestSupport

/// A moment of a flow, independent of the dialect's exchanges.
enum Moment: Sendable {
    case registration, accessToken
    case configuration
    /// A start asks for what it needs when nobody is logged in; over REST API v2 one of two answers is enough.
    case start
    /// The service gives a code for a login.
    case code
    /// The service is asked for the outcome of a login.
    case outcome
    case authorization
    case mediaToken
    case preauthorization

    /// Returns a Boolean value that indicates whether an exchange with a path belongs to this moment.
    func isAt(_ path: String, _ dialect: ServiceDialect) -> Bool {
        let path = path.prefix { $0 != "?" }
        return switch (dialect, self) {
        case (_, .registration): path == "/o/client/register"
        case (_, .accessToken): path == "/o/client/token"
        case (.classic, .configuration), (.classic, .start): path.contains("/config/")
        case (.classic, .code): path.contains("/regcode")
        case (.classic, .outcome): path.contains("/sessionDevice")
        case (.classic, .authorization): path.contains("/authorizeDevice")
        case (.classic, .mediaToken): path.contains("/deviceShortAuthorize")
        case (.classic, .preauthorization): path.contains("/preauthorize")
        case (.restV2, .configuration): path.hasSuffix("/configuration")
        case (.restV2, .start): path.hasSuffix("/profiles") || path.hasSuffix("/configuration")
        case (.restV2, .code): path.hasSuffix("/sessions")
        case (.restV2, .outcome): path.contains("/profiles/")
        // The media token comes with the decision.
        case (.restV2, .authorization), (.restV2, .mediaToken): path.contains("/decisions/authorize/")
        case (.restV2, .preauthorization): path.contains("/decisions/preauthorize/")
        }
    }
}

extension ServiceDialect {
    /// The service's answer about a login that it has ended.
    var endedLogin: ScriptedTransport.Answer {
        switch self {
        case .classic: .response(status: 200, body: "<pendingLogout>true</pendingLogout>")
        case .restV2: Self.refusal("authenticated_profile_invalidated", status: 403, action: "authentication")
        }
    }

    /// A denial without a reason.
    var denial: ScriptedTransport.Answer {
        switch self {
        case .classic: .response(status: 200, body: "<error><notAuthorized/></error>")
        case .restV2: Self.refusal("preauthorization_denied_by_mvpd", status: 403, action: "none")
        }
    }

    /// The service's answer when there is no login.
    var noLogin: ScriptedTransport.Answer {
        switch self {
        case .classic: .response(status: 401, body: "")
        case .restV2: .response(status: 200, body: "{\"profiles\":{}}")
        }
    }

    /// Decisions of the service: resource, whether it is authorized, and the code of the error.
    func decisions(_ rows: [(String, Bool, String?)]) -> ScriptedTransport.Answer {
        switch self {
        case .classic:
            let texts = rows.map { resource, isAuthorized, code in
                let error = code.map {
                    "<error><status>403</status><code>\($0)</code><message>No</message></error>"
                }
                return "<resource><id>\(resource)</id><authorized>\(isAuthorized ? "TRUE" : "false")</authorized>"
                    + "\(error ?? "")</resource>"
            }
            return .response(status: 200, body: "<resources>\(texts.joined())</resources>")
        case .restV2:
            let texts = rows.map { resource, isAuthorized, code in
                let error = code.map {
                    ",\"error\":{\"status\":403,\"code\":\"\($0)\",\"message\":\"No\",\"action\":\"none\"}"
                }
                return "{\"resource\":\"\(resource)\",\"serviceProvider\":\"DEMO\",\"mvpd\":\"demo-cable\","
                    + "\"source\":\"mvpd\",\"authorized\":\(isAuthorized)\(error ?? "")}"
            }
            return .response(status: 200, body: "{\"decisions\":[\(texts.joined(separator: ","))]}")
        }
    }

    /// The answer with a provider under another id.
    func renaming(_ id: String, to other: String) -> ScriptedTransport.Answer {
        .rewritten {
            $0.replacing("<id>\(id)</id>", with: "<id>\(other)</id>")
                .replacing("\"id\":\"\(id)\"", with: "\"id\":\"\(other)\"")
        }
    }

    /// An enhanced error as a whole answer.
    static func refusal(_ code: String, status: Int, action: String) -> ScriptedTransport.Answer {
        .response(
            status: status,
            body: "{\"action\":\"\(action)\",\"status\":\(status),\"code\":\"\(code)\",\"message\":\"No\"}")
    }

    /// Rows of a table, each for both dialects.
    static func both<each Value: Sendable>(_ rows: [(repeat each Value)]) -> [(ServiceDialect, repeat each Value)] {
        allCases.flatMap { dialect in rows.map { row in (dialect, repeat each row) } }
    }
}
