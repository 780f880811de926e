/// The sources of the proofs by which a service recognizes some logins.
///
/// A request finds the login of another device in the household, and a login from the platform's sign-on, only if it
/// carries a proof. Without the proof, the service correctly answers that there is no login. Therefore the proof is
/// checked before every request that may carry it, and only an answer to a request with a valid proof can end a login.
public struct LoginProofs: Sendable {
    /// A closure that returns the viewer's current token from the programmer's own identity service, a JWS
    /// (`AD-Service-Token`).
    ///
    /// It is called before every request that may carry the token. If it returns nil or a blank text, the token in the
    /// app's options is used.
    public var serviceToken: @Sendable () async -> String?
    /// A closure that returns the platform's status without showing anything, or nil if the platform does not answer.
    ///
    /// It is called if the last status has expired, and if the service denies a login that the status proves.
    public var platformStatus: @Sendable () async -> PlatformStatus?
    /// A Boolean value that indicates whether the app has an identity service of its own.
    ///
    /// A login may then have come with a token of that service, and a missing token is an outage of it.
    package var hasTokenService = false
    /// A closure that returns the proof that this device belongs to a household.
    ///
    /// The argument is true if the service refused the last proof. The function is called if neither ``serviceToken``
    /// nor the app's options have a token, and for the logout of the whole household.
    package var household: @Sendable (_ isRenewed: Bool) async -> HouseholdProof = { _ in .none }

    /// Creates the sources of proofs.
    ///
    /// - Parameters:
    ///   - serviceToken: returns the viewer's current service token.
    ///   - platformStatus: returns the platform's status.
    public init(
        serviceToken: @escaping @Sendable () async -> String? = { nil },
        platformStatus: @escaping @Sendable () async -> PlatformStatus? = { nil }
    ) {
        self.serviceToken = serviceToken
        self.platformStatus = platformStatus
    }
}
