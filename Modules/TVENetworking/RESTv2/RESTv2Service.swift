public import Foundation
public import TVEModels

/// REST API v2: the service keeps the logins, and the device stores a copy.
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
        /// The hash of the code that was polled last, which is a secret, and when.
        var poll: (code: Int, sent: Date)?
    }

    /// The service's root URL, without a path.
    public var root: URL { provider.root }

    /// The device's id as the single sign-on service lists it.
    var householdDeviceID: String { client.deviceID }

    /// What every request says about the device.
    public var deviceInformation: DeviceInformation? { client.deviceInfo }

    /// Makes a service; nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - provider: the service's endpoint.
    ///   - client: the description of this client.
    ///   - fingerprint: the fingerprint in copies of logins on this device, lowercase hexadecimal.
    ///   - registration: supplies access tokens.
    ///   - transport: sends requests.
    ///   - options: read before every request; each endpoint has some of them, and undocumented ones are not sent.
    ///   - proofs: where the proofs of logins come from, which some logins need.
    ///   - now: the device's clock.
    ///   - sleep: waits before a retry; throws when the task is cancelled.
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

    /// The same service, whose requests carry the proof of a household.
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
        let answer = try await ask(
            ConfigurationAnswer.self, .configuration(of: requestorID, profile: options().applicationProfile),
            limits: .configuration)
        return answer.configuration.supplied(by: root)
    }

    /// Whether a login is the copy of a profile.
    ///
    /// - Parameter login: a stored login.
    public func recognizes(_ login: AuthenticationToken) -> Bool { login.isCopy }

    /// The service decides before every playback, and the media token comes with the decision.
    public var decidesEveryPlay: Bool { true }

    /// What a stored copy says about its login; nil for another text.
    func profile(in copy: TokenText) -> StoredProfile? {
        try? profiles.value(of: copy.rawValue) { try StoredProfile(TokenText($0)) }
    }

    /// Takes the status of the platform's sign-on; see ``PlatformSignOnService``.
    public func remember(_ status: PlatformStatus) { memory.withLock { $0.platformStatus = status } }
}
