public import TVEModels

/// What may be watched, and what is known about the viewer and the requestor.
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
    ///   `temporaryAccessExpired`, `viewerIdentityMissing`, `invalidResource`, `authorizationFailed`, `throttled`,
    ///   `serviceUnreachable`, `serviceFailed`, `storageFailed`, and with a presenter everything that
    ///   ``authenticate(using:isForced:data:filter:)`` throws (API reference, rows AZ1 to AZ20).
    public func authorize(
        _ resource: Resource, data: [String: MetadataValue] = [:],
        using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) -> MediaToken {
        try await authorize(PermissionTerms(resource: resource, data: data, presenter: presenter))
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
        try await authorize(PermissionTerms(resource: resource, mvpdID: mvpdID, data: data))
    }

    private func authorize(_ terms: PermissionTerms) async throws(TVEError) -> MediaToken {
        let report: (Result<MediaToken, TVEError>) -> Void = report(.authorize)
        let answer = await permissionFlow.authorize(terms, on: self)
        report(answer)
        return try answer.get()
    }

    /// Says which resources the viewer would be allowed to watch: for hiding and marking, never for playback.
    ///
    /// Answered without the service when the login carries the provider's line-up, with a TempPass, or when the last
    /// answer was about the same set of resources, unless `caches` excludes that (API reference, rows PR1 to PR16). Over
    /// REST API v2 permits are remembered instead, each for as long as the login lasts, and only what is not permitted
    /// yet is asked (acceptance list, CL15).
    /// Equal questions at the same time share one request, unless `caches` excludes the local one.
    ///
    /// Ask for the resources that are on the screen. The service accepts ten requests at once and then one a second, and
    /// the library waits for its turn: over REST API v2, which answers about five resources a request, forty resources take
    /// about two seconds on any network. `denial` of a decision has the text for the viewer.
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
        try await decisions(about: resources, as: nil, caches)
    }

    /// Says which resources the viewer would be allowed to watch with the login of one TV provider, whichever is chosen; see
    /// ``preauthorize(_:caches:)`` and ``authorize(_:as:data:)``.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - mvpdID: the TV provider of the login.
    ///   - caches: which caches may answer.
    /// - Returns: one decision per resource, in the order of `resources`.
    /// - Throws: `TVEError`: what ``preauthorize(_:caches:)`` throws, and `unknownProvider`.
    public func preauthorize(
        _ resources: [Resource], as mvpdID: MVPDID, caches: PreauthorizationCaches = .all
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        try await decisions(about: resources, as: mvpdID, caches)
    }

    private func decisions(
        about resources: [Resource], as mvpdID: MVPDID?, _ caches: PreauthorizationCaches
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        let report: (Result<[PreauthorizationDecision], TVEError>) -> Void = report(.preauthorize)
        do throws(TVEError) {
            let decisions = try await preauthorizationFlow.decisions(about: resources, as: mvpdID, caches, on: self)
            report(.success(decisions))
            return decisions
        } catch {
            _ = reports.reported(error)
            report(.failure(error))
            throw error
        }
    }

    /// Says what the store holds about the viewer or this device.
    ///
    /// The provider's metadata comes with a login, and an authorization may renew it; a service that keeps the logins
    /// is asked again after one (API reference, rows MD1 to MD11).
    ///
    /// - Parameter key: what to ask.
    /// - Returns: the answer; nil when the viewer is not logged in, or nothing is known.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `storageFailed`.
    public func metadata(_ key: MetadataKey) async throws(TVEError) -> Metadata? {
        try await metadataFlow.answer(to: key, on: self)
    }

    /// The requestor's configuration with its TV providers, for example for a picker of the app's own.
    ///
    /// Over REST API v2 it is loaded when it is first needed and kept for three minutes; a later one that cannot be
    /// loaded leaves the last one in use. The classic dialect loads it at each start.
    ///
    /// - Returns: the configuration. Of several services all are asked at once; one answer is enough, and after it the
    ///   others have five seconds.
    /// - Throws: `TVEError`: `requestorNotConfigured` for a session that was not started or is closed, and what
    ///   ``start(using:)`` throws.
    public func configuration() async throws(TVEError) -> RequestorConfiguration {
        try await providers.configuration(on: self)
    }
}
