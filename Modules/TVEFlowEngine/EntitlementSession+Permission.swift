import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// What an authorization asks the service for: a permission, and the media token of one play.
extension EntitlementSession {
    /// A media token of this call's own, with a permission that is kept or asked for.
    func mediaToken(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?
    ) async throws(TVEError) -> (MediaToken, AuthorizationToken) {
        let service = try configuredServices().service(of: login.claims.providerID)
        let authorization: AuthorizationToken
        if let kept, !service.decidesEveryPlay {
            authorization = kept
        } else {
            // Whoever asks gets the token that comes along; those who join have to fetch theirs.
            let along = Guarded<MediaToken?>(nil)
            do throws(TVEError) {
                authorization = try await sharedAuthorization(for: resource, data, login, kept, along)
            } catch {
                if kept != nil, error.code == .notAuthorized { forgetAuthorization(for: resource, login) }
                throw error
            }
            if let token = along.withLock(\.self) { return (token, authorization) }
        }
        let token = try await served(.authorization) { () async throws(ServiceError) in
            try await service.mediaToken(for: authorization, data: data, login)
        }
        return (token, authorization)
    }

    /// A permission that was kept and that the service has taken back.
    private func forgetAuthorization(for resource: Resource, _ login: AuthenticationToken) {
        try? store.removeAuthorization(
            for: resource, requestorID: requestorID, mvpdID: login.claims.providerID)
    }

    /// Asks the service, together with everybody who asks the same at the same time.
    private func sharedAuthorization(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?, _ along: Guarded<MediaToken?>
    ) async throws(TVEError) -> AuthorizationToken {
        let question = AuthorizationQuestion(resource: resource, data: data, login: login.text)
        let flight = authorizations[question] ?? SingleFlight()
        authorizations[question] = flight
        let outcome = await flight.run { [self] in
            do throws(TVEError) {
                return .success(try await fetchAuthorization(for: resource, data, login, kept, along))
            } catch {
                return .failure(error)
            }
        }
        if flight.callers == 0, authorizations[question] === flight { authorizations[question] = nil }
        guard let outcome else {
            throw TVEError(.authorizationFailed, status: .authorizationFailed, message: "The call was cancelled.")
        }
        return try outcome.get()
    }

    private func fetchAuthorization(
        for resource: Resource, _ data: [String: MetadataValue], _ login: AuthenticationToken,
        _ kept: AuthorizationToken?, _ along: Guarded<MediaToken?>
    ) async throws(TVEError) -> AuthorizationToken {
        let service = try configuredServices().service(of: login.claims.providerID)
        let answer = try await served(.authorization) { () async throws(ServiceError) in
            try await service.authorization(for: resource, requestorID: requestorID, data: data, login)
        }
        let token = answer.token
        guard device.binding(of: token.claims.fingerprint) != .foreign else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        // A permission that is asked for anew before every play is good for this one, whatever our clock says.
        let isOver = token.isExpired(at: clock.now())
        guard token.claims.requestorID == requestorID, token.claims.mvpdID == login.claims.mvpdID,
            token.claims.resource == resource, !isOver || service.decidesEveryPlay
        else { throw Self.foreignToken }
        try checkIsStored(login)
        let mvpdID = login.claims.providerID
        let metadata = try answer.metadata.flatMap { metadata throws(TVEError) in
            // Metadata is replaced by newer metadata only.
            let known = try readable { () throws(StorageError) in
                try store.userMetadata(requestorID: requestorID, mvpdID: mvpdID)
            }
            return metadata.updated > known?.updated ?? .distantPast ? metadata : nil
        }
        // Asked before every play, a service mostly says the same as the last time.
        if metadata != nil || kept?.text != token.text, !isOver {
            try stored { () throws(StorageError) in try store.save(token, mvpdID: mvpdID, metadata: metadata) }
            if service.keepsLogins { metadataChanges.made += 1 }
        }
        along.withLock { $0 = answer.mediaToken }
        return token
    }
}
