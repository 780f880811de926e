import Foundation
import HTTPTypes
import TVEModels

extension ClassicXMLService {
    /// Fetches what the platform's sign-on must be given; see ``PlatformSignOnService``.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: an opaque text for the platform.
    /// - Throws: any ``ServiceError``; `.status(400)` when the integration has no platform sign-on.
    public func platformRequest(requestorID: String, mvpdID: String) async throws(ServiceError) -> PlatformStep {
        let path = "api/v1/\(FormBody.escape(requestorID))/profile-requests/\(FormBody.escape(mvpdID))"
        let answer = try await send(.get, "\(path)?\(FormBody.query([("deviceType", client.clientType)]))")
        guard answer.isSuccess else { throw .status(answer.status) }
        guard let text = String(validating: answer.body, as: UTF8.self), !text.isEmpty else { throw .unreadableJSON }
        return .ask(request: text, attributeNames: [])
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    ///
    /// The service keeps the token and says so with an empty answer; the session call then brings it.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML answer of the platform's sign-on, as the platform gave it.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.status(400)` when the service does not accept the answer.
    public func authentication(
        from platformAnswer: String, requestorID: String, mvpdID: String
    ) async throws(ServiceError) -> AuthenticationAnswer {
        let form = [
            ("requestor", requestorID), ("deviceId", client.deviceID), ("mvpd", mvpdID),
            ("deviceType", client.clientType), ("SAMLResponse", FormBody.samlResponse(platformAnswer)),
        ]
        let answer = try await send(.post, "api/v1/tokens/authn", form: form + deviceFields.dropFirst())
        guard answer.isSuccess else { throw .status(answer.status) }
        return try await session(of: [("requestor_id", requestorID), ("mso_id", mvpdID)])
    }
}
