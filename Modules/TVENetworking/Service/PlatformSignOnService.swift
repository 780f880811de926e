public import TVEModels

/// A service that accepts the platform's sign-on as a login.
public protocol PlatformSignOnService: EntitlementService {
    /// Passes the status of the platform's sign-on to requests that send it.
    ///
    /// The method does nothing unless the dialect has such requests.
    ///
    /// - Parameter status: the latest status.
    func remember(_ status: PlatformStatus)

    /// Requests the text that the platform's sign-on must answer for a provider.
    ///
    /// - Parameter request: the requestor, the provider, and the redirect of an ordinary login if the platform cannot
    ///   log in.
    /// - Returns: an opaque text for the platform, or the login if none is needed.
    /// - Throws: any ``ServiceError``, including `.status(400)` if the integration has no platform sign-on.
    func platformRequest(_ request: LoginRequest) async throws(ServiceError) -> PlatformStep

    /// Exchanges the platform's answer for a login.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML response of the platform's sign-on, as the platform returned it.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``, including `.status(400)` if the service does not accept the answer.
    func authentication(
        from platformAnswer: String, requestorID: RequestorID, mvpdID: MVPDID
    ) async throws(ServiceError) -> AuthenticationAnswer
}

extension PlatformSignOnService {
    /// Does nothing.
    ///
    /// - Parameter status: the latest status.
    public func remember(_ status: PlatformStatus) {}
}

/// The next step of a login with the platform's account.
public enum PlatformStep: Sendable {
    /// The platform must answer this opaque request, with these attributes if there are any.
    case ask(request: String, attributeNames: [String])
    /// The service needs no answer, because the viewer is logged in.
    case loggedIn(AuthenticationAnswer)
    /// The service has begun an ordinary login instead, for this reason as it names it, for example `pfs_fallback`.
    case logIn(LoginPage, reason: String)
}
