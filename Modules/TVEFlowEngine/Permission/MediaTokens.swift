import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// A request for permission to play a resource.
///
/// Simultaneous requests with equal values are sent once.
struct PermissionRequest: Hashable, Sendable {
    let resource: Resource
    let data: [String: MetadataValue]
    let login: AuthenticationToken

    /// Hashes the resource alone, in which simultaneous requests nearly always differ, because a token is long.
    func hash(into hasher: inout Hasher) { hasher.combine(resource) }
}

/// A media token and the permission from which it was obtained.
struct GivenToken: Sendable {
    let token: MediaToken
    let authorization: AuthorizationToken
    /// A Boolean value that indicates whether a stored permission was sufficient.
    let isWithStoredPermission: Bool
}

/// The flow that fetches media tokens with a stored permission or a new one.
final class MediaTokens: Flow {
    private let refresh: Refresh?
    private let requests: Runs<PermissionRequest, Result<AuthorizationAnswer, TVEError>>

    init(_ logins: Logins, _ refresh: Refresh?) {
        self.refresh = refresh
        requests = Runs(logins.parts.listeners)
        super.init(logins)
    }

    /// Ends all running work because the session ends.
    func close() { requests.endAll(.failure(.authorizationCancelled)) }

    /// Returns a media token for this call only.
    ///
    /// - Parameter kept: the stored permission, if there is one.
    func token(
        for request: PermissionRequest, _ kept: KeptPermission?, on actor: isolated any Actor
    ) async throws(TVEError) -> GivenToken {
        let service = try providers.service(of: request.login.claims.providerID)
        if let kept, kept.decides {
            do throws(TVEError) {
                let token = try await token(for: kept.token, request, from: service)
                return GivenToken(token: token, authorization: kept.token, isWithStoredPermission: true)
            } catch {
                // The permission may have expired by the service's clock, which says nothing about the login, so a new
                // permission is requested.
                guard error.meansLoginIsOver else { throw error }
                logins.forget(kept.token, request.login)
            }
        }
        // A permission that decides has just been refused and forgotten. If the service grants the same one again, it
        // is a new one. A permission that only repeats the service's last answer is still stored.
        let stillKept = kept?.decides == true ? nil : kept
        let (outcome, isFirst) = await requests.answer(
            to: request, on: actor, ifLeft: .failure(.authorizationCancelled)
        ) { [self] _ in
            do throws(TVEError) {
                return .success(try await authorization(for: request, stillKept, from: service, on: actor))
            } catch {
                return .failure(error)
            }
        }
        // A failure to reach the provider is not a denial, so permits and permissions stay.
        if case .failure(let error) = outcome, error.code == .notAuthorized, error.recovery != .retry {
            logins.forget(request.resource, request.login)
            if let stillKept { logins.forget(stillKept.token, request.login) }
        }
        let answer = try outcome.get()
        // The call that sends the request receives the token in the answer. Calls that join it must fetch their own.
        let token =
            if let token = answer.mediaToken, isFirst { token } else {
                try await token(for: answer.token, request, from: service)
            }
        return GivenToken(token: token, authorization: answer.token, isWithStoredPermission: false)
    }

    nonisolated(nonsending) private func token(
        for authorization: AuthorizationToken, _ request: PermissionRequest, from service: any EntitlementService
    ) async throws(TVEError) -> MediaToken {
        do throws(ServiceError) {
            return try await service.mediaToken(for: authorization, data: request.data, request.login)
        } catch {
            throw TVEError(error, during: .authorization)
        }
    }

    private func authorization(
        for request: PermissionRequest, _ kept: KeptPermission?, from service: any EntitlementService,
        on actor: isolated any Actor
    ) async throws(TVEError) -> AuthorizationAnswer {
        let resource = request.resource
        let answer: AuthorizationAnswer
        do throws(ServiceError) {
            answer = try await service.authorization(
                for: resource, requestorID: parts.requestorID, data: request.data, request.login)
        } catch {
            throw TVEError(error, during: .authorization)
        }
        let token = answer.token
        guard parts.device.binding(of: token.claims.fingerprint) != .foreign else { throw .tokenOfOtherDevice }
        guard token.claims.requestorID == parts.requestorID, token.claims.mvpdID == request.login.claims.mvpdID,
            token.claims.resource.withLineFeeds == resource.withLineFeeds, logins.allowsPlay(token, from: service)
        else { throw .foreignToken }
        // If the service decides every play, its answer is usually the same as the last one. Each call checks at the
        // end whether the login is still stored.
        if kept?.token.text != token.text || answer.metadata != nil, !token.isExpired(at: parts.clock.now()),
            try logins.keep(token, metadata: answer.metadata, with: request.login)
        {
            refresh?.permissionGiven()
        }
        return answer
    }
}
