public import Foundation
public import TVEModels

/// What a wire dialect must be able to do; flows never ask which dialect it is.
///
/// A dialect whose service keeps the logins also conforms to ``LoginKeepingService``, and one that accepts the
/// platform's sign-on to ``PlatformSignOnService``. Every call ends after a few exchanges at most, each within the
/// transport's time limit, and may be made from any task.
public protocol EntitlementService: Sendable {
    /// Loads the configuration of a requestor.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the configuration.
    /// - Throws: any ``ServiceError``; `.status(400)` for an unknown requestor.
    func configuration(of requestorID: RequestorID) async throws(ServiceError) -> RequestorConfiguration

    /// The service's root URL, without a path; it identifies the service in `TVProvider.serviceProvider`.
    var root: URL { get }

    /// What the service is told about the device, where its configuration does not describe the client; tracking reports it.
    var deviceInformation: DeviceInformation? { get }

    /// Whether a stored login was made by a service of this kind; logins of another kind are left alone.
    ///
    /// - Parameter login: a stored login.
    func recognizes(_ login: AuthenticationToken) -> Bool

    /// Prepares a login.
    ///
    /// - Parameter request: the requestor, the provider and the kind of login.
    /// - Returns: the page to open, or that there is nothing to open.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` when the service gives no code.
    func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage

    /// Fetches the result of a finished login.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` and `.pendingLogout` when the viewer did not log in.
    func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer

    /// Asks the TV provider whether the viewer may watch a resource.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - requestorID: the requestor that asks; the login may be another requestor's.
    ///   - data: the app's data for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the permission, with a media token where the service gives both at once.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with the service's reason.
    func authorization(
        for resource: Resource, requestorID: RequestorID, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer

    /// Fetches a media token; every playback needs a new one.
    ///
    /// - Parameters:
    ///   - authorization: the permission to watch the resource.
    ///   - data: the app's data for the service.
    ///   - authentication: the viewer's login.
    /// - Returns: the media token.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with the service's reason.
    func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken

    /// Asks which resources the viewer would be allowed to watch.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - requestorID: the requestor that asks; the login may be another requestor's.
    ///   - usesServiceCache: whether the service may answer from its own cache.
    ///   - authentication: the viewer's login.
    /// - Returns: decisions, in any order; resources may be missing.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with the service's reason.
    func preauthorization(
        of resources: [Resource], requestorID: RequestorID, usesServiceCache: Bool,
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision]

    /// Ends a login at the service.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor the login was made for.
    ///   - mvpdID: its TV provider.
    ///   - login: the login; nil when it is not known.
    ///   - redirectURL: where the browser ends; nil for the client's usual redirect.
    /// - Returns: what remains to be done.
    /// - Throws: any ``ServiceError``.
    func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?
    ) async throws(ServiceError) -> LogoutStep

    /// Whether the service must be asked before every playback, even while a permission is still valid; false by
    /// default.
    var decidesEveryPlay: Bool { get }
}

extension EntitlementService {
    /// The service's configuration describes the client.
    public var deviceInformation: DeviceInformation? { nil }

    /// A stored permission may be used for any number of playbacks until it expires.
    public var decidesEveryPlay: Bool { false }

    /// Whether the service itself keeps the logins of its devices, so that the stored ones are copies.
    public var keepsLogins: Bool { self is any LoginKeepingService }
}

extension RequestorConfiguration {
    /// The configuration with this service recorded at each provider.
    consuming func supplied(by root: URL) -> RequestorConfiguration {
        var configuration = self
        let name = root.absoluteString
        for index in configuration.requestor.providers.indices {
            configuration.requestor.providers[index].serviceProvider = name
        }
        return configuration
    }
}

/// The two wire dialects; an app that changes from one to the other keeps every call and callback.
public enum ServiceDialect: String, Sendable, Hashable, CaseIterable {
    /// The classic XML services, which end at the end of 2026 as announced.
    case classic
    /// REST API v2, their successor, which needs its own software statement.
    case restV2
}
