public import TVEModels

/// Calls about permissions to watch resources, and about the metadata of the viewer and the requestor.
extension EntitlementSession {
    /// Requests permission to play a resource now.
    ///
    /// Every call fetches its own media token, which works once. Over REST API v2, the service decides about every
    /// playback. In the classic dialect, a stored AuthZ token for exactly this resource is used until it expires, and
    /// simultaneous calls with the same parameters share one request for permission.
    ///
    /// - Parameters:
    ///   - resource: the resource that the viewer wants to watch.
    ///   - data: additional data for the service, for example the viewer's id for a promotional TempPass.
    ///   - presenter: the presenter that shows a login if the viewer is not logged in. With `nil`, the call fails in
    ///     this case.
    /// - Returns: the media token. Send it to the playback back end at once; it is not stored.
    /// - Throws: `TVEError`: `notAuthorized` with the provider's text, `notAuthenticated`, `deviceMismatch`,
    ///   `temporaryAccessExpired`, `viewerIdentityMissing`, `invalidResource`, `authorizationFailed`,
    ///   `unknownProvider`, the errors of ``start(using:)``, such as `throttled`, `serviceUnreachable` and
    ///   `storageFailed`, and with a presenter everything that ``authenticate(using:isForced:data:filter:)`` throws
    ///   (API reference, rows AZ1 to AZ21).
    public func authorize(
        _ resource: Resource, data: [String: MetadataValue] = [:],
        using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) -> MediaToken {
        try await authorize(PermissionParameters(resource: resource, data: data, presenter: presenter))
    }

    /// Requests permission to play a resource now with the login of one TV provider, independently of the chosen
    /// provider.
    ///
    /// An example is a TempPass beside the viewer's own login.
    ///
    /// The chosen provider and its login do not change. If no login with this provider is stored, the session requests
    /// one from a service that keeps the logins, and stores the answer beside the others. No page is shown. The classic
    /// dialect has one login at a time, so the call fails with `notAuthenticated` unless that login is with this
    /// provider.
    ///
    /// - Parameters:
    ///   - resource: the resource that the viewer wants to watch.
    ///   - mvpdID: the TV provider of the login.
    ///   - data: additional data for the service, for example the viewer's id for a promotional TempPass.
    /// - Returns: the media token. Send it to the playback back end at once; it is not stored.
    /// - Throws: `TVEError`: the errors of ``authorize(_:data:using:)`` without a presenter.
    public func authorize(
        _ resource: Resource, as mvpdID: MVPDID, data: [String: MetadataValue] = [:]
    ) async throws(TVEError) -> MediaToken {
        try await authorize(PermissionParameters(resource: resource, mvpdID: mvpdID, data: data))
    }

    private func authorize(_ parameters: PermissionParameters) async throws(TVEError) -> MediaToken {
        try await permissionFlow.authorize(parameters, on: self, answer: report(.authorize)).get()
    }

    /// Returns predictions of whether the viewer may watch resources.
    ///
    /// Use them for hiding and marking, never for playback.
    ///
    /// The session answers without the service if the login contains the provider's line-up, with a TempPass, or if the
    /// last answer was about the same set of resources, unless `caches` excludes that (API reference, rows PR1 to
    /// PR16). Over REST API v2 the session remembers permits instead, each until the login ends or an authorization
    /// denies the resource, and requests only decisions about resources that are not permitted yet (acceptance list,
    /// CL15). It remembers none of a TempPass or a degraded TV provider, and at most 5,000 at a time. Simultaneous
    /// calls with the same parameters share one request, unless `caches` excludes the local cache.
    ///
    /// Request only the resources that are on the screen. The service accepts ten requests at once and then one a
    /// second, and the library waits for its turn. Over REST API v2, which answers about five resources per request,
    /// forty resources need eight requests. The last of them wait if other calls have just sent more than two. The
    /// `denial` of a decision contains the text for the viewer.
    ///
    /// - Parameters:
    ///   - resources: the resources. Providers answer about five at a time unless the service specifies another number.
    ///   - caches: the caches that may answer.
    /// - Returns: one decision per resource, in the order of `resources`. A resource that the service does not mention
    ///   is neither authorized nor decided.
    /// - Throws: `TVEError`: `notAuthenticated`, `temporaryAccessExpired`, `tooManyResources`,
    ///   `preauthorizationFailed`, `unknownProvider`, `deviceMismatch`, and the errors of ``start(using:)``, such as
    ///   `requestorNotConfigured`, `throttled` and `serviceUnreachable`.
    public func preauthorize(
        _ resources: [Resource], caches: PreauthorizationCaches = .all
    ) async throws(TVEError) -> [PreauthorizationDecision] {
        try await decisions(about: resources, as: nil, caches)
    }

    /// Returns predictions of whether the viewer may watch resources with the login of one TV provider, independently
    /// of the chosen provider; see ``preauthorize(_:caches:)`` and ``authorize(_:as:data:)``.
    ///
    /// - Parameters:
    ///   - resources: the resources.
    ///   - mvpdID: the TV provider of the login.
    ///   - caches: the caches that may answer.
    /// - Returns: one decision per resource, in the order of `resources`.
    /// - Throws: `TVEError`: the errors of ``preauthorize(_:caches:)``.
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

    /// Returns stored metadata about the viewer or this device.
    ///
    /// The provider's metadata comes with a login, and an authorization may renew it. After an authorization the
    /// session requests it again from a service that keeps the logins (API reference, rows MD1 to MD11).
    ///
    /// - Parameter key: the metadata to return.
    /// - Returns: the metadata, or `nil` if the viewer is not logged in or nothing is known.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `storageFailed`.
    public func metadata(_ key: MetadataKey) async throws(TVEError) -> Metadata? {
        try await ViewerMetadata(logins).answer(to: key, refreshedBy: refreshFlow, on: self)
    }

    /// Returns the requestor's configuration with its TV providers, for example for the app's own picker.
    ///
    /// Over REST API v2 the configuration is loaded when it is first needed and cached for three minutes. If a later
    /// one cannot be loaded, the last one stays in use. The classic dialect loads it at each start.
    ///
    /// - Returns: the configuration. The session sends a request to all services at once. One answer is enough, and
    ///   after it the others have five seconds.
    /// - Throws: `TVEError`: `requestorNotConfigured` for a session that was not started or is closed, and the errors
    ///   of ``start(using:)``.
    public func configuration() async throws(TVEError) -> RequestorConfiguration {
        try await providers.configuration(on: self)
    }
}
