import Foundation
package import TVEModels

/// The outcome of a request, which the status alone does not show.
///
/// A denial and a wrong password, for example, are answered with 200.
package struct ExchangeOutcome: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Every resource of the request is allowed.
        case granted
        /// At least one resource of the request is denied.
        case denied
        case wrongPassword
        /// There is no answer yet, or the answer says that there is no login yet.
        case waiting
        /// The request was refused, or its client did not wait for the answer.
        case error
        /// A simulated failure changed the answer.
        case fault
        /// The request was answered, and no other kind applies.
        case done
    }

    package let kind: Kind
    /// The outcome as a text for people; empty when there is nothing to add to the status.
    package let text: String
    /// The resources of the request, in its order.
    package let resources: [String]
    /// The TV provider that the request names.
    package let provider: MVPDID?

    /// The largest number of resources in a text.
    private static let maximum = 5

    package init(_ exchange: SandboxExchange) {
        let step = exchange.facts.step
        let denials = exchange.denials
        resources = Self.resources(exchange.recorded, step)
        provider = Self.provider(exchange, step)
        kind = Self.kind(of: exchange, at: step, denials)
        text = Self.text(kind, of: exchange, denials: denials, resources: resources)
    }

    /// A Boolean value that indicates whether the viewer did not get what the request asked for.
    package var isFailure: Bool { [.denied, .wrongPassword, .error, .fault].contains(kind) }

    private static func kind(of exchange: SandboxExchange, at step: String, _ denials: [Denial]) -> Kind {
        if exchange.status == 0 { return .waiting }
        // The client does not know of a denial that it has not received.
        if exchange.isCut { return .fault }
        if exchange.wasAbandoned { return .error }
        if !denials.isEmpty { return .denied }
        if exchange.faults.contains(where: { !late.contains($0) }) { return .fault }
        func answers(_ text: String) -> Bool { exchange.answer.body.range(of: Data(text.utf8)) != nil }
        switch step {
        case "providerLogin" where answers(ProviderPages.wrongPassword): return .wrongPassword
        case "sessionWeb" where exchange.status == 401 && answers("<notFound/>"),
            "sessionDevice" where exchange.status == 401 && answers("<notFound/>"),
            "profileOfCode" where exchange.status == 200 && answers("\"profiles\":{}"):
            return .waiting
        // The request has more resources than the limit of a preauthorization.
        case "preauthorizeClassic" where exchange.status == 200 && answers(noDecisions): return .error
        default: break
        }
        if exchange.status >= 400 { return .error }
        return deciding.contains(step) ? .granted : .done
    }

    /// The kinds of faults after which the client has the same answer, only later.
    private static let late: Set<SandboxWorld.Fault.Kind> = [.delay, .slowBody]

    private static func text(
        _ kind: Kind, of exchange: SandboxExchange, denials: [Denial], resources: [String]
    ) -> String {
        switch kind {
        case .granted: return resources.isEmpty ? "Granted" : "Granted: \(list(resources))"
        case .denied:
            let reasons = Denial.byDecider(denials).map { decider, resources in
                "\(list(resources)), because \(decider.reason)"
            }
            return "Denied: \(reasons.joined(separator: "; "))"
        case .wrongPassword: return "Wrong user name or password"
        case .waiting: return exchange.status == 0 ? "Waiting for the answer" : "Waiting: there is no login yet"
        case .error where exchange.wasAbandoned:
            return "The client closed its side of the connection, or the sandbox stopped, before the answer"
        case .error where exchange.status == 200: return "No decision about \(list(resources))"
        case .error: return exchange.objection.map { "Refused: \($0)" } ?? "Error \(exchange.status)"
        case .fault: return "Changed by a fault: \(list(exchange.faults.map(\.title)))"
        case .done: return ""
        }
    }

    /// The body with which the classic service answers a preauthorization of too many resources.
    private static let noDecisions = "<resources></resources>"

    private static func list(_ texts: [String]) -> String {
        let more = texts.count > maximum ? " and \(texts.count - maximum) more" : ""
        return texts.prefix(maximum).joined(separator: ", ") + more
    }

    private static let deciding: Set<String> = [
        "authorizeWeb", "authorizeDevice", "mediaTokenWeb", "mediaTokenDevice", "preauthorizeClassic", "preauthorize",
        "authorize",
    ]

    /// Returns the resources that a request at a step names.
    static func resources(_ request: RecordedRequest, _ step: String) -> [String] {
        guard deciding.contains(step) else { return [] }
        guard ["authorize", "preauthorize"].contains(step) else { return request.form.all("resource_id") }
        struct Body: Decodable { let resources: [String] }
        return (try? UntrustedJSON.decode(Body.self, from: request.message.body, .small))?.resources ?? []
    }

    private static func provider(_ exchange: SandboxExchange, _ step: String) -> MVPDID? {
        let path = exchange.segments
        let text: String? =
            switch (step, path.count) {
            case ("authorize", 6), ("preauthorize", 6): path[5]
            case ("profile", 5), ("logout", 5): path[4]
            case ("providerPage", 3), ("providerLogin", 3), ("providerLogout", 3): path[1]
            default:
                exchange.form["mso_id"] ?? exchange.form["mvpd"] ?? FormFields(exchange.query)["mso_id"]
            }
        return text.flatMap { $0.isEmpty ? nil : MVPDID($0) }
    }
}

extension SandboxExchange {
    package var outcome: ExchangeOutcome { ExchangeOutcome(self) }
}
