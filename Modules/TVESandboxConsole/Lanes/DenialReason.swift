import TVEModels
import TVESandbox

/// What has decided about a resource, for people, with the place where it is decided.
enum DenialReason {
    /// Sentences about all denials of an answer.
    ///
    /// - Parameter isFile: whether they are read without a sandbox, where nothing can be changed.
    static func html(_ exchange: SandboxExchange, isFile: Bool = false) -> String {
        exchange.denials.map { denial in
            let (text, link) = reason(denial.decider)
            let place = isFile ? "" : " <a href=\"\(link.href)\">\(link.title)</a>"
            return """
                <p class="fault-line"><strong>Denied</strong>: <code>\(denial.resource.escapedForXML)</code>, because \(text).\(place)</p>
                """
        }.joined()
    }

    private static func reason(_ decider: Denial.Decider) -> (text: String, link: (href: String, title: String)) {
        switch decider {
        case .viewer: ("the viewer may not watch it", ("/console/accounts#viewers", "The viewer's resources"))
        case .provider:
            ("a field of the TV provider in the world says so", ("/console/worlds#present", "The world"))
        case .fault: ("a fault was on", ("/console/faults#on", "Faults"))
        case .behavior:
            ("the world forces an error at this step (forcedErrors)", ("/console/worlds#present", "The world"))
        case .pass: ("the TempPass has reached its limit", ("/console/devices#passes", "Temporary passes"))
        case .login: ("no viewer is logged in on this device", ("/console/devices#logins", "Logins"))
        }
    }
}
