import Foundation
import TVEModels

/// The proofs of logins that a request carries.
struct CarriedProofs: Equatable {
    /// The token for the viewer from the programmer's identity service.
    @BytewiseEqual var serviceToken: String?
    /// The status of the platform, if it confirms a login.
    var platformStatus: PlatformStatus?
    /// A Boolean value that indicates whether the device has left its household.
    ///
    /// This ends a login that came with a token, unless the app has a source of such tokens; see ``lacksTokenOfApp``.
    var hasLeftHousehold = false
    /// A Boolean value that indicates whether the app has a source of service tokens that has no token at the moment.
    ///
    /// A login may have come with a token of that source. The token of the household is about another viewer, so a
    /// denial in answer to it says nothing about such a login.
    var lacksTokenOfApp = false

    /// Returns a Boolean value that indicates whether these proofs allow the service to recognize a login of a kind.
    ///
    /// If they do, an answer without the login means that the login has ended. Logins of other kinds need no proof.
    func prove(_ kind: Profile.Kind?, at now: Date) -> Bool {
        switch kind {
        case .serviceToken:
            if lacksTokenOfApp { return false }
            guard let serviceToken else { return hasLeftHousehold }
            // A text that is no JWS, such as an error page of the app's server, proves nothing.
            guard let claims = JWSClaims(serviceToken) else { return false }
            return claims.expires.map { $0 > now } ?? true
        case .apple: return platformStatus?.confirmsLogin(at: now) == true
        case .regular, .tempPass, .degraded, .platform, nil: return true
        }
    }
}

extension PlatformStatus {
    /// A Boolean value that indicates whether the viewer is signed in on the platform and lets the app know it.
    var namesProvider: Bool { permission == .granted && providerID != nil }

    /// Returns a Boolean value that indicates whether the app may know the platform's login and the login has not
    /// expired.
    func confirmsLogin(at now: Date) -> Bool { namesProvider && expires.map { $0 > now } ?? true }
}

extension Profile.Kind {
    /// A Boolean value that indicates whether the service returns a login of this kind only for a request with a proof.
    var livesByProof: Bool {
        switch self {
        case .serviceToken, .apple: true
        case .regular, .tempPass, .degraded, .platform: false
        }
    }
}

extension RESTv2Service {
    /// Collects the proofs for a request.
    ///
    /// The status of the platform is cached until it expires. A status that the platform has just returned is sent even
    /// if it seems to have expired, because the device's clock may be wrong.
    ///
    /// - Parameter isRenewed: a Boolean value that indicates whether to request new proofs although the last ones seem
    ///   valid.
    func proofs(for request: RESTv2Request, isRenewed: Bool = false) async -> CarriedProofs {
        var carried = CarriedProofs()
        if request.household == nil, request.endpoint.headers.contains(.serviceToken) {
            // A logout also asks which logins there are. The logout of a whole household is about the logins of that
            // household, and not about those of the app's own token.
            let isLogout = [.logout, .profiles].contains(request.endpoint)
            let isOfHousehold = isLogout && HouseholdWideLogout.current != nil
            carried.serviceToken = await isOfHousehold ? nil : tokenOfApp()
            carried.lacksTokenOfApp = carried.serviceToken == nil && hasTokenSource
            // A logout that carries the service token ends the login of the whole household.
            if carried.serviceToken == nil, request.endpoint != .logout || isOfHousehold {
                switch await proofs.household(isRenewed) {
                case .none: break
                case .token(let token): carried.serviceToken = token
                case .hasLeft: carried.hasLeftHousehold = true
                }
            }
        }
        guard request.showsPlatform else { return carried }
        let (known, passed) = memory.withLock { ($0.platformStatus, $0.passedStatuses) }
        var status = known
        if isRenewed || status?.confirmsLogin(at: now()) != true {
            if let asked = await proofs.platformStatus() {
                // A status that the session has passed in the meantime is newer.
                status = memory.withLock { memory in
                    if memory.passedStatuses == passed { memory.platformStatus = asked }
                    return memory.platformStatus
                }
            } else if !isRenewed {
                // A status that has expired and that the platform does not confirm proves nothing.
                status = nil
            }
        }
        if let status, status.namesProvider { carried.platformStatus = status }
        return carried
    }

    /// Returns the current token of the app's own identity service, from its closure or else from its options.
    ///
    /// A blank text is no token.
    private func tokenOfApp() async -> String? {
        if let token = await proofs.serviceToken(), !token.isBlank { return token }
        guard let token = options().serviceToken, !token.isBlank else { return nil }
        memory.withLock { $0.hasHadTokenInOptions = true }
        return token
    }

    /// A Boolean value that indicates whether the app has had a source of service tokens of its own.
    private var hasTokenSource: Bool { proofs.hasTokenService || memory.withLock { $0.hasHadTokenInOptions } }

    /// Sends a request whose answer may deny a login.
    ///
    /// A denial in answer to an outdated proof does not end the login, so the request is repeated once with a new
    /// proof.
    ///
    /// - Parameters:
    ///   - kind: the source of the login, or nil if it is not known.
    ///   - hasExpired: a Boolean value that indicates whether the stored login has expired, so that no
    ///     proof is needed.
    ///   - renewed: the proofs that an earlier request of the same call has renewed, or nil. As long as they are valid
    ///     and there are no newer ones, they are not renewed again.
    ///   - denies: returns a Boolean value that indicates whether an answer denies the login.
    ///   - send: sends the request.
    /// - Throws: `.loginNotProven` for a denial of a login that the request could not prove.
    func answer<Answer>(
        about kind: Profile.Kind?, hasExpired: Bool = false, _ request: RESTv2Request,
        renewed: inout CarriedProofs?, denies: (Answer) -> Bool,
        _ send: (RESTv2Request, CarriedProofs) async throws(ServiceError) -> Answer
    ) async throws(ServiceError) -> Answer {
        let carried = await proofs(for: request)
        let first: Result<Answer, ServiceError>
        do throws(ServiceError) {
            first = .success(try await send(request, carried))
        } catch {
            first = .failure(error)
        }
        guard let kind, kind.livesByProof, first.deniesLogin(denies) else { return try first.get() }
        let isRenewed = renewed == carried && carried.prove(kind, at: now())
        let new = isRenewed ? carried : await proofs(for: request, isRenewed: true)
        // A platform that has not answered may answer the next time.
        if new != carried { renewed = new }
        guard hasExpired || new.prove(kind, at: now()) else { throw .loginNotProven }
        do throws(ServiceError) {
            return new == carried ? try first.get() : try await send(request, new)
        } catch .refused(let error) where hasExpired && error.isAboutPlatformStatus {
            // The expired login needs no status, so a refused one means no more than a missing one.
            throw .pendingLogout(PendingLogout(reason: error.code, explanation: error))
        }
    }
}

extension Result where Failure == ServiceError {
    /// Returns a Boolean value that indicates whether the service has no login, or refuses the proof of it.
    fileprivate func deniesLogin(_ denies: (Success) -> Bool) -> Bool {
        switch self {
        case .success(let answer): denies(answer)
        case .failure(.pendingLogout(let signal)): signal.mayMissProof
        case .failure(.refused(let error)): error.isAboutPlatformStatus
        case .failure: false
        }
    }
}

extension EnhancedError {
    /// A Boolean value that indicates whether the service refuses the status of the platform.
    fileprivate var isAboutPlatformStatus: Bool { code?.hasBytePrefix("invalid_header_pfs_") == true }
}

extension PendingLogout {
    /// A Boolean value that indicates whether the service has no login at all.
    ///
    /// The value is false if the service has a login and states why it does not accept it.
    var namesMissingLogin: Bool { reason?.hasBytePrefix("authenticated_profile_") == true }

    /// A Boolean value that indicates whether the reason may be that the request proved no login.
    ///
    /// The value is false for the documented reasons why the service does not accept a login that it has. A reason that
    /// this version does not know may be about the proof.
    var mayMissProof: Bool {
        ![
            "authorization_denied_by_session_invalidated", "authorization_denied_by_hba_policies",
            "identity_not_recognized_by_mvpd",
        ].contains(reason)
    }
}
