import Foundation
import TVEModels
import TVENetworking

/// A fault of an address, at which no service or no sandbox answers.
enum ServiceFault: ToolFault {
    /// A service that does not answer.
    case noAnswer(String, TransportError, hint: ServiceHint?)
    /// An answer that no service gives.
    case strange(String, StrangeAnswer)
    /// An answer in no form of a service, with its status.
    case noService(String, status: Int)
    /// An address of this machine without a sandbox.
    case noSandbox(String, hint: ServiceHint?)
    /// A sandbox that has not been asked on its own machine, or not under a name of that machine.
    case closedSandbox(String)
    /// A service that is not a sandbox, and does not publish a software statement.
    case notASandbox(String)

    var sentences: (found: String, advice: String) {
        switch self {
        case .noAnswer(let base, let error, let hint):
            let more = hint.map { " \($0.sentence)" } ?? ""
            return (error.finding(at: base), "\(error.advice)\(more)")
        case .strange(let base, let answer):
            return ("\(base) \(answer.finding).", answer.advice)
        case .noService(let base, let status):
            return (
                "\(base) does not answer as a service does (HTTP \(status)).",
                "Check the address: another server may be there. Otherwise ask the operator of the service."
            )
        case .noSandbox(let base, let hint):
            let url = URL(string: base)
            // The page of the texts has a word in place of an address.
            let command = ServiceHint.sandbox(atPort: url?.port ?? (url?.scheme == nil ? 8080 : 80))
            return (
                "No sandbox answers at \(base).",
                hint?.sentence ?? "Start one with \(command), or pass --service and --statement."
            )
        case .closedSandbox(let base):
            return (
                "The sandbox at \(base) returns its software statement only on its own machine, and only under a "
                    + "name such as localhost.",
                "Use that name there; on another machine, pass the statement from the console's page Accounts with "
                    + "--statement or TVE_STATEMENT."
            )
        case .notASandbox(let base):
            return (
                "\(base) is not a sandbox, and no other service provides a software statement.",
                "Pass that of your application with --statement or TVE_STATEMENT."
            )
        }
    }
}

/// A circumstance that may explain why a service does not answer.
enum ServiceHint: Sendable, Equatable {
    /// An https address of this machine, on which a sandbox answers at this http address.
    case sandboxSpeaksHTTP(String)
    /// An address of this machine, at which nothing listens.
    case nothingListens(port: Int)
    /// A proxy through which the requests go, and the variable that names it.
    case proxy(String, variable: String)
    /// An IPv6 address in place of a name, to which Foundation on Linux sends nothing.
    case addressOfIPv6

    /// Creates the hint for a service that does not answer, or returns `nil` if there is none.
    ///
    /// - Parameters:
    ///   - provider: the service.
    ///   - error: the error of the request.
    ///   - proxies: the proxies of the environment, or `nil` if the request did not use them.
    init?(_ provider: ServiceProvider, _ error: TransportError, proxies: ProxyVariables?) {
        if ToolTransport.isFoundationOfLinux, error == .invalid, provider.root.host()?.containsBytes(of: ":") == true {
            self = .addressOfIPv6
        } else if let plain = provider.plainAddress {
            self = .sandboxSpeaksHTTP(plain)
        } else if error == .unreachable, provider.root.host().map(ProxyVariables.isThisMachine) == true {
            self = .nothingListens(port: provider.root.port ?? 80)
        } else if let proxy = proxies?.proxy(for: provider.root) {
            self = .proxy(proxy.address, variable: proxy.variable)
        } else {
            return nil
        }
    }

    /// Returns the command that starts a sandbox at a port of this machine, in quotation marks.
    fileprivate static func sandbox(atPort port: Int) -> String {
        port == 8080 ? "\"tve sandbox\"" : "\"tve sandbox --port \(port)\""
    }

    /// The hint as a sentence.
    var sentence: String {
        switch self {
        case .sandboxSpeaksHTTP(let plain): return "A sandbox speaks HTTP: use \(plain)."
        case .nothingListens(let port): return "\(Self.sandbox(atPort: port)) starts a service here."
        case .proxy(let address, let variable):
            return "Requests to the service go through the proxy \(address), which \(variable) names."
        case .addressOfIPv6:
            return "On Linux, use the name of the host, such as localhost, in place of its IPv6 address."
        }
    }
}

extension TransportError {
    /// The advice for a service that does not answer.
    fileprivate var advice: String {
        switch self {
        case .unknownHost: return "Check the spelling of the address, and the network."
        case .proxyFailed: return "Check the address of the proxy, and whether it requires a login."
        case .certificateNotTrusted(.unknownAuthority):
            return "If a proxy intercepts TLS here, add its authority to those that this machine trusts; "
                + "never switch the check off."
        case .certificateNotTrusted(.wrongName): return "Check the address, and any proxy."
        case .certificateNotTrusted(.expired), .certificateNotTrusted(.notYetValid):
            return "Check the clock of this machine, or ask the operator of the service to renew the certificate."
        case .notTrusted: return "Check the address, and whether the server expects TLS at this port."
        case .unreachable, .timedOut, .answerTooLarge, .invalid, .cancelled, .other:
            return "Check the address, the network and any proxy."
        }
    }
}
