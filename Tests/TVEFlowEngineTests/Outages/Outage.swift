import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport

/// How a request fails.
enum Outage: String, CaseIterable {
    case refused
    case busy = "429"
    case slow = "5 s slow"
    case broken = "500"
    case cut
    case wrong = "wrong JSON"

    /// What comes in place of the service's answer; nil for the service's own, later.
    func answer(_ clock: ManualClock) -> ScriptedTransport.Answer? {
        switch self {
        case .refused: return .failure(.unreachable)
        case .busy: return .response(status: 429, body: "")
        case .slow:
            clock.advance(by: 5)
            return nil
        case .broken: return .response(status: 500, body: "<html>Something is wrong</html>")
        case .cut: return .rewritten { String($0.prefix($0.count / 2)) }
        case .wrong: return .response(status: 200, body: "{\"something\":[\"else\"]}")
        }
    }
}

/// An endpoint as documents name it: method, and the path with its parameters in braces.
struct OutageEndpoint: Hashable, CustomStringConvertible {
    let description: String

    init(_ request: HTTPRequest) {
        let path = (request.path ?? "").parts(separatedBy: "?").first.map(String.init) ?? ""
        let segments = path.parts(separatedBy: "/").map { segment -> String in
            switch segment {
            case "DEMO": "{requestor}"
            case "demo-cable": "{mvpd}"
            case _ where segment.wholeMatch(of: /[A-Z0-9]{7}/) != nil: "{code}"
            default: String(segment)
            }
        }
        description = "\(request.method.rawValue) \(segments.joined(separator: "/"))"
    }

    /// Whether this is about the access token, which every other request needs.
    var isAccessToken: Bool { description.hasBytePrefix("POST /o/client/") }
    /// Whether this is the question for a play.
    var isAuthorization: Bool { description.containsBytes(of: "/decisions/authorize/") }
    /// Whether this is the question for the login that the service keeps.
    var isProfile: Bool { description.containsBytes(of: "/profiles/{mvpd}") }
}
