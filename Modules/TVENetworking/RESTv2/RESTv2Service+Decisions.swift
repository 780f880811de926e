import Foundation
public import TVEModels
import TVETokenCodec

extension RESTv2Service {
    /// Requests a decision about a resource; see ``EntitlementService``.
    ///
    /// If a promotional TempPass has no `data`, the request carries the data of the login.
    public func authorization(
        for resource: Resource, requestorID: RequestorID, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer {
        let mvpdID = authentication.claims.mvpdID
        let copy = profile(in: authentication.text)
        // The viewer's id for a promotional TempPass must not reach any other provider.
        let identity = copy?.kind == .tempPass ? identity(data) ?? copy?.identity : nil
        var retries = Retries()
        var renewed: CarriedProofs?
        let entry = try await decisions(
            about: [resource], authentication, of: copy?.kind, retries: &retries, renewed: &renewed
        ) { _ in
            .authorize(
                resource, of: requestorID, with: mvpdID, identity: identity, showsPlatform: copy?.kind == .apple)
        }.entries.first
        guard let entry else { throw .unreadableJSON }
        guard entry.isAuthorized else { throw ServiceError(ofDenial: entry.error) }
        guard let wrapped = entry.token else { throw .unreadableJSON }
        let token = mediaToken(wrapped, for: resource, requestorID: requestorID, mvpdID: mvpdID)
        let stored = StoredDecision(
            serviceProvider: requestorID, mvpd: mvpdID, resource: resource, source: entry.source,
            // A decision without an end is valid for as long as its token.
            notAfter: entry.notAfter ?? token.claims.expires, fingerprint: fingerprint)
        return AuthorizationAnswer(token: stored.token, mediaToken: token)
    }

    /// Requests another media token; see ``EntitlementService``.
    public func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken {
        let claims = authorization.claims
        let answer = try await self.authorization(
            for: claims.resource, requestorID: claims.requestorID, data: data, authentication)
        guard let token = answer.mediaToken else { throw .unreadableJSON }
        return token
    }

    /// Requests the resources that the viewer may watch, a few resources at a time; see ``EntitlementService``.
    ///
    /// REST API v2 has no parameter for its own cache, so `usesServiceCache` has no effect. If a later request fails,
    /// the decisions of the earlier ones are returned, and the other resources are missing. If an answer cannot be
    /// read, only its own resources are missing, and the error is thrown only if there are no decisions at all. A
    /// resource that the service cannot read is denied, and the others are requested without it. An error that ends the
    /// login is thrown only if the service permits none of the resources.
    public func preauthorization(
        of resources: [Resource], requestorID: RequestorID, usesServiceCache: Bool,
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision] {
        let copy = profile(in: authentication.text)
        var decided: [PreauthorizationDecision] = []
        var hasUnreadableAnswer = false
        var showsLogin = false
        var retries = Retries()
        var renewed: CarriedProofs?
        var batches = stride(from: 0, to: resources.count, by: Self.resourcesAtOnce).map { start in
            Array(resources[start..<min(start + Self.resourcesAtOnce, resources.count)])
        }[...]
        while let some = batches.popFirst() {
            retries.count = Retries.maximum
            let entries: [DecisionsAnswer.Entry]
            do throws(ServiceError) {
                let answer = try await decisions(
                    about: some, authentication, of: copy?.kind, retries: &retries, renewed: &renewed
                ) {
                    .preauthorize(
                        $0, of: requestorID, with: authentication.claims.mvpdID,
                        identity: copy?.kind == .tempPass ? copy?.identity : nil, showsPlatform: copy?.kind == .apple)
                }
                entries = answer.entries
                showsLogin = showsLogin || answer.showsLogin
            } catch .pendingLogout(let signal) {
                // The error says about each resource of this request what an error of its decision would say.
                guard let error = signal.explanation, case .pendingLogout = ServiceError(error) else {
                    // The service refuses a proof, and an earlier permit shows that there is a login.
                    guard showsLogin else { throw .pendingLogout(signal) }
                    return decided
                }
                decided += some.map { PreauthorizationDecision(resource: $0, isAuthorized: false, error: error) }
                if signal.namesMissingLogin, !showsLogin { throw .pendingLogout(signal) }
                continue
            } catch .denied(let denial) where denial.reason == .invalidResource && resources.count > 1 {
                // The service refuses a request for one resource that it cannot read, whatever the others are, so each
                // is requested by itself.
                if some.count > 1 {
                    batches = some.map { [$0] } + batches
                } else {
                    decided += some.map {
                        PreauthorizationDecision(resource: $0, isAuthorized: false, error: denial.explanation)
                    }
                }
                continue
            } catch .unreadableJSON {
                hasUnreadableAnswer = true
                continue
            } catch {
                guard !decided.isEmpty, !Task.isCancelled else { throw error }
                return decided
            }
            for entry in entries {
                var decision = PreauthorizationDecision(
                    resource: entry.resource, isAuthorized: entry.isAuthorized, error: entry.error)
                let isOfDegradation = entry.source.isSameBytes(as: StoredDecision.degradation)
                decision.isLasting = copy?.kind != .tempPass && !isOfDegradation
                decided.append(decision)
            }
            // A service without a login permits nothing else either.
            if !showsLogin, let signal = Self.endOfLogin(in: decided), signal.namesMissingLogin {
                throw .pendingLogout(signal)
            }
        }
        if decided.isEmpty, hasUnreadableAnswer { throw .unreadableJSON }
        // An answer that cannot be read may permit a resource, and then the login goes on.
        if !hasUnreadableAnswer, !showsLogin, let signal = Self.endOfLogin(in: decided) {
            throw .pendingLogout(signal)
        }
        return decided
    }

    /// Returns the reason for which a login has ended, or nil if the decisions name none.
    ///
    /// The service repeats the error for each resource, but the error concerns the viewer, unless a permit shows that
    /// there is a login.
    private static func endOfLogin(in decisions: [PreauthorizationDecision]) -> PendingLogout? {
        for error in decisions.compactMap(\.error) {
            if case .pendingLogout(let signal) = ServiceError(error) { return signal }
        }
        return nil
    }

    /// The number of resources in one request.
    ///
    /// Integrations answer about five unless configured otherwise.
    static let resourcesAtOnce = 5

    /// Requests decisions, and repeats the request for those resources that the service asks to retry.
    ///
    /// If a repeated request fails, the decisions of the earlier answers are returned, unless the login is over. An
    /// earlier answer that permits a resource shows that it is not.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - login: the login, whose copy may have expired.
    ///   - kind: the source of the login, or nil if it is not known.
    ///   - retries: the retries that the call has left. The service may ask for a retry of the request and of one
    ///     decision, and both use up the same retries.
    ///   - renewed: the proofs that the call has renewed, or nil.
    ///   - request: returns the request for some of the resources.
    /// - Returns: the decisions, and a Boolean value that indicates whether an answer shows that there is a login; see
    ///   ``DecisionsAnswer/showsLogin``.
    private func decisions(
        about resources: [Resource], _ login: AuthenticationToken, of kind: Profile.Kind?, retries: inout Retries,
        renewed: inout CarriedProofs?, _ request: ([Resource]) -> RESTv2Request
    ) async throws(ServiceError) -> (entries: [DecisionsAnswer.Entry], showsLogin: Bool) {
        var decided: [Resource: DecisionsAnswer.Entry] = [:]
        var showsLogin = false
        var undecided = resources
        while !undecided.isEmpty {
            do throws(ServiceError) {
                if !decided.isEmpty { try await pause(using: &retries) }
                let answer = try await self.answer(
                    about: kind, hasExpired: login.isExpired(at: now()), request(undecided), renewed: &renewed,
                    denies: \DecisionsAnswer.deniesLogin
                ) { (request, proofs) throws(ServiceError) in
                    try await fetchDecisions(about: undecided, request, carrying: proofs, retries: &retries)
                }
                showsLogin = showsLogin || answer.showsLogin
                for resource in undecided {
                    guard let entry = answer.entry(for: resource) else { continue }
                    decided[resource] = entry.named(resource)
                }
            } catch .pendingLogout(let signal) where !showsLogin {
                throw .pendingLogout(signal)
            } catch {
                guard !decided.isEmpty, !Task.isCancelled else { throw error }
                break
            }
            undecided = retries.count > 0 ? undecided.filter { decided[$0]?.asksForRetry == true } : []
        }
        return (resources.compactMap { decided[$0] }, showsLogin)
    }

    /// Sends a request for decisions.
    ///
    /// A list that decides about none of the resources, or is empty beside an error, is no answer. A service that
    /// decides about fewer resources at once may answer with an empty list alone.
    private func fetchDecisions(
        about resources: [Resource], _ request: RESTv2Request, carrying proofs: CarriedProofs, retries: inout Retries
    ) async throws(ServiceError) -> DecisionsAnswer {
        try await send(request, carrying: proofs, retries: &retries) { (answer) throws(ServiceError) in
            guard answer.isSuccess else { throw .status(answer.status) }
            let found = try Self.read(DecisionsAnswer.self, from: answer.body)
            let isAnswer =
                found.isEmpty
                ? EnhancedError.read(answer.body) == nil : resources.contains { found.entry(for: $0) != nil }
            guard isAnswer else { throw .unreadableJSON }
            return found
        }
    }

    /// Returns the token in the form that playback back ends have always received, together with the service's own
    /// form.
    ///
    /// The content of the token is not specified. If it is unreadable, or names another requestor or resource, it is
    /// returned all the same, with the values of the decision.
    private func mediaToken(
        _ wrapped: DecisionsAnswer.Token, for resource: Resource, requestorID: RequestorID, mvpdID: MVPDID
    ) -> MediaToken {
        let issued = wrapped.notBefore ?? now()
        let end = wrapped.notAfter ?? issued.addingTimeInterval(Self.usualTokenLifetime)
        var claims = MediaToken.Claims(
            sessionGUID: "", requestorID: requestorID, resource: resource,
            timeToLive: Int64(bounded: max(0, end.timeIntervalSince(issued)) * 1000),
            issued: TokenDate(secondsSince1970: Int64(bounded: issued.timeIntervalSince1970)), mvpdID: mvpdID)
        var text = TokenText(wrapped.serialized)
        if let read = try? TokenDecoder().mediaToken(wrapped.serialized) {
            text = read.text
            claims = read.claims
            // The claims of the token are meant for the back end. The decision states whose token it is, and it may
            // spell the resource and the requestor differently.
            claims.resource = resource
            claims.requestorID = requestorID
        }
        return MediaToken(text: text, claims: claims, base64: wrapped.serialized)
    }

    /// The lifetime of a media token for which the service states none: seven minutes.
    private static let usualTokenLifetime: TimeInterval = 420
}

extension DecisionsAnswer.Entry {
    /// A Boolean value that indicates whether the service could not decide and asks for another request.
    fileprivate var asksForRetry: Bool { !isAuthorized && error?.action == "retry" }

    /// Returns the decision with the resource as it was requested.
    fileprivate func named(_ resource: Resource) -> Self {
        var entry = self
        entry.resource = resource
        return entry
    }
}
