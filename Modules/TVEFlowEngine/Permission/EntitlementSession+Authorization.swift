import Foundation
import TVEDeviceBinding
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Asks for permission to play a resource now.
    ///
    /// A stored AuthZ token for exactly this resource is used until it expires; equal questions at the same time share
    /// one request. Every call fetches its own media token, which works once.
    ///
    /// - Parameters:
    ///   - resource: what the viewer wants to watch.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    ///   - presenter: shows a login when the viewer is not logged in; with nil the call fails then.
    /// - Returns: the media token. Send it to the playback back end at once; it is not stored.
    /// - Throws: `TVEError`: `notAuthorized` with the provider's text, `notAuthenticated`, `deviceMismatch`,
    ///   `temporaryAccessExpired`, `invalidResource`, `authorizationFailed`, `throttled`, `serviceUnreachable`,
    ///   `serviceFailed`, `storageFailed`, and with a presenter everything that
    ///   ``authenticate(using:isForced:data:filter:)`` throws (API reference, rows AZ1 to AZ20).
    public func authorize(
        _ resource: Resource, data: [String: MetadataValue] = [:],
        using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) -> MediaToken {
        try await authorize(resource, data: data, using: presenter, loginEnded: { _ in }, answer: { _ in })
    }

    /// Asks for permission to play a resource now with the login of one TV provider, whichever is chosen: for example
    /// with a TempPass beside the viewer's own login.
    ///
    /// The chosen provider and its login stay as they are. A service that keeps the logins is asked for one with this
    /// provider if none is stored, and what it answers is stored beside the others; no page is shown. The classic dialect
    /// has one login at a time: there the call fails with `notAuthenticated` unless it is with this provider.
    ///
    /// - Parameters:
    ///   - resource: what the viewer wants to watch.
    ///   - mvpdID: the TV provider of the login.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    /// - Returns: the media token. Send it to the playback back end at once; it is not stored.
    /// - Throws: `TVEError`: what ``authorize(_:data:using:)`` throws without a presenter, and `unknownProvider`.
    public func authorize(
        _ resource: Resource, as mvpdID: MVPDID, data: [String: MetadataValue] = [:]
    ) async throws(TVEError) -> MediaToken {
        try await authorize(resource, as: mvpdID, data: data, using: nil, loginEnded: { _ in }, answer: { _ in })
    }

    /// The same, for a facade that reports the outcome to the app.
    ///
    /// - Parameters:
    ///   - resource: see ``authorize(_:data:using:)``, as `data` and `presenter`.
    ///   - mvpdID: the TV provider of the login; nil for that of the viewer's choice.
    ///   - data: see there.
    ///   - presenter: see there.
    ///   - loginEnded: is called with the outcome of a login that was shown for this call.
    ///   - tell: is called with the answer.
    @discardableResult
    package func authorize(
        _ resource: Resource, as mvpdID: MVPDID? = nil, data: [String: MetadataValue],
        using presenter: (any AuthenticationPresenter)?,
        loginEnded: @escaping @Sendable (AuthenticationStatus) -> Void,
        answer tell: @escaping @Sendable (Result<MediaToken, TVEError>) -> Void
    ) async throws(TVEError) -> MediaToken {
        try await measured(.authorize) { () async throws(TVEError) in
            guard listeners.isOpen else {
                tell(.failure(.sessionIsClosed))
                throw .sessionIsClosed
            }
            let answer = await answer { call, waiting in
                permissionFlow.calls[call] = PermissionCall(
                    resource: resource, mvpdID: mvpdID, data: data, presenter: presenter, loginEnded: loginEnded,
                    tell: tell, waiting: waiting)
                // Mostly a login is stored. An error is met again by the work, which reports it.
                let login = resource.text.isEmpty ? nil : (try? validLogin(of: mvpdID)) ?? nil
                permissionFlow.calls[call]?.work = Task { await work(on: call, with: login) }
            } leave: { session, call in
                session.end(call, .left)
            }
            return try answer.get()
        }
    }

    // MARK: - Calls

    /// Ends every call for permission.
    func endPermissions(_ end: PermissionEnd) {
        for call in permissionFlow.calls.keys.sorted(by: { $0.number < $1.number }) { self.end(call, end) }
    }

    private func end(_ call: CallID, _ end: PermissionEnd) {
        permissionFlow.calls[call]?.work?.cancel()
        switch end {
        case .loggedOut:
            if permissionFlow.calls[call] != nil { trackFailure(.loggedOutMeanwhile) }
            settle(call, .failure(.loggedOutMeanwhile))
        case .left: settle(call, .failure(.authorizationCancelled))
        }
    }

    /// Answers a call, unless it was answered before.
    private func settle(_ call: CallID, _ answer: Result<MediaToken, TVEError>) {
        guard let call = permissionFlow.calls.removeValue(forKey: call) else { return }
        call.tell(answer)
        call.waiting.resume(returning: answer)
    }

    private func trackFailure(_ error: TVEError) {
        track(.authorization(TrackedAuthorization(login: nil, error: error.code.rawValue)))
    }

    /// Finds a login and asks for permission, with another login if the first one ended meanwhile.
    ///
    /// - Parameter login: the login that was stored when the call came; nil when it must be looked for.
    private func work(on id: CallID, with login: AuthenticationToken?) async {
        guard let call = permissionFlow.calls[id] else { return }
        var found = login
        for isFirst in [true, false] {
            let login: AuthenticationToken
            do throws(TVEError) {
                login = if let found { found } else { try await self.login(for: call, named: id) }
            } catch {
                guard !Task.isCancelled else { return }
                trackFailure(error)
                return settle(id, .failure(error))
            }
            guard !Task.isCancelled else { return }
            do throws(PermissionRefusal) {
                return settle(id, .success(try await permission(for: call, login)))
            } catch {
                guard !Task.isCancelled else { return }
                guard error.allowsAnotherTry(isFirst: isFirst, mayShowLogin: call.presenter != nil) else {
                    return settle(id, .failure(error.error))
                }
                found = nil
            }
        }
    }

    private func permission(
        for call: PermissionCall, _ login: AuthenticationToken
    ) async throws(PermissionRefusal) -> MediaToken {
        let resource = call.resource
        var tracked = TrackedLogin(profile(of: login), isCached: false)
        do throws(TVEError) {
            let kept = try keptAuthorization(for: resource, login)
            tracked.isCached = kept != nil
            let (token, authorization) = try await mediaToken(for: resource, call.data, login, kept)
            guard token.claims.requestorID == requestorID, token.claims.resource == resource else {
                throw Self.foreignToken
            }
            try checkIsHeld(login)
            reportSpecialPermission(authorization, login, resource)
            track(.authorization(TrackedAuthorization(login: tracked)))
            return token
        } catch {
            guard !Task.isCancelled else { throw PermissionRefusal(error: error) }
            var refusal = PermissionRefusal(error: error, isLoginOver: error.meansLoginIsOver)
            if !refusal.isLoginOver {
                reportDenial(error, login, resource)
            } else {
                do throws(TVEError) {
                    if try isStored(login) {
                        let isOfChoice = if let mvpdID = call.mvpdID { try currentProvider() == mvpdID } else { true }
                        try wipe(login)
                        if isOfChoice { announcedFailure(refusal.error) }
                    }
                } catch {
                    throw PermissionRefusal(error: reported(error, resource: resource))
                }
            }
            let outcome = TrackedAuthorization(login: tracked, error: error.code.rawValue, details: error.statusMessage)
            track(.authorization(outcome))
            refusal.hasOtherLogin = (try? validLogin(of: call.mvpdID)) ?? nil != nil
            throw refusal
        }
    }

    /// The login to authorize with: the current one, or a new one.
    ///
    /// An error that is thrown here was already reported.
    private func login(for call: PermissionCall, named id: CallID) async throws(TVEError) -> AuthenticationToken {
        let resource = call.resource
        guard !resource.text.isEmpty else {
            let empty = TVEError(.invalidResource, status: .invalidResource, message: "The resource is empty.")
            throw reported(empty, resource: resource)
        }
        do throws(TVEError) {
            if let mvpdID = call.mvpdID { return try await login(with: mvpdID, call.data) }
            if let login = try validLogin() { return login }
        } catch {
            throw reported(error, resource: resource)
        }
        // A TempPass that was just chosen may be about to log the viewer in; and where a copy has expired, the service
        // may have a newer login.
        await tempPassSettled()
        if (try? storedLogin(with: currentProvider())) ?? nil != nil { await refreshLogins(isAnnounced: false) }
        do throws(TVEError) {
            if let login = try validLogin() { return login }
        } catch {
            throw reported(error, resource: resource)
        }
        if let presenter = call.presenter {
            _ = try await authenticate(
                using: presenter, isForced: false, data: call.data, filter: nil, isForPermission: true
            ) { session, status in
                // A call that was already answered is not told about the login.
                if session.permissionFlow.calls[id] != nil { call.loginEnded(status) }
            }
            if let login = try validLogin() { return login }
        }
        let reason: TVEError
        do throws(TVEError) {
            reason = try notAuthenticatedError()
        } catch {
            throw reported(error, resource: resource)
        }
        if reason.code == .temporaryAccessExpired { throw reported(reason, resource: resource) }
        throw .nobodyIsLoggedIn
    }

    /// Reports a permission that did not come from the viewer's plan (API reference, rows AZ9 and AZ10).
    private func reportSpecialPermission(
        _ authorization: AuthorizationToken, _ login: AuthenticationToken, _ resource: Resource
    ) {
        if authorization.claims.authorizesAll || login.claims.isDegraded {
            listeners.emit(
                .status(
                    StatusEvent(.authorizedByDegradation, message: "The TV provider is degraded.", resource: resource)))
        } else if isTempPass(login) {
            listeners.emit(
                .status(StatusEvent(.authorizedByTempPass, message: "Authorized by a TempPass.", resource: resource)))
        }
    }

    /// A TempPass that denies has expired (API reference, row TP4).
    private func reportDenial(_ error: TVEError, _ login: AuthenticationToken, _ resource: Resource) {
        _ = reported(error, resource: resource)
        guard error.code == .notAuthorized, isTempPass(login) else { return }
        _ = reported(TVEError.tempPassExpired, resource: resource)
    }

    /// Removes everything of a login that has ended, also of the requestor it was made for.
    private func wipe(_ login: AuthenticationToken) throws(TVEError) {
        let isWithoutAccount = isWithoutAccount(login)
        try changeLogin { [requestorID] entitlements throws(StorageError) in
            // Another process may have logged in again.
            guard try entitlements.contains(login) else { return }
            // Where the service keeps the logins, only this one has ended; the next one must be new. Without an account
            // there is no viewer to ask again, so that the service can be asked once more at any time.
            if login.isCopy, isWithoutAccount {
                return try entitlements.removeCopy(
                    requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
            }
            if login.isCopy { return try entitlements.end(login) }
            try entitlements.removeEntitlements(of: requestorID)
            guard login.claims.requestorID != requestorID else { return }
            try entitlements.removeEntitlements(of: login.claims.requestorID)
        }
    }

    /// Removes a login that the service has ended, if the error says so and the login is still stored.
    func endLogin(_ login: AuthenticationToken, ifEndedBy error: TVEError) throws(TVEError) {
        if error.meansLoginIsOver, try isStored(login) { try wipe(login) }
    }

    func keptAuthorization(
        for resource: Resource, _ login: AuthenticationToken
    ) throws(TVEError) -> AuthorizationToken? {
        let kept = try readIfReadable {
            try $0.authorizationToken(for: resource, requestorID: requestorID, mvpdID: login.claims.providerID)
        }
        guard let kept, !kept.isExpired(at: clock.now()), device.binding(of: kept.claims.fingerprint) != .foreign else {
            return nil
        }
        return kept
    }

    /// Whether a login is still stored: while a call waited for the service, a logout may have removed it.
    private func isStored(_ login: AuthenticationToken) throws(TVEError) -> Bool {
        try read { try $0.contains(login) }
    }

    /// Checks that a login, or another copy of it, is still stored.
    func checkIsHeld(_ login: AuthenticationToken) throws(TVEError) {
        guard try read({ try $0.holds(login, for: requestorID) }) else { throw .loggedOutMeanwhile }
    }

    static let foreignToken = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The service sent a token for another request.")
}
