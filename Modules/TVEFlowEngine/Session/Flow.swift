/// What every flow of a session works with.
///
/// A flow is not `Sendable`: it belongs to its session, and its turns are turns of that actor.
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
