import TVEModels
import TVESandbox

/// What has decided about a resource, for people, with the place where it is decided.
enum DenialReason {
    /// One box with a sentence for each party that has denied something.
    ///
    /// - Parameter isFile: whether they are read without a sandbox, where nothing can be changed.
    static func html(_ exchange: SandboxExchange, isFile: Bool = false) -> String {
        let reasons = Denial.byDecider(exchange.denials).map { decider, resources in
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
