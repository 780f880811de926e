import Foundation
import TVEDeviceBinding
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Asks for permission to play a resource now.
    ///
    /// A kept AuthZ token for exactly this resource is used while it lasts; the media token is fetched anew every time.
    ///
    /// - Parameters:
    ///   - resource: what the viewer wants to watch.
    ///   - presenter: shows a login when nobody is logged in; with nil the call fails then.
    /// - Returns: the media token. Give it to the playback back end at once; it is not stored.
    /// - Throws: `TVEError`: `notAuthorized` with the provider's text, `notAuthenticated`, `deviceMismatch`,
    ///   `invalidResource`, `authorizationFailed`, `throttled`, `serviceUnreachable`, `serviceFailed`, `storageFailed`,
    ///   and with a presenter whatever ``authenticate(using:isForced:)`` throws (API reference, rows AZ1 to AZ19).
    public func authorize(
        _ resource: Resource, using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) -> MediaToken {
        do throws(AuthorizationFailure) {
            return try await attempt(resource, presenter)
        } catch {
            // The login ended in the middle. Whoever has another one, or may ask for one, tries once more; only once.
            let canRetry = presenter != nil || (try? validLogin()) ?? nil != nil
            guard error.isEndedLogin, canRetry else { throw error.cause }
        }
        do throws(AuthorizationFailure) {
            return try await attempt(resource, presenter)
        } catch {
            throw error.cause
        }
    }

    private func attempt(
        _ resource: Resource, _ presenter: (any AuthenticationPresenter)?
    ) async throws(AuthorizationFailure) -> MediaToken {
        let login: AuthenticationToken
        do throws(TVEError) {
            login = try await self.login(for: resource, presenter)
        } catch {
            track(.authorization(TrackedAuthorization(login: nil, error: error.code.rawValue)))
            throw AuthorizationFailure(cause: error)
        }
        var tracked = TrackedLogin(profile(of: login), isCached: false)
        do throws(TVEError) {
            let kept = try keptAuthorization(for: resource, login)
            tracked.isCached = kept != nil
            let authorization: AuthorizationToken
            if let kept {
                authorization = kept
            } else {
                authorization = try await fetchAuthorization(for: resource, login)
            }
            let token = try await served(.authorization) { () async throws(ServiceError) in
                try await service.mediaToken(for: authorization, login)
            }
            guard token.claims.requestorID == requestorID, token.claims.resource == resource else {
                throw Self.foreignToken
            }
            try checkIsStored(login)
            track(.authorization(TrackedAuthorization(login: tracked)))
            return token
        } catch {
            let failure = AuthorizationFailure(error, isLoginStored: isStored(login))
            if failure.mustWipe {
                do throws(TVEError) {
                    try stored { () throws(StorageError) in
                        try store.removeEntitlements(of: requestorID)
                        // A shared login is dead for the requestor it was made for as well.
                        if login.claims.requestorID != requestorID {
                            try store.removeEntitlements(of: login.claims.requestorID)
                        }
                    }
                } catch {
                    throw AuthorizationFailure(cause: reported(error, resource: resource))
                }
                announcedFailure(error)
            } else if !failure.isEndedLogin {
                _ = reported(error, resource: resource)
            }
            let outcome = TrackedAuthorization(login: tracked, error: error.code.rawValue, details: error.message)
            track(.authorization(outcome))
            throw failure
        }
    }

    /// The login to authorize with: the one at hand, or a new one.
    ///
    /// What fails here has reported itself.
    private func login(
        for resource: Resource, _ presenter: (any AuthenticationPresenter)?
    ) async throws(TVEError) -> AuthenticationToken {
        guard !resource.text.isEmpty else {
            let empty = TVEError(.invalidResource, status: .invalidResource, message: "The resource is empty.")
            throw reported(empty, resource: resource)
        }
        do throws(TVEError) {
            if let login = try validLogin() { return login }
        } catch {
            throw reported(error, resource: resource)
        }
        if let presenter {
            try await authenticate(using: presenter)
            if let login = try validLogin() { return login }
        }
        // Asking without being logged in is no status of its own (API reference, row AZ1).
        throw TVEError(.notAuthenticated, message: "Nobody is logged in.")
    }

    private func keptAuthorization(
        for resource: Resource, _ login: AuthenticationToken
    ) throws(TVEError) -> AuthorizationToken? {
        let kept = try readable { () throws(StorageError) in
            try store.authorizationToken(for: resource, requestorID: requestorID, mvpdID: login.claims.providerID)
        }
        guard let kept, !kept.isExpired(at: clock.now()), device.binding(of: kept.claims.fingerprint) != .foreign else {
            return nil
        }
        return kept
    }

    private func fetchAuthorization(
        for resource: Resource, _ login: AuthenticationToken
    ) async throws(TVEError) -> AuthorizationToken {
        let (token, metadata) = try await served(.authorization) { () async throws(ServiceError) in
            try await service.authorization(for: resource, requestorID: requestorID, login)
        }
        guard device.binding(of: token.claims.fingerprint) != .foreign else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        guard token.claims.requestorID == requestorID, token.claims.mvpdID == login.claims.mvpdID,
            token.claims.resource == resource, !token.isExpired(at: clock.now())
        else { throw Self.foreignToken }
        try checkIsStored(login)
        let mvpdID = login.claims.providerID
        // Metadata is replaced by newer metadata only.
        let known = try readable { () throws(StorageError) in
            try store.userMetadata(requestorID: requestorID, mvpdID: mvpdID)
        }
        let isNewer = metadata.map { $0.updated > known?.updated ?? .distantPast } ?? false
        try stored { () throws(StorageError) in
            try store.save(token, mvpdID: mvpdID, metadata: isNewer ? metadata : nil)
        }
        return token
    }

    /// Whether a login is still the stored one: while a call waited for the service, a logout may have removed it.
    private func isStored(_ login: AuthenticationToken) -> Bool {
        let stored = try? store.authenticationToken(
            requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
        return stored?.text == login.text
    }

    private func checkIsStored(_ login: AuthenticationToken) throws(TVEError) {
        guard isStored(login) else {
            throw TVEError(.notAuthenticated, message: "The viewer has logged out meanwhile.")
        }
    }

    private static let foreignToken = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The service sent a token for something else.")
}
