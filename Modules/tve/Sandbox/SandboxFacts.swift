import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

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
        let transport = PatientTransport(next: ToolTransport.make(timeout: limit))
        let absence: SandboxAbsence
        do throws(TransportError) {
            let (answer, body) = try await transport.send(request, body: nil)
            if var facts = try? UntrustedJSON.decode(SandboxFacts.self, from: body) {
                facts.absence = nil
                return facts
            }
            absence = .otherAnswer(StrangeAnswer(answer, body, to: base))
        } catch {
            absence = .noAnswer(error)
        }
        return SandboxFacts(baseURL: base.absoluteString, absence: absence)
    }
}

/// The reason for which no sandbox was found at an address.
enum SandboxAbsence: Sendable, Equatable {
    case noAnswer(TransportError)
    /// An answer that is not from a sandbox.
    ///
    /// If it cannot be from a service either, the value explains it.
    case otherAnswer(StrangeAnswer?)

    /// Returns sentences that describe what was found at an address and advise what to do.
    func explanation(at provider: ServiceProvider) -> String {
        let base = provider.root.absoluteString
        let isHere = provider.root.host().map(ProxyVariables.isThisMachine) ?? false
        switch self {
        case .otherAnswer(let strange?): return "\(base) \(strange.finding). \(strange.advice)"
        case .noAnswer(let error) where !isHere:
            return "\(base) does not answer: \(error.reason). \(error.advice(provider))"
        case .otherAnswer(nil) where !isHere:
            return
                "\(base) is no sandbox, which would have a software statement: "
                + "pass that of your application with --statement or TVE_STATEMENT."
        case .noAnswer, .otherAnswer(nil):
            let advice = provider.schemeAdvice ?? "start one with \"tve sandbox\", or pass --service and --statement."
            return "No sandbox answers at \(base); \(advice)"
        }
    }
}
