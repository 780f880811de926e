import Foundation
import TVEModels

/// The proofs of logins that a request carries.
struct CarriedProofs: Equatable {
    /// The viewer's token of the programmer's identity service.
    @BytewiseEqual var serviceToken: String?
    /// The status of the platform, if it confirms a login.
    var platformStatus: PlatformStatus?
    /// Whether the single sign-on service has said that the device is in no household any more.
    var hasLeftHousehold = false

    /// Whether a login of some kind can be recognized by them, so that an answer which does not mention it is a decision.
    ///
    /// A login of another kind needs no proof.
    func prove(_ kind: Profile.Kind?, at now: Date) -> Bool {
        switch kind {
        case .serviceToken:
            guard let serviceToken else { return hasLeftHousehold }
            return JWSClaims(serviceToken)?.expires.map { $0 > now } ?? true
        case .apple: return platformStatus?.confirmsLogin(at: now) == true
        default: return true
        }
    }
}

extension PlatformStatus {
    /// Whether the viewer is signed in at the platform, and the app may know it.
    var namesProvider: Bool { permission == .granted && providerID != nil }

    /// Whether the platform's login has not expired either.
    func confirmsLogin(at now: Date) -> Bool { namesProvider && expires.map { $0 > now } ?? true }
}

extension Profile.Kind {
    /// Whether the service mentions a login of this kind only to a request with a proof.
    var livesByProof: Bool { self == .serviceToken || self == .apple }
}

extension RESTv2Service {
    /// The proofs for a request.
    ///
    /// The status of the platform is kept until it ends. What came just now is sent even if it seems to have ended: the
    /// device's clock may be wrong.
    ///
    /// - Parameter isRenewed: whether new proofs are wanted even though the last ones seem valid.
    func proofs(for request: RESTv2Request, isRenewed: Bool = false) async -> CarriedProofs {
        var carried = CarriedProofs()
        if request.household == nil, request.endpoint.headers.contains(.serviceToken) {
            carried.serviceToken = await proofs.serviceToken() ?? options().serviceToken
            // With its token, a logout would end the login of the whole household.
            let isForHousehold = request.endpoint != .logout || HouseholdLogout.current != nil
            if carried.serviceToken == nil, isForHousehold {
                switch await proofs.household(isRenewed) {
                case .none: break
                case .token(let token): carried.serviceToken = token
                case .hasLeft: carried.hasLeftHousehold = true
                }
            }
        }
        guard request.showsPlatform else { return carried }
        var status = memory.withLock(\.platformStatus)
        if isRenewed || status?.confirmsLogin(at: now()) != true {
            let asked = await proofs.platformStatus()
            if let asked { remember(asked) }
            // A status that has ended, and that the platform does not confirm, proves nothing.
            status = asked ?? (isRenewed ? status : nil)
        }
        if let status, status.namesProvider { carried.platformStatus = status }
        return carried
    }

    /// Asks a question whose answer may deny a login.
    ///
    /// A denial in answer to an old proof is no decision, so the question is repeated once with a new one.
    ///
    /// - Parameters:
    ///   - kind: where the login comes from; nil when it is not known.
    ///   - denies: whether an answer says that there is no such login.
    ///   - ask: sends the question.
    /// - Throws: `.loginNotProven` for a denial of a login that the question could not prove.
    func answer<Answer>(
        about kind: Profile.Kind?, _ request: RESTv2Request, denies: (Answer) -> Bool,
        _ ask: (RESTv2Request, CarriedProofs) async throws(ServiceError) -> Answer
    ) async throws(ServiceError) -> Answer {
        let carried = await proofs(for: request)
        let first: Result<Answer, ServiceError>
        do throws(ServiceError) {
            first = .success(try await ask(request, carried))
        } catch {
            first = .failure(error)
        }
        guard let kind, kind.livesByProof, first.deniesLogin(denies) else { return try first.get() }
        let renewed = await proofs(for: request, isRenewed: true)
        guard renewed.prove(kind, at: now()) else { throw .loginNotProven }
        return renewed == carried ? try first.get() : try await ask(request, renewed)
    }
}

extension Result where Failure == ServiceError {
    /// Whether the service knows no login, or refuses the proof of it.
    fileprivate func deniesLogin(_ denies: (Success) -> Bool) -> Bool {
        switch self {
        case .success(let answer): denies(answer)
        case .failure(.pendingLogout(let signal)): signal.namesMissingLogin
        case .failure(.refused(let error)): error.code?.hasBytePrefix("invalid_header_pfs_") == true
        case .failure: false
        }
    }
}

extension PendingLogout {
    /// Whether the service says that it has no login, and not why it does not accept the one that it has.
    var namesMissingLogin: Bool { reason?.hasBytePrefix("authenticated_profile_") == true }
}
