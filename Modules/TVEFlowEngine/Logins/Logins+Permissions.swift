import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// A stored permission.
struct KeptPermission: Sendable {
    let token: AuthorizationToken
    /// Whether it is enough for a play; else the service decides each one.
    let decides: Bool
}

/// What is stored with a login: permissions, and decisions for marking.
extension Logins {
    /// The stored permission for exactly a resource, if it has not expired.
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

    /// Whether a service's answer allows this play: one that is asked before each play is not judged by this device's clock.
    func allowsPlay(_ permission: AuthorizationToken, from service: any EntitlementService) -> Bool {
        !permission.isExpired(at: parts.clock.now()) || service.decidesEveryPlay
    }

    /// Stores a permission with the login that it was given to, and with no other.
    ///
    /// A permission is a copy of what the service has said. One that cannot be stored is requested again for the next play,
    /// and this one goes on.
    ///
    /// - Parameters:
    ///   - token: the permission.
    ///   - metadata: metadata that came with it; newer metadata stays.
    ///   - isNew: whether the permission itself is to be stored.
    /// - Returns: whether anything was stored.
    func keep(
        _ token: AuthorizationToken, metadata: UserMetadata?, isNew: Bool, with login: AuthenticationToken
    ) throws(TVEError) -> Bool {
        let mvpdID = login.claims.providerID
        let isKept: Bool?
        do throws(TVEError) {
            isKept = try write { [requestorID] entitlements throws(StorageError) in
                guard try entitlements.holds(login, for: requestorID) else {
                    return try entitlements.isLoggedOut(login, for: requestorID) ? nil : false
                }
                let known = (try? entitlements.userMetadata(requestorID: requestorID, mvpdID: mvpdID))?.updated
                let newer = metadata.flatMap { $0.updated > known ?? .distantPast ? $0 : nil }
                guard isNew || newer != nil else { return false }
                try entitlements.save(token, mvpdID: mvpdID, metadata: newer)
                return true
            }
        } catch {
            return false
        }
        guard let isKept else { throw .loggedOutMeanwhile }
        return isKept
    }

    /// Removes a stored permission that the service has revoked.
    func forget(_ kept: AuthorizationToken, _ login: AuthenticationToken) {
        let (resource, mvpdID) = (kept.claims.resource, login.claims.providerID)
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            // The permission of another viewer, who logged in in the meantime, stays.
            let present = try entitlements.authorizationToken(for: resource, requestorID: requestorID, mvpdID: mvpdID)
            guard present?.text == kept.text else { return }
            try entitlements.removeAuthorization(for: resource, requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    // MARK: - Decisions for marking

    /// What is known about resources without the service: all of them, or some.
    ///
    /// A service that keeps the logins is asked again about what it denied or did not decide, so only its permits are
    /// remembered, in memory; else the last answer about the same set is stored.
    func knownDecisions(
        about resources: [Resource], _ login: AuthenticationToken
    ) throws(TVEError) -> [PreauthorizationDecision] {
        guard !areCopies else {
            return permits.known(resources, to: login.text, since: decisions)
                .map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        }
        return try read {
            try $0.preauthorization(
                of: Set(resources), requestorID: requestorID, mvpdID: login.claims.providerID)
        } ?? []
    }

    /// Remembers decisions with the login that they were made for, and with no other.
    func keep(_ answer: [PreauthorizationDecision], with login: AuthenticationToken) throws(TVEError) {
        guard !areCopies else {
            try checkIsNotLoggedOut(login)
            return permits.remember(answer, of: login.text, since: decisions)
        }
        let isKept = try write { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.holds(login, for: requestorID) else { return false }
            // What the service left out must be asked again.
            if answer.allSatisfy(\.isDecided) {
                try entitlements.save(answer, requestorID: requestorID, mvpdID: login.claims.providerID)
            }
            return true
        }
        guard isKept else { throw .loggedOutMeanwhile }
    }
}

/// The permits of preauthorizations, in memory and for one login; a denial cannot be kept.
struct PermitMemory {
    private var login: TokenText?
    private var decisions = 0
    private var resources: Set<Resource> = []

    /// Those of some resources that the viewer of a login may watch.
    ///
    /// - Parameter decisions: how often it was decided who is logged in; what was known before counts no more.
    func known(_ asked: [Resource], to login: TokenText, since decisions: Int) -> Set<Resource> {
        login == self.login && decisions == self.decisions ? resources.intersection(asked) : []
    }

    /// Remembers what was permitted to a login; what another login was permitted is forgotten.
    mutating func remember(_ answer: [PreauthorizationDecision], of login: TokenText, since decisions: Int) {
        if login != self.login || decisions != self.decisions {
            (self.login, self.decisions, resources) = (login, decisions, [])
        }
        resources.formUnion(answer.filter(\.isAuthorized).map(\.resource))
    }
}
