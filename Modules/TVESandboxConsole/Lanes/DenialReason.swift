import TVEModels
import TVESandbox

/// What has decided about a resource, for people, with the place where it is decided.
enum DenialReason {
    /// Sentences about all denials of an answer.
    ///
    /// - Parameter isFile: whether they are read without a sandbox, where nothing can be changed.
    static func html(_ exchange: SandboxExchange, isFile: Bool = false) -> String {
        exchange.denials.map { denial in
            let link = place(of: denial.decider)
            let place = isFile ? "" : " <a href=\"\(link.href)\">\(link.title)</a>"
            return """
                <p class="fault-line"><strong>Denied</strong>: <code>\(denial.resource.escapedForXML)</code>, because \(denial.decider.reason).\(place)</p>
                """
        }.joined()
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
