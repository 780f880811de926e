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
        do throws(TVEError) {
            return try await attempt(resource, presenter)
        } catch {
            // The service ended the login in the middle. Whoever can log in tries once more, and only once.
            guard let presenter, Self.isEndedLogin(error) else { throw error }
            return try await attempt(resource, presenter)
        }
    }

    private static func isEndedLogin(_ error: TVEError) -> Bool {
        if case .pendingLogout? = error.underlying as? ServiceError { return true }
        return false
    }

    private func attempt(
        _ resource: Resource, _ presenter: (any AuthenticationPresenter)?
    ) async throws(TVEError) -> MediaToken {
        let login: AuthenticationToken
        do throws(TVEError) {
            login = try await self.login(for: resource, presenter)
        } catch {
            track(.authorization(TrackedAuthorization(login: nil, error: error.code.rawValue)))
            throw error
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
            try check(token, isFor: authorization)
            track(.authorization(TrackedAuthorization(login: tracked)))
            return token
        } catch {
            if Self.isEndedLogin(error) {
                try stored { () throws(StorageError) in try store.removeEntitlements(of: requestorID) }
                announcedFailure(error)
            } else {
                _ = reported(error, resource: resource)
            }
            let outcome = TrackedAuthorization(login: tracked, error: error.code.rawValue, details: error.message)
            track(.authorization(outcome))
            throw error
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
        let kept = try stored { () throws(StorageError) in
            do throws(StorageError) {
                return try store.authorizationToken(
                    for: resource, requestorID: requestorID, mvpdID: login.claims.mvpdID)
            } catch .invalidValue(_) {
                return nil
            }
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
            try await service.authorization(for: resource, login)
        }
        guard device.binding(of: token.claims.fingerprint) != .foreign else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        guard token.claims.requestorID == requestorID, token.claims.mvpdID == login.claims.mvpdID,
            token.claims.resource == resource, !token.isExpired(at: clock.now())
        else { throw Self.foreignToken }
        try stored { () throws(StorageError) in
            // Metadata is replaced by newer metadata only.
            let kept = try store.userMetadata(requestorID: requestorID, mvpdID: login.claims.mvpdID)
            let isNewer = metadata.map { $0.updated > kept?.updated ?? .distantPast } ?? false
            try store.save(token, metadata: isNewer ? metadata : nil)
        }
        return token
    }

    private func check(_ token: MediaToken, isFor authorization: AuthorizationToken) throws(TVEError) {
        guard token.claims.requestorID == requestorID, token.claims.resource == authorization.claims.resource else {
            throw Self.foreignToken
        }
    }

    private static let foreignToken = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The service sent a token for something else.")
}
