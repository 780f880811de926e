public import Foundation
public import TVEModels

/// What a wire dialect can do; flows never ask which one it is.
///
/// Every call ends after a few exchanges at most, each within the transport's time limit, and may be made from any task.
public protocol EntitlementService: Sendable {
    /// Loads the configuration of a requestor.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the configuration.
    /// - Throws: any ``ServiceError``; `.status(400)` for an unknown requestor.
    func configuration(of requestorID: String) async throws(ServiceError) -> RequestorConfiguration

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the page to open.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` when the service gives no code.
    func login(requestorID: String, mvpdID: String) async throws(ServiceError) -> LoginPage

    /// Fetches what a finished login brought.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` and `.pendingLogout` when the viewer did not log in.
    func authentication(of login: LoginPage) async throws(ServiceError) -> (AuthenticationToken, UserMetadata?)

    /// Asks the TV provider whether the viewer may watch a resource.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - requestorID: who asks; the login may be another requestor's.
    ///   - authentication: the viewer's login.
    /// - Returns: the AuthZ token and newer metadata, if any.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    func authorization(
        for resource: Resource, requestorID: String, _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> (AuthorizationToken, UserMetadata?)

    /// Fetches a media token; every play needs a new one.
    ///
    /// - Parameters:
    ///   - authorization: the permission to watch the resource.
    ///   - authentication: the viewer's login.
    /// - Returns: the media token.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    func mediaToken(
        for authorization: AuthorizationToken, _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken

    /// The page that ends the viewer's session at the service and the TV provider.
    ///
    /// - Parameter authentication: the login to end.
    /// - Returns: the page to open and where it ends; nil when there is nothing to open.
    func logoutPage(for authentication: AuthenticationToken) -> (url: URL, redirectURL: URL)?
}
