/// The texts of a kind of fault: its name, its effect and the app's view of it.
struct FaultRow: Sendable {
    let kind: SandboxWorld.Fault.Kind
    let title: String
    let about: String
    /// The row of the documents that it simulates.
    let source: String
    /// The meaning of the amount; nil where there is none.
    var amount: String?
    var usual: Int?

    static func of(_ kind: SandboxWorld.Fault.Kind) -> FaultRow {
        switch kind {
        case .delay:
            FaultRow(
                kind: kind, title: "Late answers", about: "Every answer waits before it is sent.",
                source: "Transport: a request that outlasts its time limit", amount: "milliseconds", usual: 3_000)
        case .status:
            FaultRow(
                kind: kind, title: "HTTP error", about: "A status without a body in place of the answer.",
                source: "Error table: CFG400, CFG404, CFG410, CFG5xx, REG500", amount: "HTTP status", usual: 503)
        case .throttled:
            FaultRow(
                kind: kind, title: "Too many requests", about: "HTTP 429 with the page of the throttle.",
                source: "Throttling: one request a second, burst ten; CFG429, Z100, P100")
        case .dropped:
            FaultRow(
                kind: kind, title: "Connection lost", about: "The connection ends without an answer.",
                source: "Transport: no answer")
        case .cutBody:
            FaultRow(
                kind: kind, title: "Cut body", about: "Half of the body comes, then the connection ends.",
                source: "Transport: fewer bytes than announced")
        case .slowBody:
            FaultRow(
                kind: kind, title: "Slow body", about: "The body comes in twenty pieces over this time.",
                source: "Transport: a slow network", amount: "milliseconds", usual: 5_000)
        case .garbledBody:
            FaultRow(
                kind: kind, title: "Garbled body", about: "The right status, and a body that cannot be read.",
                source: "Answers that are no XML or JSON")
        case .captivePortal:
            FaultRow(
                kind: kind, title: "Captive portal",
                about: "A hotel's welcome page with HTTP 200 in place of the answer.",
                source: "Answers that are no XML or JSON")
        case .badSignature:
            FaultRow(
                kind: kind, title: "Bad signature", about: "New tokens have a signature that does not fit.",
                source: "Media token verifier: INVALID_SIGNATURE; services refuse such a token with HTTP 400")
        case .wrongClock:
            FaultRow(
                kind: kind, title: "Wrong clock", about: "The service's clock is ahead by this much, or behind.",
                source: "Error table: CFG100", amount: "seconds", usual: 7_200)
        case .error:
            FaultRow(
                kind: kind, title: "Error of REST API v2", about: "An endpoint answers with an error of the table.",
                source: "REST API v2, 4.3 and 4.4: enhanced error codes")
        case .denied:
            FaultRow(
                kind: kind, title: "Denied resource", about: "The TV provider says no, whatever the viewer's plan.",
                source: "Error table: Z100; REST API v2: authorization_denied_by_mvpd")
        case .degraded:
            FaultRow(
                kind: kind, title: "Degraded provider",
                about: "The service decides by a rule and no longer asks the TV provider.",
                source: "Degradation: N010, Z010, Z169; REST API v2, 9.5")
        case .unreachable:
            FaultRow(
                kind: kind, title: "Provider unreachable",
                about: "The service cannot ask the TV provider for permission.",
                source: "Error table: Z120; REST API v2: network_received_error")
        case .sessionOver:
            FaultRow(
                kind: kind, title: "Login ended elsewhere",
                about: "Permission is refused because the login behind it has ended.",
                source: "Wire protocol, pendingLogout; REST API v2: authenticated_profile_invalidated")
        }
    }
}
