import TVEModels

/// A service that accepts what the platform's sign-on says about the viewer's TV provider.
public protocol PlatformSignOnService: EntitlementService {
    /// Takes note of what the platform's sign-on said, for the requests that want to know; ignored, unless
    /// the dialect has such requests.
    ///
    /// - Parameter status: what it said last.
    func remember(_ status: PlatformStatus)

    /// Fetches what the platform's sign-on must be given so that it answers for a provider.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: an opaque text for the platform, or the login where none is needed.
    /// - Throws: any ``ServiceError``; `.status(400)` when the integration has no platform sign-on.
    func platformRequest(requestorID: String, mvpdID: String) async throws(ServiceError) -> PlatformStep

    /// Exchanges the platform's answer for a login.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML answer of the platform's sign-on, as the platform gave it.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.status(400)` when the service does not accept the answer.
    func authentication(
        from platformAnswer: String, requestorID: String, mvpdID: String
    ) async throws(ServiceError) -> AuthenticationAnswer
}

extension PlatformSignOnService {
    /// Takes note of nothing.
    ///
    /// - Parameter status: what the platform's sign-on said last.
    public func remember(_ status: PlatformStatus) {}
}
