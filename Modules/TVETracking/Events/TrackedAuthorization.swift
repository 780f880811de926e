/// The outcome of an authorization, as tracking reports it.
public struct TrackedAuthorization: Sendable, Hashable {
    /// The viewer's login; nil when the viewer is not logged in.
    public var login: TrackedLogin?
    /// Name of the failure; nil when the viewer may watch.
    public var error: String?
    /// The TV provider's text for the viewer.
    public var details: String?

    /// Describes an outcome.
    ///
    /// - Parameters:
    ///   - login: the viewer's login.
    ///   - error: name of the failure.
    ///   - details: the TV provider's text for the viewer.
    public init(login: TrackedLogin?, error: String? = nil, details: String? = nil) {
        self.login = login
        self.error = error
        self.details = details
    }
}
