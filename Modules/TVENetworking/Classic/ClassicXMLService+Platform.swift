import Foundation
import HTTPTypes
public import TVEModels

extension ClassicXMLService {
    /// Requests the text that the platform's sign-on must answer; see ``PlatformSignOnService``.
    public func platformRequest(_ request: LoginRequest) async throws(ServiceError) -> PlatformStep {
        let ids = [request.requestorID.text, request.mvpdID.text].map(FormBody.escape)
        let path = "api/v1/\(ids[0])/profile-requests/\(ids[1])"
        let answer = try await send(.get, "\(path)?\(FormBody.query([("deviceType", client.clientType)]))")
        guard answer.isSuccess else { throw .status(answer.status) }
        // Any text could be a request to the platform, even the page of a network.
        if let type = WebPage.type(answer.headers[.contentType], answer.body) {
            throw .webPage(status: answer.status, type: type)
        }
        let text = String(validUTF8: answer.body).map(JSONCursor.trimmed) ?? ""
        guard !text.isEmpty else { throw .unreadableJSON }
        return .ask(request: text, attributeNames: [])
    }

    /// Exchanges the platform's answer for a login; see ``PlatformSignOnService``.
    ///
    /// The service stores the token and confirms it with an empty answer. The token comes with the session request that
    /// follows.
    public func authentication(
        from platformAnswer: String, requestorID: RequestorID, mvpdID: MVPDID
    ) async throws(ServiceError) -> AuthenticationAnswer {
        let form = [
            ("requestor", requestorID.text), ("deviceId", client.deviceID), ("mvpd", mvpdID.text),
            ("deviceType", client.clientType), ("SAMLResponse", FormBody.samlResponse(platformAnswer)),
        ]
        let answer = try await send(.post, "api/v1/tokens/authn", form: form + deviceFields.dropFirst())
        guard answer.isSuccess else { throw .status(answer.status) }
        return try await session(of: [("requestor_id", requestorID.text), ("mso_id", mvpdID.text)])
    }
}
