public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Says which resources the viewer would be allowed to watch: for hiding and marking, never for playback.
    ///
    /// Answered without the service when the login carries the provider's line-up, with a TempPass, or when the last
    /// answer was about the same set of resources, unless `caches` excludes that (API reference, rows PR1 to PR16). Over
    /// REST API v2 permits are remembered instead, each for as long as the login lasts, and only what is not permitted
    /// yet is asked (acceptance list, CL15).
    /// Equal questions at the same time share one request.
    ///
    /// - Parameters:
    ///   - resources: the resources; providers answer about five at a time unless the service says otherwise.
    ///   - caches: which caches may answer.
    /// - Returns: one decision per resource, in the order of `resources`; a resource that the service does not mention
    ///   is neither authorized nor decided.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `notAuthenticated`, `temporaryAccessExpired`, `tooManyResources`,
    ///   `preauthorizationFailed`, `deviceMismatch`, `throttled`, `accessTokenUnavailable`, `serviceUnreachable`,
    ///   `serviceFailed`, `storageFailed`.
    public func preauthorize(
        _ resources: [Resource], caches: PreauthorizationCaches = .all
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        try await measured(.preauthorize) { () async throws(TVEError) in
            do throws(TVEError) {
                return try await decisions(about: resources, caches)
            } catch {
                throw reported(error)
            }
        }
    }

    private func decisions(
        about resources: [Resource], _ caches: PreauthorizationCaches
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        guard listeners.isOpen else { throw .sessionIsClosed }
        guard let login = try validLogin() else { throw try notAuthenticatedError() }
        guard !resources.isEmpty else { return [] }
        if let known = try decisionsWithoutService(about: resources, login, caches) { return known }
        let permitted = caches.contains(.local) && keepsCopies ? permits.known(resources, to: login.text) : []
        let undecided = permitted.isEmpty ? resources : resources.filter { !permitted.contains($0) }
        guard !undecided.isEmpty else { return Self.inOrder(of: resources, permitted: permitted, []) }
        let question = PreauthorizationQuestion(
            resources: undecided, usesServiceCache: caches.contains(.service), login: login.text)
        let outcome = await preauthorizations.ask(question) { [self] in
            do throws(TVEError) {
                return .success(try await ask(question, login))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else {
            throw TVEError(.preauthorizationFailed, message: "The call was cancelled.")
        }
        return Self.inOrder(of: resources, permitted: permitted, try outcome.get())
    }

    private func decisionsWithoutService(
        about resources: [Resource], _ login: AuthenticationToken, _ caches: PreauthorizationCaches
    ) throws(TVEError) -> [PreauthorizationDecision]? {
        // A caller that excludes the local answer wants the service's own.
        guard caches.contains(.local) else { return nil }
        let claims = login.claims
        if isTempPass(login) {
            return resources.map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        }
        if let lineUp = claims.authorizedResources {
            let allowed = Set(lineUp.map { ExactText($0.lowercasedASCII) })
            return resources.map {
                PreauthorizationDecision(
                    resource: $0, isAuthorized: allowed.contains(ExactText($0.text.lowercasedASCII)))
            }
        }
        // A service that keeps the logins is asked again about what it denied or did not decide.
        if keepsCopies { return nil }
        let kept = try read {
            try $0.preauthorization(of: Set(resources), requestorID: requestorID, mvpdID: claims.providerID)
        }
        return kept.map { Self.inOrder(of: resources, permitted: [], $0) }
    }

    private func ask(
        _ question: PreauthorizationQuestion, _ login: AuthenticationToken
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        let service = try service(of: login.claims.providerID)
        let answer: [PreauthorizationDecision]
        do throws(TVEError) {
            answer = try await ask(during: .preauthorization) { () async throws(ServiceError) in
                try await service.preauthorization(
                    of: question.resources, requestorID: requestorID, usesServiceCache: question.usesServiceCache, login
                )
            }
        } catch {
            try endLogin(login, ifEndedBy: error)
            throw error
        }
        // For too many resources the service answers nothing at all, not even a denial.
        guard !answer.isEmpty else {
            throw TVEError(
                .tooManyResources, status: .preauthorizationFailed,
                message: "The service decided about none of \(question.resources.count) resources.")
        }
        let decisions = Self.inOrder(of: question.resources, permitted: [], answer)
        if service.keepsLogins {
            guard try read({ try $0.holds(login, for: requestorID) }) else { throw .loggedOutMeanwhile }
            permits.remember(decisions, of: login.text)
            return decisions
        }
        let isKept = try change { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.holds(login, for: requestorID) else { return false }
            try entitlements.save(decisions, requestorID: requestorID, mvpdID: login.claims.providerID)
            return true
        }
        guard isKept else { throw .loggedOutMeanwhile }
        return decisions
    }

    /// One decision per resource, in the order of the question; ids are compared without the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - resources: what was asked about.
    ///   - permitted: resources of which a permit is known.
    ///   - decisions: the decisions about the others.
    private static func inOrder(
        of resources: [Resource], permitted: Set<Resource>, _ decisions: [PreauthorizationDecision]
    ) -> [PreauthorizationDecision] {
        let known = Dictionary(
            decisions.map { (ExactText($0.resource.text.lowercasedASCII), $0) }, uniquingKeysWith: { first, _ in first }
        )
        return resources.map { resource in
            if permitted.contains(resource) { return PreauthorizationDecision(resource: resource, isAuthorized: true) }
            let decision = known[ExactText(resource.text.lowercasedASCII)]
            var ordered = PreauthorizationDecision(
                resource: resource, isAuthorized: decision?.isAuthorized ?? false, error: decision?.error)
            ordered.isDecided = decision?.isDecided ?? false
            return ordered
        }
    }
}

/// Two preauthorizations with the same values share one question.
struct PreauthorizationQuestion: Hashable {
    let resources: [Resource]
    let usesServiceCache: Bool
    let login: TokenText
}

/// The permits of preauthorizations, in memory and for one login; a denial cannot be kept.
struct PermitMemory {
    private var login: TokenText?
    private var resources: Set<Resource> = []

    /// Those of some resources that the viewer of a login may watch.
    func known(_ asked: [Resource], to login: TokenText) -> Set<Resource> {
        login == self.login ? resources.intersection(asked) : []
    }

    /// Remembers what was permitted to a login; what another login was permitted is forgotten.
    mutating func remember(_ decisions: [PreauthorizationDecision], of login: TokenText) {
        if login != self.login { (self.login, resources) = (login, []) }
        resources.formUnion(decisions.filter(\.isAuthorized).map(\.resource))
    }
}
