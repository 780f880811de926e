public import Foundation
public import TVEModels

/// What a wire dialect must be able to do; flows never ask which one it is.
///
/// A dialect whose service keeps the logins itself conforms to ``LoginKeepingService`` too, and one that accepts the platform's sign-on
/// to ``PlatformSignOnService``. Every call ends after a few exchanges at most, each within the transport's time limit, and may be made from any task.
public protocol EntitlementService: Sendable {
    /// Loads the configuration of a requestor.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the configuration.
    /// - Throws: any ``ServiceError``; `.status(400)` for an unknown requestor.
    func configuration(of requestorID: String) async throws(ServiceError) -> RequestorConfiguration

    /// Where the service answers, without a path; names it in `TVProvider.serviceProvider`.
    var root: URL { get }

    /// Whether a stored login was made by a service of this kind; another kind's is left alone.
    ///
    /// - Parameter login: a stored login.
    func recognizes(_ login: AuthenticationToken) -> Bool

    /// Prepares a login.
    ///
    /// - Parameter request: who wants to log in, with whom and how.
    /// - Returns: the page to open, or that there is nothing to open.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` when the service gives no code.
    func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage

    /// Fetches what a finished login brought.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` and `.pendingLogout` when the viewer did not log in.
    func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer

    /// Asks the TV provider whether the viewer may watch a resource.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - requestorID: who asks; the login may be another requestor's.
    ///   - data: what the app sends along for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the permission, with a media token where the service gives both at once.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    func authorization(
        for resource: Resource, requestorID: String, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer

    /// Fetches a media token; every play needs a new one.
    ///
    /// - Parameters:
    ///   - authorization: the permission to watch the resource.
    ///   - data: what the app sends along for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the media token.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken

    /// Asks which resources the viewer would be allowed to watch.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - requestorID: who asks; the login may be another requestor's.
    ///   - usesServiceCache: whether the service may answer from its own cache.
    ///   - authentication: the viewer's login.
    /// - Returns: decisions, in whatever order; resources may be missing.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    func preauthorization(
        of resources: [Resource], requestorID: String, usesServiceCache: Bool, _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision]

    /// Ends a login at the service.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor the login was made for.
    ///   - mvpdID: its TV provider.
    ///   - login: the login; nil when nothing more is known about it.
    ///   - redirectURL: where the browser ends; nil for the client's usual place.
    /// - Returns: the page that ends the session at the provider too; nil when there is nothing to open.
    /// - Throws: any ``ServiceError``.
    func logOut(
        requestorID: String, mvpdID: String, _ login: AuthenticationToken?, redirectURL: URL?
    ) async throws(ServiceError) -> LogoutPage?

    /// Whether the service wants to be asked before every play, even where a permission is still good; not, unless
    /// the dialect says so.
    var decidesEveryPlay: Bool { get }
}

extension EntitlementService {
    /// A kept permission is good for as many plays as it lasts.
    public var decidesEveryPlay: Bool { false }

    /// Whether the service itself keeps the logins of its devices, so that what is stored here is no more than a copy.
    public var keepsLogins: Bool { self is any LoginKeepingService }
}
