/// The base class of a session's flows, with the dependencies that they share.
///
/// A flow is not `Sendable`. It belongs to its session and runs in turns of that actor.
class Flow {
    let parts: SessionParts
    let logins: Logins
    let providers: Providers
    let reports: Reports

    init(_ logins: Logins) {
        self.logins = logins
        parts = logins.parts
        providers = logins.providers
        reports = logins.reports
    }
}
