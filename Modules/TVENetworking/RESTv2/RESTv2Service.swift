public import Foundation
public import TVEModels

/// The client of REST API v2, whose service stores the logins while the device stores a copy.
public struct RESTv2Service: LoginKeepingService, PlatformSignOnService {
    let provider: ServiceProvider
    let client: ClientDescription
    let fingerprint: String
    let registration: ApplicationRegistration
    let transport: any HTTPTransport
    let options: @Sendable () -> ClientOptions
    private(set) var proofs: LoginProofs
    let now: @Sendable () -> Date
    let sleep: @Sendable (Duration) async throws -> Void
    let memory = Guarded(Memory())
    private let profiles = LastRead<StoredProfile>()
    let deviceHeader: String

    /// Values of earlier answers that later requests need.
    struct Memory {
        var platformStatus: PlatformStatus?
        /// The number of statuses that the session has passed.
        var passedStatuses = 0
        /// A Boolean value that indicates whether a request has carried a service token of the app's options.
        var hasHadTokenInOptions = false
        /// The hash of the code that was polled last, and the time of the poll.
        ///
        /// The code itself is a secret.
        var poll: (code: Int, sent: Date)?
        /// The hash of the access token that the last attempt to replace one after the challenge of another server has
        /// left, and the time of the attempt.
        var challenge: (token: Int, renewed: Date)?
    }

    /// The service's root URL, without a path.
    public var root: URL { provider.root }

    /// The description of the device that every request carries.
    public var deviceInformation: DeviceInformation? { client.deviceInfo }

    /// Creates a service.
    ///
    /// It sends nothing before the first call.
    ///
    /// - Parameters:
    ///   - provider: the endpoint of the service.
    ///   - client: the description of this client.
    ///   - fingerprint: the fingerprint in copies of logins on this device, in lowercase hexadecimal.
    ///   - registration: the registration that supplies access tokens.
    ///   - transport: the transport that sends the requests.
    ///   - options: returns the options of the app. They are read before every request. Each endpoint accepts some of
    ///     them, and undocumented options are not sent.
    ///   - proofs: the source of the proofs that some logins need.
    ///   - now: returns the current time, by the device's clock.
    ///   - sleep: waits before a retry, and throws if the task is cancelled.
    public init(
        provider: ServiceProvider, client: ClientDescription, fingerprint: String,
        registration: ApplicationRegistration, transport: any HTTPTransport,
        options: @escaping @Sendable () -> ClientOptions = { ClientOptions() }, proofs: LoginProofs = LoginProofs(),
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.provider = provider
        self.client = client
        deviceHeader = "fingerprint \(Data(client.deviceID.utf8).base64EncodedString())"
        self.fingerprint = fingerprint
        self.registration = registration
        self.transport = transport
        self.options = options
        self.proofs = proofs
        self.now = now
        self.sleep = sleep
    }

    /// Returns the same service, whose requests also carry the proof of a household.
    ///
    /// - Parameter proof: returns the proof; see ``LoginProofs/household``.
    package func proving(_ proof: @escaping @Sendable (_ isRenewed: Bool) async -> HouseholdProof) -> Self {
        var service = self
        service.proofs.household = proof
        return service
    }

    /// Loads the configuration of a service provider; see ``EntitlementService``.
    ///
    /// An unknown service provider is `.refused` with `invalid_parameter_service_provider`.
    public func configuration(of requestorID: RequestorID) async throws(ServiceError) -> RequestorConfiguration {
        let answer = try await fetch(
            ConfigurationAnswer.self, .configuration(of: requestorID, profile: options().applicationProfile),
            limits: .configuration)
        return answer.configuration.supplied(by: root)
    }

    /// Returns a Boolean value that indicates whether a login is the copy of a profile.
    ///
    /// - Parameter login: a stored login.
    public func recognizes(_ login: AuthenticationToken) -> Bool { login.isCopy }

    /// The value is true, because the service decides before every playback, and its decision contains the media token.
    public var decidesEveryPlay: Bool { true }

    /// Reads the profile in a stored copy, or returns nil for any other text.
    func profile(in copy: TokenText) -> StoredProfile? {
        try? profiles.value(of: copy.rawValue) { try StoredProfile(TokenText($0)) }
    }

    /// Stores the status of the platform's sign-on for later requests; see ``PlatformSignOnService``.
    public func remember(_ status: PlatformStatus) {
        memory.withLock { memory in
            memory.platformStatus = status
            memory.passedStatuses += 1
        }
    }
}
