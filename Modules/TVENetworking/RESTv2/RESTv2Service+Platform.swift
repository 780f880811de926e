import Foundation
import HTTPTypes
import TVEModels

extension RESTv2Service {
    /// Fetches the request for the platform's sign-on; see ``PlatformSignOnService``.
    ///
    /// - Parameters:
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider; the service takes it from the status in ``remember(_:)``.
    /// - Returns: the request for the platform, or the login if none is needed.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` when the service requires an ordinary login.
    public func platformRequest(requestorID: String, mvpdID: String) async throws(ServiceError) -> PlatformStep {
        let session = try await ask(
            AuthenticationSession.self, .post, [requestorID, "sessions", "sso", Self.partner],
            body: .form(parameters(requestorID, nil, client.redirectURL)), headers: [.serviceToken, .platform])
        switch session.action {
        case .partnerProfile:
            guard let request = session.platformRequest else { throw .unreadableJSON }
            return .ask(request: request, attributeNames: session.platformAttributes)
        case .authorize:
            let known = try await logins(of: requestorID, with: session.mvpdID ?? mvpdID, knowing: nil)
            guard let login = known.first else { throw .notLoggedIn }
            return .loggedIn(login)
        case .authenticate, .resume, .retry, .unknown:
            // The service requires an ordinary login (for example `pfs_fallback`).
            throw .notLoggedIn
        }
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML response of the platform's sign-on, as the platform returned it.
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider.
    /// - Returns: the copy to store, and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.refused` when the service does not accept the answer.
    public func authentication(
        from platformAnswer: String, requestorID: String, mvpdID: String
    ) async throws(ServiceError) -> AuthenticationAnswer {
        let form = [("SAMLResponse", FormBody.samlResponse(platformAnswer))]
        let answer = try await ask(
            ProfilesAnswer.self, .post, [requestorID, "profiles", "sso", Self.partner], body: .form(form),
            headers: [.serviceToken, .platform])
        guard let entry = answer.profiles[ExactText(mvpdID)] else { throw .notLoggedIn }
        return copy(of: entry, requestorID, mvpdID, nil)
    }

    private static let partner = "Apple"
}
