import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// A stored permission.
struct KeptPermission: Sendable {
    let token: AuthorizationToken
    /// A Boolean value that indicates whether the permission is sufficient for a play.
    ///
    /// Otherwise the service decides each play.
    let decides: Bool
}

/// Data that is stored with a login: permissions, and decisions for marking resources.
extension Logins {
    /// Returns the stored permission for exactly the given resource, if it has not expired.
    func keptPermission(for resource: Resource, _ login: AuthenticationToken) throws(TVEError) -> KeptPermission? {
        let mvpdID = login.claims.providerID
        let kept = try readIfReadable {
            try $0.authorizationToken(for: resource, requestorID: requestorID, mvpdID: mvpdID)
        }
        guard let kept, !kept.isExpired(at: parts.clock.now()),
            parts.device.binding(of: kept.claims.fingerprint) != .foreign
        else { return nil }
        return KeptPermission(token: kept, decides: try !providers.service(of: mvpdID).decidesEveryPlay)
    }

    /// Returns a Boolean value that indicates whether a service's answer allows this play.
    ///
    /// The answer of a service that decides each play is not judged by this device's clock.
    func allowsPlay(_ permission: AuthorizationToken, from service: any EntitlementService) -> Bool {
        !permission.isExpired(at: parts.clock.now()) || service.decidesEveryPlay
    }

    /// Stores a permission with the login that it was given to, and with no other.
    ///
    /// A permission is a copy of the service's answer. If it cannot be stored, it is requested again for the next play,
    /// and this play continues.
    ///
    /// - Parameters:
    ///   - token: the permission.
    ///   - metadata: the metadata that came with the permission. Newer stored metadata stays.
    ///   - login: the login.
    /// - Returns: a Boolean value that indicates whether the permission was stored.
    func keep(
        _ token: AuthorizationToken, metadata: UserMetadata?, with login: AuthenticationToken
    ) throws(TVEError) -> Bool {
        let mvpdID = login.claims.providerID
        let isStored = keep { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.holds(login, for: requestorID) else { return false }
            let known = (try? entitlements.userMetadata(requestorID: requestorID, mvpdID: mvpdID))?.updated
            let newer = metadata.flatMap { $0.updated > known ?? .distantPast ? $0 : nil }
            try entitlements.save(token, mvpdID: mvpdID, metadata: newer)
            return true
        }
        if isStored == false { try checkIsNotLoggedOut(login) }
        return isStored == true
    }

    /// Removes a stored permission that the service has revoked.
    func forget(_ kept: AuthorizationToken, _ login: AuthenticationToken) {
        let resource = kept.claims.resource
        let mvpdID = login.claims.providerID
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            // The permission of another viewer, who logged in in the meantime, stays.
            let present = try entitlements.authorizationToken(for: resource, requestorID: requestorID, mvpdID: mvpdID)
            guard present?.text == kept.text else { return }
            try entitlements.removeAuthorization(for: resource, requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    // MARK: - Decisions for marking

    /// The maximum number of permits that are remembered, because an app may name new resources as long as a login
    /// lasts.
    private static let maximumPermits = 5_000

    /// Returns the known decisions about resources, which may cover only some of them, without a request to the
    /// service.
    ///
    /// A login can contain the provider's line-up. In the classic dialect a TempPass permits everything; over REST API
    /// v2 only the service knows what remains of a TempPass.
    ///
    /// If the service keeps the logins, resources that it denied or did not decide are requested again, so only its
    /// permits are remembered, in memory. Otherwise the last answer about the same set of resources is stored.
    func knownDecisions(
        about resources: [Resource], _ login: AuthenticationToken
    ) throws(TVEError) -> [PreauthorizationDecision] {
        if !areCopies, providers.isTempPass(login) {
            return resources.map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        }
        if let lineUp = login.claims.authorizedResources {
            let allowed = Set(lineUp.map { ExactText($0.lowercasedASCII) })
            return resources.map {
                PreauthorizationDecision(
                    resource: $0, isAuthorized: allowed.contains(ExactText($0.text.lowercasedASCII)))
            }
        }
        guard !areCopies else {
            // The service may have ended a login whose copy has expired, so the remembered permits are not used.
            guard isValid(login) else { return [] }
            return (permits[login] ?? []).intersection(resources)
                .map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        }
        return try read {
            try $0.preauthorization(
                of: Set(resources), requestorID: requestorID, mvpdID: login.claims.providerID)
        } ?? []
    }

    /// Keeps decisions for the login that they were made for, and for no other login.
    ///
    /// - Parameters:
    ///   - answer: the decisions.
    ///   - login: the login.
    ///   - before: the numbers of logouts at the time when the login was read.
    ///   - denials: the number of denials at that time.
    func keep(
        _ answer: [PreauthorizationDecision], with login: AuthenticationToken, since before: [MVPDID?: Int],
        _ denials: Int
    ) throws(TVEError) {
        guard !hasLoggedOut(of: login.claims.providerID, since: before) else { throw .loggedOutMeanwhile }
        guard !areCopies else {
            try checkIsNotLoggedOut(login)
            // The service may have denied one of the resources since, so all of them are only requested again.
            guard denials == self.denials else { return }
            let new = answer.filter(\.isAuthorized).map(\.resource).prefix(Self.maximumPermits)
            return record(permitsOf: new, for: login, maximum: Self.maximumPermits)
        }
        let isLoggedIn = keep { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.holds(login, for: requestorID) else { return false }
            // Resources that the service left out must be requested again.
            if answer.allSatisfy(\.isDecided) {
                try entitlements.save(answer, requestorID: requestorID, mvpdID: login.claims.providerID)
            }
            return true
        }
        // The decisions of a viewer who has logged out are not returned, whether they could be stored or not.
        guard let isLoggedIn else { return try checkIsNotLoggedOut(login) }
        guard isLoggedIn else { throw .loggedOutMeanwhile }
    }
}
