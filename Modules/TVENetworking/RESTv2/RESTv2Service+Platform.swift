import Foundation
import HTTPTypes
import TVEModels

extension RESTv2Service {
    /// Asks what the platform is to answer; see ``PlatformSignOnService``.
    ///
    /// - Parameters:
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider; the service takes it from what ``remember(_:)`` was told.
    /// - Returns: the request for the platform, or the login where none is needed.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` when the service wants an ordinary login.
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
            // The service would rather have an ordinary login (`pfs_fallback` and the like).
            throw .notLoggedIn
        }
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML answer of the platform's sign-on, as the platform gave it.
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider.
    /// - Returns: the copy to keep, and the viewer's metadata.
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
