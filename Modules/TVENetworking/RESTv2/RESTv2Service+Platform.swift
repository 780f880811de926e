import Foundation
public import TVEModels

extension RESTv2Service {
    /// Requests the text that the platform's sign-on must answer; see ``PlatformSignOnService``.
    ///
    /// The service reads the provider from the status in ``remember(_:)``. If the service requires an ordinary login,
    /// it has already begun one, which continues here. Beginning another login would give one viewer two codes.
    public func platformRequest(_ request: LoginRequest) async throws(ServiceError) -> PlatformStep {
        let redirectURL = redirect(of: request)
        let session = try await fetch(
            AuthenticationSession.self,
            .partnerSession(
                of: request.requestorID, Self.partner,
                parameters(mvpdID: nil, redirectURL: redirectURL, domains: request.domains)))
        var request = request
        if let mvpdID = session.mvpdID { request.mvpdID = mvpdID }
        switch session.action {
        case .partnerProfile:
            guard let samlRequest = session.platformRequest else { throw .unreadableJSON }
            return .ask(request: samlRequest, attributeNames: session.platformAttributes)
        case .authorize: return .loggedIn(try await authentication(of: page(session, request)))
        case .authenticate, .resume, .retry, .unknown:
            var begun = session
            if [.resume, .retry].contains(session.action), let code = session.code, !request.isOnOtherScreen {
                begun = try await resumeSession(
                    code: code, requestorID: request.requestorID, mvpdID: request.mvpdID, redirectURL: redirectURL,
                    domains: request.domains)
            }
            return .logIn(try page(begun, request), reason: session.reason)
        }
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    public func authentication(
        from platformAnswer: String, requestorID: RequestorID, mvpdID: MVPDID
    ) async throws(ServiceError) -> AuthenticationAnswer {
        let answer = try await fetch(
            ProfilesAnswer.self,
            .partnerProfile(of: requestorID, Self.partner, samlResponse: FormBody.samlResponse(platformAnswer)))
        guard let entry = try answer.answer(about: mvpdID) else { throw .notLoggedIn }
        return copy(of: entry, requestorID: requestorID, mvpdID: mvpdID, identity: nil)
    }

    private static let partner = "Apple"
}
