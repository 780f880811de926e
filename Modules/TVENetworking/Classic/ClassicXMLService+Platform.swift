import Foundation
import HTTPTypes
import TVEModels

extension ClassicXMLService {
    /// Fetches the request for the platform's sign-on; see ``PlatformSignOnService``.
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
        guard let text = String(validUTF8: answer.body), !text.isEmpty else { throw .unreadableJSON }
        return .ask(request: text, attributeNames: [])
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    ///
    /// The service stores the token and confirms with an empty answer; the session call then returns it.
    ///
    /// - Parameters:
    ///   - platformAnswer: the SAML response of the platform's sign-on, as the platform returned it.
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
