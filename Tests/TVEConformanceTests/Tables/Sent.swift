import Foundation
import TVEConformance
import TVEModels

/// A request and its response, for recordings that are created by hand.
///
/// By default, an application sends it that breaks no row about headers, one second after the previous request. A case
/// changes the device, the access token, the brand and the time where they matter.
struct Sent: Sendable {
    /// The service's decision about a resource.
    enum Decision {
        case permit, denial
        /// A permit that the provider did not give.
        case permitBy(source: String)
        /// An error with this action.
        case error(code: String = "some_code", action: String)

        /// The error of a promotional TempPass that opens no further resource.
        static let usedUp = Decision.error(
            code: "temporary_access_resources_limit_exceeded", action: "authentication")
    }

    var method = "GET"
    var path: String
    var query = ""
    var headers: [String: String] = Sent.phone
    /// The body, or nil if the recording lacks it, as in an exchange.
    var body: Data? = Data()
    var status = 200
    var answer: Data? = Data("{}".utf8)
    var answerHeaders: [String: String] = [:]
    var address = "192.0.2.1"
    /// The seconds since the recording began, or nil for one second after the previous request.
    var seconds: Double?
    var milliseconds = 0.0

    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static let phone = [
        "Host": "sp.example", "Authorization": "Bearer token", "AP-Device-Identifier": identifier("phone"),
        "X-Device-Info": facts(["primaryHardwareType": "MobilePhone", "model": "A", "osName": "Android"]),
    ]

    static func identifier(_ device: String) -> String { "fingerprint \(Data(device.utf8).base64EncodedString())" }

    static func facts(_ facts: MetadataValue) -> String { (json(facts) ?? Data()).base64EncodedString() }

    private static func json(_ value: MetadataValue) -> Data? { try? JSONEncoder().encode(value) }

    func exchange(_ id: Int, at seconds: Double) -> Exchange {
        Exchange(
            id: id, began: Self.start.addingTimeInterval(seconds), milliseconds: milliseconds, method: method,
            path: path, query: query, address: address,
            request: .init(headers: headers.map { ($0, $1) }, body: body), status: status,
            answer: .init(headers: answerHeaders.map { ($0, $1) }, body: answer))
    }
}

extension [Sent] {
    /// The recording of these requests, numbered from 1.
    var exchanges: [Exchange] {
        var next = 0.0
        return enumerated().map { place, sent in
            let moment = sent.seconds ?? next
            next = moment + 1
            return sent.exchange(place + 1, at: moment)
        }
    }
}

// MARK: - Changes for a case

extension Sent {
    private func changed(_ change: (inout Sent) -> Void) -> Sent {
        var changed = self
        change(&changed)
        return changed
    }

    func at(_ seconds: Double) -> Sent { changed { $0.seconds = seconds } }

    /// Sets the seconds until the response.
    func took(_ seconds: Double) -> Sent { changed { $0.milliseconds = seconds * 1_000 } }

    /// Three such requests, each of which is sent before the response to the first one arrives.
    var threeAtOnce: [Sent] { (0..<3).map { at(Double($0) / 100).took(0.4) } }

    func answered(_ status: Int, _ answer: MetadataValue = [:]) -> Sent {
        changed {
            $0.status = status
            $0.answer = Self.json(answer)
        }
    }

    /// Sets the response of a failed request with an enhanced error.
    func refused(_ status: Int = 403, code: String = "some_code", action: String) -> Sent {
        answered(status, ["code": .string(code), "action": .string(action)])
    }

    /// Sets the response of a request for a decision, with the resource and the decision as the service writes them.
    func decided(_ resource: String, as authorized: MetadataValue) -> Sent { decided([resource: authorized]) }

    /// Sets the response of a request for decisions, with the resources and the decisions as the service writes them.
    func decided(_ decisions: KeyValuePairs<String, MetadataValue>) -> Sent {
        let rows = decisions.map { MetadataValue.object(["resource": .string($0.key), "authorized": $0.value]) }
        return answered(200, ["decisions": .array(rows)])
    }

    func status(_ status: Int) -> Sent { changed { $0.status = status } }

    func header(_ name: String, _ value: String?) -> Sent { changed { $0.headers[name] = value } }

    /// Sets the header in which servers and proxies name the address of the client, and the proxies before them.
    func forwarded(for addresses: String) -> Sent { header("X-Forwarded-For", addresses) }

    /// The request without its headers, which the recorder has lost.
    var withoutHeaders: Sent { changed { $0.headers = [:] } }

    func from(_ device: String) -> Sent { header("AP-Device-Identifier", Self.identifier(device)) }

    /// Sets the access token.
    func with(_ token: String) -> Sent { header("Authorization", "Bearer \(token)") }

    func info(_ facts: MetadataValue) -> Sent { header("X-Device-Info", Self.facts(facts)) }

    /// Sets the programmer's brand.
    func brand(_ brand: String) -> Sent {
        changed { $0.path = $0.path.replacing("/DEMO/", with: "/\(brand)/") }
    }

    func path(_ path: String) -> Sent { changed { $0.path = path } }

    func method(_ method: String) -> Sent { changed { $0.method = method } }

    func query(_ query: String) -> Sent { changed { $0.query = query } }

    func body(_ body: String?) -> Sent { changed { $0.body = body.map { Data($0.utf8) } } }

    func answer(_ answer: String?) -> Sent { changed { $0.answer = answer.map { Data($0.utf8) } } }

    /// Sets the response of a request to which a network has responded with its own page.
    var welcomed: Sent { answer("<!DOCTYPE html><html><body>Welcome to our network</body></html>") }

    /// Sets the response of a request whose answer a tool has masked.
    var masked: Sent { answer("[hidden]") }

    /// Sets the response of a request whose answer the client has not received.
    var unanswered: Sent {
        changed {
            $0.status = 0
            $0.answer = Data()
        }
    }

    func address(_ address: String) -> Sent { changed { $0.address = address } }

    /// Sets the header of a response that redirects a browser.
    func leads(to place: String) -> Sent { changed { $0.answerHeaders["Location"] = place } }

    /// Sets the response of a proxy or a web server in front of the service that asks for a login of its own.
    func challenged(_ challenge: String = "Basic realm=\"x\"") -> Sent {
        answered(401).changed {
            $0.answer = Data()
            $0.answerHeaders["WWW-Authenticate"] = challenge
        }
    }

    /// Sets the header with the time by the service's clock.
    func date(_ date: String) -> Sent { changed { $0.answerHeaders["Date"] = date } }
}

// MARK: - Requests

extension Sent {
    private static let api = "/api/v2/DEMO"

    private static func post(_ path: String, json question: MetadataValue) -> Sent {
        Sent(method: "POST", path: path, body: json(question))
    }

    private static func post(_ path: String, form: [(String, String?)]) -> Sent {
        let pairs = form.compactMap { name, value in
            value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
        }
        return Sent(method: "POST", path: path, body: Data(pairs.joined(separator: "&").utf8))
    }

    /// A registration whose response contains the given client id.
    static func registration(_ client: String = "a", app: String = "app", redirects: [String] = []) -> Sent {
        post("/o/client/register", json: ["software_statement": .string(app)])
            .answered(201, ["client_id": .string(client), "redirect_uris": .array(redirects.map { .string($0) })])
            .header("Authorization", nil).header("AP-Device-Identifier", nil)
    }

    /// A token request whose response contains the given access token, with its lifetime in seconds.
    static func token(_ token: String = "token", of client: String = "a", lasts seconds: Double? = 86_400) -> Sent {
        var answer: [String: MetadataValue] = ["access_token": .string(token)]
        answer["expires_in"] = seconds.map { .number($0) }
        return post("/o/client/token", form: [("grant_type", "client_credentials"), ("client_id", client)])
            .answered(200, .object(answer)).header("Authorization", nil).header("AP-Device-Identifier", nil)
    }

    static let configuration = Sent(path: "\(api)/configuration")

    /// A request for a new registration code, for a login with a provider or with one that a second screen chooses.
    static func session(
        _ code: String = "CODE", mvpd: String? = "cable", redirect: String? = "app://done", lacks: [String] = [],
        lasts seconds: Double = 1_800
    ) -> Sent {
        post("\(api)/sessions", form: [("mvpd", mvpd), ("domainName", "app.example"), ("redirectUrl", redirect)])
            .answered(201, session(code, missing: lacks, seconds: seconds))
    }

    private static func session(_ code: String, missing: [String], seconds: Double) -> MetadataValue {
        [
            "code": .string(code), "missingParameters": .array(missing.map { .string($0) }),
            "notBefore": "1800000000000", "notAfter": .string("\(1_800_000_000_000 + Int(seconds * 1_000))"),
        ]
    }

    /// A request for a platform's session, to which the service responds with an ordinary code.
    static func partnerSession(_ code: String = "CODE", redirect: String = "app://done") -> Sent {
        post("\(api)/sessions/sso/Apple", form: [("domainName", "app.example"), ("redirectUrl", redirect)])
            .answered(200, session(code, missing: [], seconds: 1_800))
    }

    static func check(_ code: String = "CODE") -> Sent { Sent(path: "\(api)/sessions/\(code)") }

    static func resume(
        _ code: String = "CODE", mvpd: String? = "cable", redirect: String? = nil, nextStep: String = "authenticate"
    ) -> Sent {
        post("\(api)/sessions/\(code)", form: [("mvpd", mvpd), ("redirectUrl", redirect)])
            .answered(200, ["actionName": .string(nextStep)])
    }

    /// A page of another service in the viewer's browser.
    static func page(_ path: String, host: String = "cable.example") -> Sent {
        Sent(path: path, headers: ["Host": host], status: 302, answer: Data())
    }

    /// The login page of a code in the viewer's browser.
    static func loginPage(_ code: String = "CODE") -> Sent {
        page("/api/v2/authenticate/DEMO/\(code)", host: "sp.example")
    }

    /// A code that the viewer types at the page of the sandbox.
    static func typed(_ code: String = "CODE", host: String = "sp.example") -> Sent {
        page("/activate", host: host).method("POST").body("code=\(code)")
    }

    /// A polling request for the profile of a code, with the providers that have profiles.
    static func look(_ code: String = "CODE", finds providers: [String] = []) -> Sent {
        Sent(path: "\(api)/profiles/code/\(code)").finding(providers)
    }

    static func profiles(_ providers: [String]) -> Sent { Sent(path: "\(api)/profiles").finding(providers) }

    static func profile(_ provider: String, exists: Bool = true, ends seconds: Double = 1_000_000) -> Sent {
        Sent(path: "\(api)/profiles/\(provider)").finding(exists ? [provider] : [], ends: seconds)
    }

    static func partnerProfile(_ providers: [String]) -> Sent {
        post("\(api)/profiles/sso/Apple", form: [("SAMLResponse", "x")]).finding(providers)
    }

    /// Sets the response of a request for profiles as the service writes them.
    func finding(_ profiles: [String: MetadataValue]) -> Sent { answered(200, ["profiles": .object(profiles)]) }

    private func finding(_ providers: [String], ends seconds: Double = 1_000_000) -> Sent {
        let end = Self.start.addingTimeInterval(seconds).timeIntervalSince1970 * 1_000
        let profiles = providers.map { ($0, MetadataValue.object(["notAfter": .number(end)])) }
        return answered(200, ["profiles": .object(Dictionary(profiles) { $1 })])
    }

    static func preauthorize(
        _ resource: String = "NEWS", _ decision: Decision = .permit, as provider: String = "cable"
    ) -> Sent {
        preauthorize([(resource, decision)], as: provider)
    }

    static func preauthorize(_ decisions: [(String, Decision)], as provider: String = "cable") -> Sent {
        decide("preauthorize", about: decisions, by: provider)
    }

    static func authorize(
        _ resource: String = "NEWS", _ decision: Decision = .permit, as provider: String = "cable"
    ) -> Sent {
        decide("authorize", about: [(resource, decision)], by: provider)
    }

    private static func decide(_ endpoint: String, about decisions: [(String, Decision)], by provider: String) -> Sent {
        let question = MetadataValue.array(decisions.map { .string($0.0) })
        let answer = decisions.map { resource, decision -> MetadataValue in
            var row: [String: MetadataValue] = ["resource": .string(resource), "authorized": false]
            switch decision {
            case .permit: row["authorized"] = true
            case .permitBy(let source):
                row["authorized"] = true
                row["source"] = .string(source)
            case .denial: break
            case .error(let code, let action): row["error"] = ["code": .string(code), "action": .string(action)]
            }
            return .object(row)
        }
        return post("\(api)/decisions/\(endpoint)/\(provider)", json: ["resources": question])
            .answered(200, ["decisions": .array(answer)])
    }

    /// A report that a playback begins.
    static func play(_ resource: String = "NEWS") -> Sent {
        Sent(method: "POST", path: "/conformance/plays/\(resource)").header("Authorization", nil)
    }

    static func logout(_ provider: String = "cable", url: String? = nil, action: String = "complete") -> Sent {
        var removed: [String: MetadataValue] = ["actionName": .string(action)]
        removed["url"] = url.map { .string($0) }
        return Sent(path: "\(api)/logout/\(provider)", query: "redirectUrl=app%3A%2F%2Fdone")
            .answered(200, ["logouts": .object([provider: .object(removed)])])
    }
}
