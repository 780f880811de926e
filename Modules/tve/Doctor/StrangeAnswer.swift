import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

/// An answer that no service gives.
///
/// Either something between this machine and the service has answered, or the address is wrong. Each value contains the
/// status and the type of the answer, for example `HTTP 200, text/html`.
enum StrangeAnswer: Sendable, Equatable {
    /// A proxy that requires a login.
    case proxyWantsLogin(String)
    /// A network that requires a login.
    case networkWantsLogin(String)
    /// A redirect to https at the same host, with the address to use.
    case redirectToHTTPS(String, address: String)
    /// A redirect to another host, or to another path of a service, without its query.
    case redirect(String, to: String)
    /// Too many requests for the service, or for a proxy in front of it.
    case throttled(String)
    /// A failure of the service, or of a proxy in front of it.
    case unavailable(String)
    /// A refusal that is a web page, or has the status for legal reasons, 451.
    case refusal(String)
    /// Another web page.
    case page(String)

    private static let portal =
        "A network or a proxy may require a login: open any page in a browser, then try again. "
        + "Otherwise check the address."

    /// Creates the explanation of an answer, or returns `nil` if a service may give that answer.
    ///
    /// - Parameters:
    ///   - answer: the head of the answer.
    ///   - body: the body of the answer.
    ///   - base: the address of the service.
    ///   - mayRedirect: a Boolean value that indicates whether a service may redirect to a path of its own here, as the
    ///     classic services do for a login page.
    init?(_ answer: HTTPResponse, _ body: Data, to base: URL, mayRedirect: Bool = true) {
        let status = answer.status.code
        let page = WebPage.type(answer.headerFields[.contentType], body)
        let told = page.map { "HTTP \(status), \($0)" } ?? "HTTP \(status)"
        let target = answer.headerFields[.location].flatMap { URL(string: $0, relativeTo: base)?.absoluteURL }
        switch status {
        case 407: self = .proxyWantsLogin(told)
        case 511: self = .networkWantsLogin(told)
        case 300...399:
            let redirection = target.flatMap { Self.redirection(told, from: base, to: $0, mayStay: mayRedirect) }
            guard let redirection else { return nil }
            self = redirection
        case 500...599: self = .unavailable(told)
        case 429: self = .throttled(told)
        case 403 where page != nil, 451: self = .refusal(told)
        // The classic services end with this status, and may say so with a page.
        case 410: return nil
        case _ where page != nil: self = .page(told)
        default: return nil
        }
    }

    /// Returns the explanation of a redirect, or `nil` if a service may give it.
    ///
    /// - Parameters:
    ///   - told: the status and the type of the answer.
    ///   - base: the address of the service.
    ///   - target: the target of the redirect.
    ///   - mayStay: a Boolean value that indicates whether the target may be on the same host.
    private static func redirection(
        _ told: String, from base: URL, to target: URL, mayStay: Bool
    ) -> StrangeAnswer? {
        guard let host = target.host() else { return nil }
        guard host.isSameBytesIgnoringASCIICase(as: base.host() ?? "") else { return .redirect(told, to: host) }
        if base.scheme == "http", target.scheme?.lowercased() == "https",
            let secure = try? ServiceProvider(target.absoluteString)
        {
            return .redirectToHTTPS(told, address: secure.root.absoluteString)
        }
        return mayStay ? nil : .redirect(told, to: "\(host)\(target.path())")
    }

    /// The description of the answer, as the end of a sentence that begins with the address.
    var finding: String {
        switch self {
        case .proxyWantsLogin(let told): return "is behind a proxy that requires a login (\(told))"
        case .networkWantsLogin(let told): return "is behind a network that requires a login (\(told))"
        case .redirectToHTTPS(let told, _): return "redirects to https (\(told))"
        case .redirect(let told, let place): return "redirects to \(place) (\(told)), which no service does"
        case .throttled(let told): return "throttles this machine (\(told))"
        case .unavailable(let told): return "is not available (\(told))"
        case .refusal(let told): return "refuses the request (\(told))"
        case .page(let told): return "answers with a web page (\(told)), which no service does"
        }
    }

    private static let persistent =
        "If the problem persists, ask the operator of the service, or of the proxy in front of it."

    /// The advice, as complete sentences.
    var advice: String {
        switch self {
        case .proxyWantsLogin:
            return "Put the user name and the password into the address of the proxy, or list the host of the service "
                + "in no_proxy."
        case .redirectToHTTPS(_, let address): return "Use \(address)."
        case .networkWantsLogin, .redirect, .page: return Self.portal
        case .throttled:
            return "Wait a minute, and try again. \(Self.persistent)"
        case .unavailable:
            return "Try again later. \(Self.persistent)"
        case .refusal:
            return "A filter, a firewall or a rule about the device's network or country probably refuses the request: "
                + "ask its operator, or use another network."
        }
    }
}
