import Foundation
import HTTPTypes
public import TVEModels

extension RESTv2Service {
    /// Fetches the request for the platform's sign-on; see ``PlatformSignOnService``.
    ///
    /// The service takes the provider from the status in ``remember(_:)``. Where it requires an ordinary login, this is
    /// `.notLoggedIn`.
    public func platformRequest(requestorID: RequestorID, mvpdID: MVPDID) async throws(ServiceError) -> PlatformStep {
        let session = try await ask(
            AuthenticationSession.self, .post, [requestorID.text, "sessions", "sso", Self.partner],
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
    public func authentication(
        from platformAnswer: String, requestorID: RequestorID, mvpdID: MVPDID
    ) async throws(ServiceError) -> AuthenticationAnswer {
        let form = [("SAMLResponse", FormBody.samlResponse(platformAnswer))]
        let answer = try await ask(
            ProfilesAnswer.self, .post, [requestorID.text, "profiles", "sso", Self.partner], body: .form(form),
            headers: [.serviceToken, .platform])
        guard let entry = answer.profiles[mvpdID] else { throw .notLoggedIn }
        return copy(of: entry, requestorID, mvpdID, nil)
    }

    private static let partner = "Apple"
}
