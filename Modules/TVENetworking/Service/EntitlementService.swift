public import Foundation
public import TVEModels

/// The calls that every wire dialect offers, so that flows do not depend on the dialect.
///
/// A dialect whose service stores the logins also conforms to ``LoginKeepingService``, and one that accepts the
/// platform's sign-on to ``PlatformSignOnService``. Every call ends after a few exchanges at most, or a few for every
/// five resources of a preauthorization, each within the transport's time limit. Calls may be made from any task.
public protocol EntitlementService: Sendable {
    /// Loads the configuration of a requestor.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the configuration.
    /// - Throws: any ``ServiceError``. For an unknown requestor it is `.status(400)` from the classic services, and
    ///   `.refused` with `invalid_parameter_service_provider` from REST API v2.
    func configuration(of requestorID: RequestorID) async throws(ServiceError) -> RequestorConfiguration

    /// The service's root URL, without a path.
    ///
    /// `TVProvider.serviceProvider` contains it to identify the service.
    var root: URL { get }

    /// The description of the device that the service receives, for a dialect whose configuration does not describe the
    /// client.
    ///
    /// The events of tracking contain it.
    var deviceInformation: DeviceInformation? { get }

    /// Returns a Boolean value that indicates whether a stored login comes from a service of this dialect.
    ///
    /// Logins of another dialect are not changed.
    ///
    /// - Parameter login: a stored login.
    func recognizes(_ login: AuthenticationToken) -> Bool

    /// Prepares a login.
    ///
    /// - Parameter request: the requestor, the provider and the kind of login.
    /// - Returns: the page to open, or a step that states that there is nothing to open.
    /// - Throws: any ``ServiceError``, including `.registrationCodeRefused` if the service issues no code.
    func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage

    /// Requests the result of a finished login.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``, including `.notLoggedIn` and `.pendingLogout` if the viewer did not log in.
    func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer

    /// Requests the TV provider's decision whether the viewer may watch a resource.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - requestorID: the requestor of the resource. The login may belong to another requestor.
    ///   - data: the app's data for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the permission, with a media token if the service returns both at once.
    /// - Throws: any ``ServiceError``, including `.denied` and `.pendingLogout` with the service's reason.
    func authorization(
        for resource: Resource, requestorID: RequestorID, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer

    /// Requests a media token, of which every playback needs a new one.
    ///
    /// - Parameters:
    ///   - authorization: the permission to watch the resource.
    ///   - data: the app's data for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the media token.
    /// - Throws: any ``ServiceError``, including `.denied` and `.pendingLogout` with the service's reason.
    func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken

    /// Requests the resources that the viewer would be allowed to watch.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - requestorID: the requestor of the resources. The login may belong to another requestor.
    ///   - usesServiceCache: a Boolean value that indicates whether the service may answer from its own cache.
    ///   - authentication: the viewer's login.
    /// - Returns: the decisions in any order. Some resources may have none.
    /// - Throws: any ``ServiceError``, including `.denied` and `.pendingLogout` with the service's reason.
    func preauthorization(
        of resources: [Resource], requestorID: RequestorID, usesServiceCache: Bool,
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision]

    /// Ends a login at the service.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor that the login belongs to.
    ///   - mvpdID: the TV provider of the login.
    ///   - login: the login, or nil if it is not known.
    ///   - redirectURL: the URL at which the browser ends, or nil for the client's usual redirect.
    /// - Returns: the step that remains.
    /// - Throws: any ``ServiceError``.
    func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?
    ) async throws(ServiceError) -> LogoutStep

    /// A Boolean value that indicates whether the service must decide before every playback.
    ///
    /// The value is false by default. If it is true, the service decides even while a stored permission is still valid.
    var decidesEveryPlay: Bool { get }
}

extension EntitlementService {
    /// The value is nil, because the service's configuration describes the client.
    public var deviceInformation: DeviceInformation? { nil }

    /// The value is false: a stored permission is valid for any number of playbacks until it expires.
    public var decidesEveryPlay: Bool { false }

    /// Ends a login at the service, as long as the logout is pending.
    ///
    /// A request may wait for half a minute after an HTTP 429, and another process may begin a new login in this time,
    /// which the logout would end.
    ///
    /// - Parameter isPending: checks whether the logout is still pending, right before each attempt to send it. It
    ///   returns nil if nobody can tell, and then the logout is sent. Pass nil to send the logout in any case.
    /// - Throws: any ``ServiceError``. That of a logout that is no longer pending is `.transport(.cancelled)`.
    package func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?,
        while isPending: (@Sendable () -> Bool?)?
    ) async throws(ServiceError) -> LogoutStep {
        let check = isPending.map(PacedTransport.LogoutCheck.init)
        let answer = await PacedTransport.logoutCheck.withValue(check) { () -> Result<LogoutStep, ServiceError> in
            do throws(ServiceError) {
                return .success(
                    try await logout(requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL))
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    /// A Boolean value that indicates whether the service stores the logins of its devices, so that the stored ones are
    /// copies.
    public var keepsLogins: Bool { self is any LoginKeepingService }
}

extension RequestorConfiguration {
    /// Returns the configuration with this service recorded at each provider.
    consuming func supplied(by root: URL) -> RequestorConfiguration {
        var configuration = self
        let name = root.absoluteString
        for index in configuration.requestor.providers.indices {
            configuration.requestor.providers[index].serviceProvider = name
        }
        return configuration
    }
}

/// The two wire dialects.
///
/// All calls and callbacks remain the same if an app changes from one to the other.
public enum ServiceDialect: String, Sendable, Hashable, CaseIterable {
    /// The classic XML services, whose end of life is announced for the end of 2026.
    case classic
    /// REST API v2, their successor, which requires its own software statement.
    case restV2
}
