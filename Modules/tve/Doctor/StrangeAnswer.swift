import Foundation
import HTTPTypes
import TVENetworking

/// An answer that no service gives.
///
/// Either something between this machine and the service has answered, or the address is wrong.
struct StrangeAnswer: Sendable, Equatable {
    /// The description of the answer, as the end of a sentence that begins with the address.
    let finding: String
    /// The advice, as complete sentences.
    let advice: String

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
        case 407:
            finding = "is behind a proxy that wants a login (\(told))"
            advice =
                "Put user and password into the address of the proxy, or list the host of the service in no_proxy."
        case 511:
            finding = "is behind a network that wants a login (\(told))"
            advice = Self.portal
        case 300...399:
            // A sandbox redirects to its console, on the same host.
            guard let place, place != base.host() else { return nil }
            finding = "redirects to \(place) (\(told)), which no service does"
            advice = Self.portal
        case 502...504:
            finding = "is not available (\(told))"
            advice = "Try again later; if it stays, ask the operator of the service, or of the proxy in front of it."
        case 403 where page != nil, 451:
            finding = "is refused with a web page (\(told))"
            advice =
                "A filter, a firewall or a rule about the device's network or country refuses the request: "
                + "ask its operator, or use another network."
        case _ where page != nil:
            finding = "answers with a web page (\(told)), which no service does"
            advice = Self.portal
        default: return nil
        }
    }
}

extension TransportError {
    /// Returns the advice for a service that does not answer.
    func advice(_ provider: ServiceProvider) -> String {
        let step = step
        if let advice = provider.schemeAdvice { return "\(step); \(advice)" }
        if self == .unreachable, provider.root.host().map(ProxyVariables.isThisMachine) == true {
            return "\(step); \"tve sandbox\" starts a service here."
        }
        let proxy = ProxyVariables().proxy(for: provider.root).map { proxy in
            " Requests to it go through the proxy \(proxy.address), which \(proxy.variable) names."
        }
        return "\(step).\(proxy ?? "")"
    }

    private var step: String {
        switch self {
        case .unknownHost: "Check the spelling of the address, and the network"
        case .proxyFailed: "Check the address of the proxy, and whether it wants a login"
        case .certificateNotTrusted(.unknownAuthority):
            "If a proxy opens TLS here, add its authority to those of this machine; never switch the check off"
        case .certificateNotTrusted(.wrongName): "Check the address, and any proxy"
        case .certificateNotTrusted(.expired), .certificateNotTrusted(.notYetValid):
            "Check the clock of this machine, or ask the operator of the service to renew the certificate"
        case .notTrusted: "Check the address and whether TLS is spoken at its port"
        default: "Check the address, the network and any proxy"
        }
    }
}
