public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Says which resources the viewer would be allowed to watch: for hiding and marking, never for playback.
    ///
    /// Answered without the service when the login carries the provider's line-up, with a TempPass, or when the last
    /// answer was about the same set of resources, unless `caches` excludes that (API reference, rows PR1 to PR16).
    /// Equal questions at the same time share one request.
    ///
    /// - Parameters:
    ///   - resources: the resources; providers answer about five at a time unless the service says otherwise.
    ///   - caches: which caches may answer.
    /// - Returns: one decision per resource, in the order of `resources`; a resource that the service does not mention
    ///   is not authorized.
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
        let question = PreauthorizationQuestion(
            resources: resources, usesServiceCache: caches.contains(.service), login: login.text)
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
        return try outcome.get()
    }

    private func decisionsWithoutService(
        about resources: [Resource], _ login: AuthenticationToken, _ caches: PreauthorizationCaches
    ) throws(TVEError) -> [PreauthorizationDecision]? {
        // A caller that excludes the local answer wants the service's own.
        guard caches.contains(.local) else { return nil }
        let claims = login.claims
        if try configured().requestor.provider(claims.providerID)?.isTempPass == true {
            return resources.map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        }
        if let lineUp = claims.authorizedResources {
            let allowed = Set(lineUp.map { ExactText($0.lowercasedASCII) })
            return resources.map {
                PreauthorizationDecision(
                    resource: $0, isAuthorized: allowed.contains(ExactText($0.text.lowercasedASCII)))
            }
        }
        let kept = try read {
            try $0.preauthorization(of: Set(resources), requestorID: requestorID, mvpdID: claims.providerID)
        }
        return kept.map { Self.inOrder(of: resources, $0) }
    }

    private func ask(
        _ question: PreauthorizationQuestion, _ login: AuthenticationToken
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        let service = try configuredServices().service(of: login.claims.providerID)
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
        let decisions = Self.inOrder(of: question.resources, answer)
        let isKept = try change { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.holds(login, for: requestorID) else { return false }
            try entitlements.save(decisions, requestorID: requestorID, mvpdID: login.claims.providerID)
            return true
        }
        guard isKept else { throw .loggedOutMeanwhile }
        return decisions
    }

    /// One decision per resource, in the order of the question; ids are compared without the case of ASCII letters.
    private static func inOrder(
        of resources: [Resource], _ decisions: [PreauthorizationDecision]
    ) -> [PreauthorizationDecision] {
        let known = Dictionary(
            decisions.map { (ExactText($0.resource.text.lowercasedASCII), $0) }, uniquingKeysWith: { first, _ in first }
        )
        return resources.map { resource in
            let decision = known[ExactText(resource.text.lowercasedASCII)]
            return PreauthorizationDecision(
                resource: resource, isAuthorized: decision?.isAuthorized ?? false, error: decision?.error)
        }
    }
}

/// Two preauthorizations with the same values share one question.
struct PreauthorizationQuestion: Hashable {
    let resources: [Resource]
    let usesServiceCache: Bool
    let login: TokenText
}
