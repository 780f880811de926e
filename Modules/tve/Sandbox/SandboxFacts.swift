import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox

/// The sandbox's answer at `/sandbox/info`.
struct SandboxFacts: Decodable {
    var baseURL = ""
    var softwareStatement = ""
    var mediaTokenPublicKey = ""
    /// The reason for which there are no facts, or `nil` if a sandbox has answered.
    var absence: SandboxAbsence? = .noAnswer(.unreachable)

    var hasAnswered: Bool { absence == nil }

    private enum CodingKeys: CodingKey { case baseURL, softwareStatement, mediaTokenPublicKey }

    /// Requests the facts of a sandbox.
    ///
    /// - Returns: the facts; if no sandbox answers, only the URL and the reason are set.
    static func read(from base: URL, within limit: Duration) async -> SandboxFacts {
        let request = HTTPRequest(method: .get, url: base.appending(path: "sandbox/info"))
        let transport = WaitReportingTransport(next: ToolTransport.make(timeout: limit))
        let absence: SandboxAbsence
        do throws(TransportError) {
            let (answer, body) = try await transport.send(request, body: nil)
            if var facts = try? UntrustedJSON.decode(SandboxFacts.self, from: body) {
                facts.absence = nil
                return facts
            }
            let isClosed = HTTPField.Name(Objection.header).flatMap { answer.headerFields[$0] } != nil
            // Any service may have a web page for a path that it does not have.
            let strange = answer.status.code == 404 ? nil : StrangeAnswer(answer, body, to: base)
            absence = isClosed ? .closed : .otherAnswer(strange)
        } catch {
            absence = .noAnswer(error)
        }
        return SandboxFacts(baseURL: base.absoluteString, absence: absence)
    }
}

/// The reason for which no sandbox was found at an address.
enum SandboxAbsence: Sendable, Equatable {
    case noAnswer(TransportError)
    /// A sandbox that answers at this path only to its own machine, under one of its names.
    case closed
    /// An answer that is not from a sandbox.
    ///
    /// If it cannot be from a service either, the value explains it.
    case otherAnswer(StrangeAnswer?)

    /// Returns what was found at the address of a service in place of a sandbox.
    func fault(at provider: ServiceProvider) -> ServiceFault {
        let base = provider.root.absoluteString
        let isHere = provider.root.host().map(ProxyVariables.isThisMachine) ?? false
        let plain = provider.plainAddress.map { ServiceHint.sandboxSpeaksHTTP($0) }
        let nothing = ServiceFault.noSandbox(base, hint: plain)
        switch self {
        case .closed: return .closedSandbox(base)
        case .otherAnswer(let strange?): return .strange(base, strange)
        case .otherAnswer(nil): return isHere ? nothing : .notASandbox(base)
        case .noAnswer(let error):
            let hint = ServiceHint(provider, error, proxies: ToolTransport.proxies)
            // Either nothing was sent, as to an IPv6 address on Linux, or something has answered in a form that is not
            // read, such as a proxy that compresses.
            let isUnread = error == .invalid && plain == nil
            return isHere && hint != .addressOfIPv6 && !isUnread ? nothing : .noAnswer(base, error, hint: hint)
        }
    }
}
