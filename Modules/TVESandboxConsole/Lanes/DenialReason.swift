import TVEModels
import TVESandbox

/// The explanation of a denial for people, with a link to the page on which the decision can be changed.
enum DenialReason {
    /// Returns a box with a sentence for each party that has denied resources, or an empty text if the client
    /// has received no denial.
    ///
    /// - Parameters:
    ///   - exchange: the exchange with the denials.
    ///   - isFile: a Boolean value that indicates whether the HTML is part of a file, which has no links to a sandbox.
    static func html(_ exchange: SandboxExchange, isFile: Bool = false) -> String {
        let reasons = Denial.byDecider(exchange.isAnswerLost ? [] : exchange.denials).map { decider, resources in
            let link = place(of: decider)
            let place = isFile ? "" : " <a href=\"\(link.href)\">\(link.title)</a>"
            let names = resources.map(ConsolePage.code).joined(separator: ", ")
            return "<strong>Denied</strong>: \(names), because \(decider.reason).\(place)"
        }
        return reasons.isEmpty ? "" : "<p class=\"fault-line\">\(reasons.joined(separator: "<br>"))</p>"
    }

    private static func place(of decider: Denial.Decider) -> (href: String, title: String) {
        switch decider {
        case .viewer: ("/console/accounts#viewers", "The viewer's resources")
        case .provider, .behavior: ("/console/worlds#present", "The world")
        case .fault: ("/console/faults#on", "Faults")
        case .pass: ("/console/devices#passes", "Temporary passes")
        case .login: ("/console/devices#logins", "Logins")
        }
    }
}
