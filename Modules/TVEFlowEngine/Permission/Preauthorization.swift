import Foundation
import TVEModels
import TVENetworking

/// The flow that decides which resources the viewer may watch, from stored decisions or from the service's answer.
final class Preauthorization: Flow {
    /// The values that identify a request.
    ///
    /// Simultaneous requests with equal values are sent once.
    private struct Request: Hashable {
        var resources: [Resource]
        /// The resources that the service has already permitted to the login.
        var permitted: Set<Resource>
        let usesServiceCache: Bool
        let login: AuthenticationToken
        /// The numbers of logouts at the time when the login was read.
        let logouts: [MVPDID?: Int]
        /// The number of denials at that time.
        let denials: Int
        /// An id that makes a request unique, for a caller that wants the service's answer to this particular call.
        let uniqueID: UUID?
    }

    private let requests: Runs<Request, Result<[PreauthorizationDecision], TVEError>>

    override init(_ logins: Logins) {
        requests = Runs(logins.parts.listeners)
        super.init(logins)
    }

    /// Ends all running work because the session ends.
    func close() { requests.endAll(.failure(Self.cancelled)) }

    /// See ``EntitlementSession/preauthorize(_:caches:)``.
    ///
    /// - Parameter mvpdID: the provider of the login, or `nil` for the provider that the viewer chose.
    func decisions(
        about resources: [Resource], as mvpdID: MVPDID?, _ caches: PreauthorizationCaches,
        on actor: isolated any Actor
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        guard parts.isOpen else { throw .sessionIsClosed }
        let login = try await login(with: mvpdID, on: actor)
        // The services fail a whole request for one empty resource.
        let named = resources.filter { !$0.text.isEmpty }
        guard !named.isEmpty else { return PreauthorizationDecision.matched(to: resources, []) }
        // A caller that excludes the local cache wants the service's own answer.
        let known = try caches.contains(.local) ? logins.knownDecisions(about: named, login) : []
        let decided = Set(known.map(\.resource))
        // A provider limits the number of resources in a request, so no resource is sent twice, and none whose decision
        // is known.
        var covered = decided
        let unknown = named.filter { covered.insert($0).inserted }
        guard !unknown.isEmpty else { return PreauthorizationDecision.matched(to: resources, known) }
        let request = Request(
            resources: unknown, permitted: decided, usesServiceCache: caches.contains(.service), login: login,
            logouts: logins.logouts, denials: logins.denials, uniqueID: caches.contains(.local) ? nil : UUID())
        let (answer, _) = await requests.answer(to: request, on: actor, ifLeft: .failure(Self.cancelled)) {
            [self] _ in
            do throws(TVEError) {
                return .success(try await send(request, on: actor))
            } catch {
                return .failure(error)
            }
        }
        return try PreauthorizationDecision.matched(to: resources, answer.get() + known)
    }

    private func login(
        with mvpdID: MVPDID?, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationToken {
        if let mvpdID {
            return try await logins.login(with: mvpdID, data: [:], during: .preauthorization, on: actor)
        }
        if let valid = try await logins.valid(on: actor) { return valid }
        guard let unconfirmed = try logins.unconfirmed() else { throw try logins.errorForMissingLogin() }
        return unconfirmed
    }

    private func send(
        _ request: Request, on actor: isolated any Actor
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        let login = request.login
        let service = try providers.service(of: login.claims.providerID)
        let answer: [PreauthorizationDecision]
        do throws(ServiceError) {
            answer = try await service.preauthorization(
                of: request.resources, requestorID: parts.requestorID, usesServiceCache: request.usesServiceCache,
                login)
        } catch {
            let error = TVEError(error, during: .preauthorization)
            logins.removeEnded(login, after: error)
            guard error.meansLoginIsOver else { throw error }
            // The error may concern only some resources: the service reports the end of a login for each resource, and
            // only a permit beside it shows that the login goes on. So the permitted resources are requested as well.
            if !request.permitted.isEmpty {
                var whole = request
                whole.resources += request.permitted
                whole.permitted = []
                // Another permit has shown that the login goes on, so the earlier permits remain.
                return try await send(whole, on: actor).filter { decision in
                    !request.permitted.contains(decision.resource) || decision.denial?.meansLoginIsOver != true
                }
            }
            // The status is the same as before the request: nobody is logged in.
            guard logins.isValid(login) else { throw try logins.errorForMissingLogin() }
            let chosen = try logins.chosenProvider() ?? login.claims.providerID
            // The call itself reports the status code of its error.
            if try logins.removeEnded(login), chosen == login.claims.providerID {
                reports.announce(AuthenticationStatus(error))
            }
            throw error
        }
        // For too many resources the service returns no decisions at all, not even denials.
        guard !answer.isEmpty else {
            throw TVEError(
                .tooManyResources, status: .preauthorizationFailed,
                message: "The service decided about none of \(request.resources.count) resources.")
        }
        // A decision that may soon change is not remembered. Its resource is treated like one that the service left
        // out.
        let lasting = PreauthorizationDecision.matched(to: request.resources, answer.filter(\.isLasting))
        try logins.keep(lasting, with: login, since: request.logouts, request.denials)
        return answer
    }

    private static let cancelled = TVEError(.preauthorizationFailed, message: "The call was cancelled.")
}
