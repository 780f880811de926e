import TVEModels
import TVENetworking
import TVETracking

/// The parameters of a call for permission.
struct PermissionParameters: Sendable {
    let resource: Resource
    /// The TV provider of the login; `nil` selects the provider that the viewer chose.
    var mvpdID: MVPDID?
    var data: [String: MetadataValue] = [:]
    /// The presenter that shows a login if the viewer is not logged in.
    ///
    /// With `nil`, the call fails in this case.
    var presenter: (any AuthenticationPresenter)?
}

/// The flow that obtains permission to play a resource now: it finds a login, sends a request to the service, and
/// answers with a media token.
final class Permission: Flow {
    /// A call that has not been answered yet.
    private struct Call {
        /// The provider of the login that the call uses; `nil` as long as no login was found.
        var mvpdID: MVPDID?
        var work: Attempt?
        /// The call for a login on behalf of this call, which ends with it.
        var login: CallID?
    }

    private let login: Login
    private let refresh: Refresh?
    private let tokens: MediaTokens
    private let callers = Callers<Result<MediaToken, TVEError>>()
    private var calls: [CallID: Call] = [:]

    init(_ logins: Logins, login: Login, refresh: Refresh?) {
        self.login = login
        self.refresh = refresh
        tokens = MediaTokens(logins, refresh)
        super.init(logins)
    }

    // MARK: - Calls

    /// Requests permission and waits for the answer; see ``EntitlementSession/authorize(_:data:using:)``.
    ///
    /// - Parameter answer: a closure that receives the answer before anything else happens on the actor.
    func authorize(
        _ parameters: PermissionParameters, on actor: isolated any Actor,
        answer: @escaping (Result<MediaToken, TVEError>) -> Void
    ) async -> Result<MediaToken, TVEError> {
        let onAnswer = { [reports] (result: Result<MediaToken, TVEError>) in
            answer(result)
            reports.notify(result, about: parameters.resource)
        }
        return await callers.wait(on: actor, onAnswer: onAnswer) { call in
            begin(call, parameters, on: actor)
        } leave: { [self] call in
            end(call, .failure(.authorizationCancelled), on: actor)
        }
    }

    private func begin(_ id: CallID, _ parameters: PermissionParameters, on actor: isolated any Actor) {
        guard parts.isOpen else { return callers.answer([id], .failure(.sessionIsClosed)) }
        // A stored login is read in the turn of the call, so that a later choice of a provider does not change it. An
        // error is encountered again by the work, which reports it.
        let stored = parameters.resource.text.isEmpty ? nil : logins.readable(with: parameters.mvpdID)
        calls[id] = Call(mvpdID: stored?.claims.providerID ?? parameters.mvpdID)
        calls[id]?.work = Attempt(Ticket(parts.listeners), on: actor) { [self] ticket in
            await answer(to: id, parameters, with: stored, under: ticket, on: actor)
        } ended: { [self] answer in
            end(id, answer, on: actor)
        }
    }

    /// Answers a call.
    ///
    /// Work that was begun for it ends in the same turn.
    private func end(_ id: CallID, _ answer: Result<MediaToken, TVEError>, on actor: isolated any Actor) {
        guard let call = calls.removeValue(forKey: id) else { return }
        call.work?.stop()
        callers.answer([id], answer)
        if calls.isEmpty { refresh?.playAnswered() }
        if let login = call.login { self.login.leave(login, on: actor) }
    }

    // MARK: - Events of the session

    /// Answers every call when the viewer logs out, before the logout is announced.
    ///
    /// - Parameter mvpdID: the only provider whose login ends, or `nil` to end all logins.
    func loggedOut(of mvpdID: MVPDID?, on actor: isolated any Actor) {
        let chosen = try? logins.chosenProvider()
        for id in calls.keys.sorted() where mvpdID == nil || (calls[id]?.mvpdID ?? chosen) == mvpdID {
            trackFailure(.loggedOutMeanwhile)
            end(id, .failure(.loggedOutMeanwhile), on: actor)
        }
    }

    /// Ends all running work because the session ends.
    func close(on actor: isolated any Actor) {
        for id in calls.keys.sorted() { end(id, .failure(.authorizationCancelled), on: actor) }
        tokens.close()
    }

    private func trackFailure(_ error: TVEError) {
        reports.track(.authorization(TrackedAuthorization(login: nil, error: error.code.rawValue)))
    }

    // MARK: - Work

    /// Finds a login and requests permission, with another login if the first one has ended in the meantime.
    ///
    /// - Parameter login: the login that was stored when the call arrived, or `nil` if it must be looked up.
    private func answer(
        to id: CallID, _ parameters: PermissionParameters, with login: AuthenticationToken?, under ticket: Ticket,
        on actor: isolated any Actor
    ) async -> Result<MediaToken, TVEError> {
        // At most three tries: with a login whose copy is no longer valid, with the stored or a new login, and once
        // more if that login has ended meanwhile.
        var found = login
        var isFirst = true
        var mayBeUnconfirmed = true
        repeat {
            let login: AuthenticationToken
            do throws(TVEError) {
                login =
                    if let found { found } else {
                        try await self.login(for: id, parameters, mayBeUnconfirmed: mayBeUnconfirmed, on: actor)
                    }
            } catch {
                if ticket.isValid { trackFailure(error) }
                return .failure(error)
            }
            guard ticket.isValid else { break }
            calls[id]?.mvpdID = login.claims.providerID
            let isConfirmed = logins.isValid(login)
            do throws(TVEError) {
                return .success(
                    try await permission(for: parameters, login, isConfirmed: isConfirmed, under: ticket, on: actor))
            } catch {
                found = nil
                calls[id]?.mvpdID = parameters.mvpdID
                if !isConfirmed, mayBeUnconfirmed, error.meansLoginIsOver {
                    mayBeUnconfirmed = false
                    continue
                }
                // Once more, with another login. A logout on this device has ended the call itself, because a second
                // attempt would log in a viewer who has just logged out.
                let hasOtherLogin = (try? logins.valid(with: parameters.mvpdID)) != nil
                guard isFirst, error.meansLoginIsOver, parameters.presenter != nil || hasOtherLogin else {
                    return .failure(error)
                }
                isFirst = false
            }
        } while ticket.isValid
        return .failure(.authorizationCancelled)
    }

    /// Requests permission with a login, and removes the login if the service has ended it.
    ///
    /// - Parameter isConfirmed: a Boolean value that indicates whether the copy of the login is valid. Otherwise
    ///   nothing is known about a login, and the service decides.
    private func permission(
        for parameters: PermissionParameters, _ login: AuthenticationToken, isConfirmed: Bool, under ticket: Ticket,
        on actor: isolated any Actor
    ) async throws(TVEError) -> MediaToken {
        let resource = parameters.resource
        var tracked = TrackedLogin(logins.profile(of: login), isCached: false)
        do throws(TVEError) {
            let kept = try logins.keptPermission(for: resource, login)
            tracked.isCached = kept?.decides == true
            let given = try await tokens.token(
                for: PermissionRequest(resource: resource, data: parameters.data, login: login), kept, on: actor)
            guard ticket.isValid else { throw .authorizationCancelled }
            // The service may have refused the stored permission and granted a new one.
            tracked.isCached = given.isWithStoredPermission
            let token = given.token
            guard token.claims.requestorID == parts.requestorID,
                token.claims.resource.withLineFeeds == resource.withLineFeeds
            else { throw .foreignToken }
            try logins.checkIsNotLoggedOut(login)
            reportSpecialPermission(given.authorization, with: login, for: resource)
            reports.track(.authorization(TrackedAuthorization(login: tracked)))
            return token
        } catch {
            guard ticket.isValid else { throw error }
            // A stored permission that the service has refused was removed, so the event reports that none was used.
            if tracked.isCached { tracked.isCached = (try? logins.keptPermission(for: resource, login)) != nil }
            if !error.meansLoginIsOver {
                reportDenial(error, with: login, for: resource)
            } else {
                // The status is the same as before the request: nobody is logged in.
                guard isConfirmed else { throw error }
                do throws(TVEError) {
                    let isOfChoice =
                        if let mvpdID = parameters.mvpdID { try logins.chosenProvider() == mvpdID } else { true }
                    if try logins.removeEnded(login), isOfChoice { reports.announce(failure: error) }
                } catch {
                    throw reports.reported(error, resource: resource)
                }
            }
            let outcome = TrackedAuthorization(login: tracked, error: error.code.rawValue, details: error.statusMessage)
            reports.track(.authorization(outcome))
            throw error
        }
    }

    /// Returns the login to authorize with: the current login or a new one.
    ///
    /// Errors that this method throws have already been reported, unless the call already has its answer.
    ///
    /// - Parameter mayBeUnconfirmed: a Boolean value that indicates whether a login whose copy is no longer valid may
    ///   be tried before a new login.
    private func login(
        for id: CallID, _ parameters: PermissionParameters, mayBeUnconfirmed: Bool, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationToken {
        do throws(TVEError) {
            let current = try await currentLogin(for: parameters, mayBeUnconfirmed: mayBeUnconfirmed, on: actor)
            if let current { return current }
        } catch {
            throw reported(error, to: id, parameters.resource)
        }
        if let presenter = parameters.presenter {
            try await newLogin(for: id, LoginParameters(data: parameters.data, presenter: presenter), on: actor)
            if let login = try logins.valid() { return login }
        }
        do throws(TVEError) {
            let cause = try logins.errorForMissingLogin()
            throw cause.code == .temporaryAccessExpired ? cause : .nobodyIsLoggedIn
        } catch {
            throw reported(error, to: id, parameters.resource)
        }
    }

    /// Returns the login that the device or the service has for a call, or `nil` if the viewer must log in.
    private func currentLogin(
        for parameters: PermissionParameters, mayBeUnconfirmed: Bool, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationToken? {
        guard !parameters.resource.text.isEmpty else {
            throw TVEError(.invalidResource, status: .invalidResource, message: "The resource is empty.")
        }
        if let mvpdID = parameters.mvpdID {
            return try await logins.login(with: mvpdID, data: parameters.data, during: .authorization, on: actor)
        }
        if let login = try await logins.valid(on: actor) { return login }
        // A TempPass that was just chosen may be about to log the viewer in. If a copy has expired, the service may
        // have a newer login.
        await login.tempPassSettled()
        if (try? logins.stored(with: logins.chosenProvider())) != nil || logins.isTempPassChosen {
            await refresh?.now(on: actor)
        }
        if let login = try logins.valid() { return login }
        return try mayBeUnconfirmed ? logins.unconfirmed() : nil
    }

    /// Shows a login on behalf of a call.
    ///
    /// The login ends with the call.
    private func newLogin(
        for id: CallID, _ parameters: LoginParameters, on actor: isolated any Actor
    ) async throws(TVEError) {
        guard calls[id] != nil else { throw .authorizationCancelled }
        let answer = await login.authenticate(parameters, on: actor) { calls[id]?.login = $0 }
        calls[id]?.login = nil
        _ = try answer.get()
    }

    // MARK: - Reports

    /// Reports an error and returns it.
    ///
    /// Nothing is reported about a call that already has its answer.
    private func reported(_ error: TVEError, to id: CallID, _ resource: Resource) -> TVEError {
        calls[id] == nil ? error : reports.reported(error, resource: resource)
    }

    /// Reports a permission that did not come from the viewer's plan (API reference, rows AZ9 and AZ10).
    private func reportSpecialPermission(
        _ authorization: AuthorizationToken, with login: AuthenticationToken, for resource: Resource
    ) {
        if authorization.claims.authorizesAll || login.claims.isDegraded {
            reports.status(
                StatusEvent(.authorizedByDegradation, message: "The TV provider is degraded.", resource: resource))
        } else if providers.isTempPass(login) {
            reports.status(StatusEvent(.authorizedByTempPass, message: "Authorized by a TempPass.", resource: resource))
        }
    }

    /// Reports a denial.
    ///
    /// A TempPass has expired or is used up if the denial says so (API reference, row TP4). A code without an
    /// explanation is that of the classic services, which deny a TempPass for no other reason.
    private func reportDenial(_ error: TVEError, with login: AuthenticationToken, for resource: Resource) {
        _ = reports.reported(error, resource: resource)
        guard case .denied(let denial)? = error.underlying as? ServiceError, providers.isTempPass(login),
            denial.reason == .temporaryAccessOver
                || denial.reason == .provider && denial.explanation == nil && !denial.code.isEmpty
        else { return }
        _ = reports.reported(denial.isAboutResourcesOfTempPass ? .tempPassUsedUp : .tempPassExpired, resource: resource)
        logins.removeEnded(login, after: error)
    }
}
