import HTTPTypes
public import TVEModels
import TVETokenCodec

extension ClassicXMLService {
    /// Requests an AuthZ token; see ``EntitlementService``.
    public func authorization(
        for resource: Resource, requestorID: RequestorID, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer {
        let form =
            [
                ("resource_id", resource.text), ("requestor_id", requestorID.text),
                ("authentication_token", authentication.text.rawValue), ("mso_id", authentication.claims.mvpdID.text),
                ("userMeta", "1"),
            ] + Self.genericData(data)
        let answer = try await send(.post, "adobe-services/authorizeDevice", form: form + deviceFields)
        let (text, metadata) = try token(in: answer, ServiceAnswerReader().authorization)
        let token = try readable(answer) { () throws(TokenCodecError) in
            try TokenDecoder().authorizationToken(text.rawValue)
        }
        return AuthorizationAnswer(token: token, metadata: metadata)
    }

    /// Requests a media token; see ``EntitlementService``.
    public func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken {
        // The documented path is `deviceShortAuthorize`, with the words in this unusual order.
        let form =
            [
                ("requestor_id", authorization.claims.requestorID.text), ("mso_id", authorization.claims.mvpdID.text),
                ("session_guid", authentication.claims.authenticationGUID), ("hashed_guid", "false"),
                ("authz_token", authorization.text.rawValue),
            ] + Self.genericData(data)
        let answer = try await send(.post, "adobe-services/deviceShortAuthorize", form: form + deviceFields)
        let (text, _) = try token(in: answer, ServiceAnswerReader().mediaToken)
        return try readable(answer) { () throws(TokenCodecError) in
            try TokenDecoder().mediaToken(text.rawValue)
        }
    }

    /// Requests the resources that the viewer may watch; see ``EntitlementService``.
    ///
    /// If there are more resources than the provider's limit, five by default, the service answers without any
    /// decision.
    public func preauthorization(
        of resources: [Resource], requestorID: RequestorID, usesServiceCache: Bool,
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision] {
        var form = [
            ("authentication_token", authentication.text.rawValue), ("requestor_id", requestorID.text),
        ]
        form += resources.map { ("resource_id", $0.text) }
        // No document specifies the field; the reference mentions the feature (Documentation/Specification/Decided.md).
        if !usesServiceCache { form.append(("cache", "false")) }
        let answer = try await send(.post, "adobe-services/preauthorize", form: form)
        let parsed: PreauthorizationAnswer
        do throws(TokenCodecError) {
            parsed = try ServiceAnswerReader().preauthorization(answer.body)
        } catch {
            throw answer.isSuccess ? answer.unread(.unreadable(error)) : .status(answer.status)
        }
        switch parsed {
        case .denied(let denial): throw .denied(denial)
        case .pendingLogout(let signal): throw .pendingLogout(signal)
        case .decisions(let decisions):
            guard answer.isSuccess else { throw .status(answer.status) }
            return decisions.map { decision in
                var decision = decision
                // A failure of the service may be over long before the login is.
                if let error = decision.error, error.isFailureOfService || error.action == "retry" {
                    decision.isLasting = false
                }
                return decision
            }
        }
    }
}
