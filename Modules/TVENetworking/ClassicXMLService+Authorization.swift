import HTTPTypes
public import TVEModels
import TVETokenCodec

extension ClassicXMLService {
    /// Asks for an AuthZ token; see ``EntitlementService``.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - requestorID: who asks; the login may be another requestor's.
    ///   - authentication: the viewer's login.
    /// - Returns: the AuthZ token and newer metadata, if any.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    public func authorization(
        for resource: Resource, requestorID: String, _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> (AuthorizationToken, UserMetadata?) {
        let form = [
            ("resource_id", resource.text), ("requestor_id", requestorID),
            ("authentication_token", authentication.text.rawValue), ("mso_id", authentication.claims.mvpdID),
            ("userMeta", "1"),
        ]
        let answer = try await send(.post, "adobe-services/authorizeDevice", form: form + deviceFields)
        let (text, metadata) = try token(in: answer, ServiceAnswerReader().authorization)
        let token = try readable { () throws(TokenCodecError) in
            try TokenDecoder().authorizationToken(text.rawValue)
        }
        return (token, metadata)
    }

    /// Asks for a media token; see ``EntitlementService``.
    ///
    /// - Parameters:
    ///   - authorization: the permission to watch the resource.
    ///   - authentication: the viewer's login.
    /// - Returns: the media token.
    /// - Throws: any ``ServiceError``; `.denied` and `.pendingLogout` with what the service said.
    public func mediaToken(
        for authorization: AuthorizationToken, _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken {
        // The name really is in this order: deviceShortAuthorize.
        let form = [
            ("requestor_id", authorization.claims.requestorID), ("mso_id", authorization.claims.mvpdID),
            ("session_guid", authentication.claims.authenticationGUID), ("hashed_guid", "false"),
            ("authz_token", authorization.text.rawValue),
        ]
        let answer = try await send(.post, "adobe-services/deviceShortAuthorize", form: form + deviceFields)
        let (text, _) = try token(in: answer, ServiceAnswerReader().mediaToken)
        return try readable { () throws(TokenCodecError) in
            try TokenDecoder().mediaToken(text.rawValue)
        }
    }
}
