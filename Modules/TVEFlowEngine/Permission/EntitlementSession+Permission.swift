import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// What an authorization asks the service for: a permission, and the media token for one playback.
extension EntitlementSession {
    /// A media token for this call only, with a stored or a new permission.
    func mediaToken(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?
    ) async throws(TVEError) -> (MediaToken, AuthorizationToken) {
        let service = try service(of: login.claims.providerID)
        if let kept, !service.decidesEveryPlay {
            do throws(TVEError) {
                return (try await mediaToken(for: kept, data, login, service), kept)
            } catch {
                // By the service's clock the permission may have expired, which says nothing about the login: a new one
                // is requested.
                guard error.meansLoginIsOver else { throw error }
                forgetAuthorization(kept, login)
            }
        }
        // The call that asks gets the token in the answer; calls that join have to fetch theirs.
        let along = Guarded<MediaToken?>(nil)
        let authorization: AuthorizationToken
        do throws(TVEError) {
            authorization = try await sharedAuthorization(for: resource, data, login, kept, along)
        } catch {
            if let kept, error.code == .notAuthorized { forgetAuthorization(kept, login) }
            throw error
        }
        if let token = along.withLock(\.self) { return (token, authorization) }
        return (try await mediaToken(for: authorization, data, login, service), authorization)
    }

    private func mediaToken(
        for authorization: AuthorizationToken, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ service: any EntitlementService
    ) async throws(TVEError) -> MediaToken {
        try await ask(during: .authorization) { () async throws(ServiceError) in
            try await service.mediaToken(for: authorization, data: data, login)
        }
    }

    /// Removes a stored permission that the service has revoked.
    private func forgetAuthorization(_ kept: AuthorizationToken, _ login: AuthenticationToken) {
        let (resource, mvpdID) = (kept.claims.resource, login.claims.providerID)
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            // The permission of another viewer, who logged in in the meantime, stays.
            let present = try entitlements.authorizationToken(for: resource, requestorID: requestorID, mvpdID: mvpdID)
            guard present?.text == kept.text else { return }
            try entitlements.removeAuthorization(for: resource, requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    /// Asks the service; calls with the same question at the same time share one request.
    private func sharedAuthorization(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?, _ along: Guarded<MediaToken?>
    ) async throws(TVEError) -> AuthorizationToken {
        let question = AuthorizationQuestion(resource: resource, data: data, login: login.text)
        let outcome = await permissionFlow.questions.ask(question) { [self] in
            do throws(TVEError) {
                return .success(try await fetchAuthorization(for: resource, data, login, kept, along))
            } catch {
                return .failure(error)
            }
        }
        return try (outcome ?? .failure(.authorizationCancelled)).get()
    }

    private func fetchAuthorization(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?, _ along: Guarded<MediaToken?>
    ) async throws(TVEError) -> AuthorizationToken {
        let service = try service(of: login.claims.providerID)
        let answer = try await ask(during: .authorization) { () async throws(ServiceError) in
            try await service.authorization(for: resource, requestorID: requestorID, data: data, login)
        }
        let token = answer.token
        guard device.binding(of: token.claims.fingerprint) != .foreign else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        // A permission that is requested before every playback is valid for this one, whatever our clock says.
        let isOver = token.isExpired(at: clock.now())
        guard token.claims.requestorID == requestorID,
            token.claims.mvpdID == login.claims.mvpdID,
            token.claims.resource == resource, !isOver || service.decidesEveryPlay
        else { throw Self.foreignToken }
        // Where the service is asked before every playback, its answer is mostly the same as the last one.
        let isNew = kept?.text != token.text && !isOver
        let metadata = isOver ? nil : answer.metadata
        // Each call looks at the end whether the login is still stored.
        if isNew || metadata != nil, try keep(token, metadata, login, isNew: isNew), service.keepsLogins {
            handle(ProfileCopiesEvent.permissionGiven)
        }
        along.withLock { $0 = answer.mediaToken }
        return token
    }

    /// Stores a permission with the login that it was given to, and with no other.
    ///
    /// A permission is a copy of what the service has said. One that cannot be stored is requested again for the next play,
    /// and this one goes on.
    ///
    /// - Returns: whether anything was stored.
    private func keep(
        _ token: AuthorizationToken, _ metadata: UserMetadata?, _ login: AuthenticationToken, isNew: Bool
    ) throws(TVEError) -> Bool {
        let mvpdID = login.claims.providerID
        let isKept: Bool?
        do throws(TVEError) {
            isKept = try change { [requestorID] entitlements throws(StorageError) in
                guard try entitlements.holds(login, for: requestorID) else { return nil }
                // Metadata is replaced by newer metadata only.
                let known = (try? entitlements.userMetadata(requestorID: requestorID, mvpdID: mvpdID))?.updated
                let newer = metadata.flatMap { $0.updated > known ?? .distantPast ? $0 : nil }
                guard isNew || newer != nil else { return false }
                try entitlements.save(token, mvpdID: mvpdID, metadata: newer)
                return true
            }
        } catch {
            return false
        }
        guard let isKept else { throw .loggedOutMeanwhile }
        return isKept
    }
}
