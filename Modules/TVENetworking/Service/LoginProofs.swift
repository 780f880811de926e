/// Where a service gets the proofs by which it recognizes some logins.
///
/// A login that another device of the household has made, and one from the platform's sign-on, are found by a proof that
/// the request carries. Without the proof the service answers, truthfully for such a request, that there is no login. So a
/// proof is looked at before every request that may carry it, and only an answer to a request with a valid proof can end
/// a login.
public struct LoginProofs: Sendable {
    /// Returns the viewer's current token of the programmer's own identity service, a JWS (`AD-Service-Token`).
    ///
    /// It is called before every request that may carry the token. Where it returns nil, the token in the app's options
    /// counts.
    public var serviceToken: @Sendable () async -> String?
    /// Asks for the platform's status without showing anything; returns nil when the platform does not answer.
    ///
    /// It is called when the last status has ended, and when the service denies a login that the status proves.
    public var platformStatus: @Sendable () async -> PlatformStatus?
    /// Returns the proof that this device belongs to a household; the argument says whether the last one was of no use.
    ///
    /// Asked where ``serviceToken`` and the app's options have no token.
    package var household: @Sendable (_ isRenewed: Bool) async -> HouseholdProof = { _ in .none }

    /// Makes proofs.
    ///
    /// - Parameters:
    ///   - serviceToken: returns the viewer's current service token.
    ///   - platformStatus: asks for the platform's status.
    public init(
        serviceToken: @escaping @Sendable () async -> String? = { nil },
        platformStatus: @escaping @Sendable () async -> PlatformStatus? = { nil }
    ) {
        self.serviceToken = serviceToken
        self.platformStatus = platformStatus
    }
}
