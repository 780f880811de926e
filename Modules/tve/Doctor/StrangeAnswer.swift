import Foundation
import HTTPTypes
import TVENetworking

/// An answer that no service gives.
///
/// Either something between this machine and the service has answered, or the address is wrong. Each value contains the
/// status and the type of the answer, for example `HTTP 200, text/html`.
enum StrangeAnswer: Sendable, Equatable {
    /// A proxy that wants a login.
    case proxyWantsLogin(String)
    /// A network that wants a login.
    case networkWantsLogin(String)
    /// A redirect to another host.
    case redirect(String, host: String)
    /// A failure of the service, or of a proxy in front of it, or too many requests for either of them.
    case unavailable(String)
    /// A refusal that is a web page.
    case refusal(String)
    /// Another web page.
    case page(String)

    private static let portal =
        "A network or a proxy may want a login: open any page in a browser, then try again. "
        + "Otherwise check the address."

    /// Creates the explanation of an answer, or returns `nil` if a service may give that answer.
    ///
    /// - Parameters:
    ///   - answer: the head of the answer.
    ///   - body: the body of the answer.
    ///   - base: the address of the service.
    init?(_ answer: HTTPResponse, _ body: Data, to base: URL) {
        let status = answer.status.code
        let page = WebPage.type(answer.headerFields[.contentType], body)
        let told = page.map { "HTTP \(status), \($0)" } ?? "HTTP \(status)"
        let place = answer.headerFields[.location].flatMap { URL(string: $0, relativeTo: base)?.host() }
        switch status {
        case 407: self = .proxyWantsLogin(told)
        case 511: self = .networkWantsLogin(told)
        case 300...399:
            // A sandbox redirects to its console, on the same host.
            guard let place, place != base.host() else { return nil }
            self = .redirect(told, host: place)
        case 502...504: self = .unavailable(told)
        // A service has such an answer too, but not as a web page.
        case 429 where page != nil, 500...599 where page != nil: self = .unavailable(told)
        case 403 where page != nil, 451: self = .refusal(told)
        case _ where page != nil: self = .page(told)
        default: return nil
        }
    }

    /// The description of the answer, as the end of a sentence that begins with the address.
    var finding: String {
        switch self {
        case .proxyWantsLogin(let told): return "is behind a proxy that wants a login (\(told))"
        case .networkWantsLogin(let told): return "is behind a network that wants a login (\(told))"
        case .redirect(let told, let host): return "redirects to \(host) (\(told)), which no service does"
        case .unavailable(let told): return "is not available (\(told))"
        case .refusal(let told): return "is refused with a web page (\(told))"
        case .page(let told): return "answers with a web page (\(told)), which no service does"
        }
    }

    /// The advice, as complete sentences.
    var advice: String {
        switch self {
        case .proxyWantsLogin:
            return "Put user and password into the address of the proxy, or list the host of the service in no_proxy."
        case .networkWantsLogin, .redirect, .page: return Self.portal
        case .unavailable:
            return "Try again later; if it stays, ask the operator of the service, or of the proxy in front of it."
        case .refusal:
            return "A filter, a firewall or a rule about the device's network or country refuses the request: "
                + "ask its operator, or use another network."
        }
    }
}
