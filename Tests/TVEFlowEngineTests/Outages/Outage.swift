import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport

/// The failure of a request.
enum Outage: String, CaseIterable {
    case refused
    case busy = "429"
    case slow = "5 s slow"
    case broken = "500"
    case cut
    case wrong = "wrong JSON"

    /// Returns the answer that replaces the service's own, or `nil` if the service's own answer arrives late.
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

    /// A Boolean value that indicates whether the endpoint issues the access token, which every other request needs.
    var isAccessToken: Bool { description.hasBytePrefix("POST /o/client/") }
    /// A Boolean value that indicates whether the endpoint decides about a play.
    var isAuthorization: Bool { description.containsBytes(of: "/decisions/authorize/") }
    /// A Boolean value that indicates whether the endpoint returns the login that the service keeps.
    var isProfile: Bool { description.containsBytes(of: "/profiles/{mvpd}") }
}
