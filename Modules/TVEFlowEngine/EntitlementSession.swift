import Crypto
public import Foundation
public import TVEDeviceBinding
import TVEModels
public import TVENetworking
public import TVEStorage
public import TVETracking

/// One requestor's entitlements on this device: who is logged in and what may be watched.
///
/// Start it, then call what you need; every call returns its own result. Calls may come from any task. What is
/// announced, by return or by event, is already stored.
public actor EntitlementSession {
    /// The requestor this session works for.
    public nonisolated let requestorID: String

    /// The services to ask, in the order in which the app named them.
    let services: [any EntitlementService]
    let store: EntitlementStore
    let device: DeviceIdentity
    let clock: SessionClock
    let housekeeping: Housekeeping
    let loginStyle: LoginStyle
    let safariRedirectURL: URL?
    let platform: (any PlatformSignOn)?
    let sinks: [any TrackingSink]
    let counts = Guarded(Statistics())
    let hub: SessionEvents

    /// How far a start is.
    var startMachine = StartMachine()
    var startCalls: [CallID: CheckedContinuation<Result<RequestorConfiguration, TVEError>, Never>] = [:]
    var startStep: (start: Int, task: Task<Void, Never>)?
    /// Who is at a login.
    var loginMachine = LoginMachine()
    /// The calls that wait for it.
    var loginCalls: [CallID: LoginCall] = [:]
    /// The step of a login that runs.
    var loginStep: (attempt: Int, task: Task<Void, Never>)?
    /// The step that was left last; the next one waits until it has taken away what it shows.
    var leftLoginStep: Task<Void, Never>?
    /// Shows and hides codes, one after the other.
    var codeDisplay: Task<Void, Never>?
    /// The logout whose tokens are gone already.
    var logoutMachine = LogoutMachine()
    var logoutCalls: [CallID: LogoutCall] = [:]
    /// Calls for permission that have no answer yet.
    var permissionCalls: [CallID: PermissionCall] = [:]
    /// When the service is asked which logins it keeps.
    var keptLoginsMachine = KeptLoginsMachine()
    var keptLoginsTask: Task<Void, Never>?
    /// Calls that a machine holds.
    var pausedCalls: [CallID: CheckedContinuation<Void, Never>] = [:]
    var logoutTasks: [Int: [Task<Void, Never>]] = [:]
    /// Calls that somebody wanted begun in order.
    private var begunCalls: [CallID: Task<Void, Never>] = [:]
    private var calls = 0

    /// Whether the check of the store that the housekeeping asks for was done.
    var hasCheckedStore = false
    /// What the platform's sign-on had to say at the last start, for those who ask why nobody is logged in.
    var platformNote: StatusEvent?
    /// Whether the service knows what the platform's sign-on says; without, it does not mention logins that came from there.
    var hasPlatformStatus = false
    /// What a check of the store before the session was made found.
    var earlyReport: IntegrityReport?

    /// Authorizations in flight, so that equal ones are asked for once.
    var authorizations: [AuthorizationQuestion: SingleFlight<Result<AuthorizationToken, TVEError>>] = [:]
    /// Preauthorizations in flight.
    var preauthorizations: [PreauthorizationQuestion: SingleFlight<Result<[PreauthorizationDecision], TVEError>>] = [:]

    /// Makes a session of its parts; nothing is sent or read before the first call.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor to work for.
    ///   - services: the services to ask, each in its wire dialect; the fastest that knows a provider is asked about it.
    ///   - store: where entitlements are kept.
    ///   - device: who this device is.
    ///   - clock: what time it is.
    ///   - housekeeping: what is done to the store at every start.
    ///   - loginStyle: where viewers log in.
    ///   - safariRedirectURL: where logins end with providers that need Safari; nil for the usual place.
    ///   - platform: the platform's own sign-on, if it has one.
    ///   - sinks: take tracking events.
    ///   - observer: called with every event in order, inside the call that causes it; it must be short.
    public init(
        requestorID: String, services: [any EntitlementService], store: EntitlementStore, device: DeviceIdentity,
        clock: SessionClock = .system, housekeeping: Housekeeping = Housekeeping(),
        loginStyle: LoginStyle = .ofThisSystem, safariRedirectURL: URL? = nil, platform: (any PlatformSignOn)? = nil,
        sinks: [any TrackingSink] = [], observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.requestorID = requestorID
        self.services = services
        self.store = store
        self.device = device
        self.clock = clock
        self.housekeeping = housekeeping
        self.loginStyle = loginStyle
        self.safariRedirectURL = safariRedirectURL
        self.platform = platform
        self.sinks = sinks
        self.hub = SessionEvents(observer: observer)
    }

    /// Status, tracking and authentication events from now on.
    ///
    /// Each access is a stream of its own.
    public nonisolated var events: AsyncStream<SessionEvent> { hub.stream() }

    /// What the calls of this session came to so far.
    public nonisolated var statistics: Statistics { counts.withLock(\.self) }

    /// Ends whatever is on its way and reports nothing further, for whoever has no more use for the session.
    ///
    /// Calls that wait fail; what is stored stays.
    public nonisolated func close() {
        hub.close()
        Task { await end() }
    }

    /// Closes the session, and returns when every call that was begun has its answer.
    package func end() async {
        hub.close()
        handle(StartEvent.closed)
        handle(LoginEvent.closed)
        handle(LogoutEvent.closed)
        handle(KeptLoginsEvent.closed)
        handleAll(.left)
        for flight in authorizations.values { _ = flight.cancel() }
        for flight in preauthorizations.values { _ = flight.cancel() }
        for call in begunCalls.values { await call.value }
    }

    /// Begins a call, and returns when it waits for something or has ended.
    ///
    /// The order in which tasks are made is not the order in which they start, so whoever wants calls to begin in order waits
    /// for each to have started. It then keeps the actor up to its first wait.
    package func begin(_ call: @escaping @Sendable (isolated EntitlementSession) async -> Void) async {
        let number = nextCall()
        await withCheckedContinuation { begun in
            begunCalls[number] = Task {
                begun.resume()
                await call(self)
                begunCalls[number] = nil
            }
        }
    }

    /// Whether the session was closed.
    package nonisolated var isClosed: Bool { !hub.isOpen }

    /// Whether a start has succeeded.
    package var hasConfiguration: Bool { loaded != nil }

    // MARK: - For the flows

    /// The name of a call that waits for its answer.
    func nextCall() -> CallID {
        calls += 1
        return CallID(number: calls)
    }

    /// What the services answered at the last start.
    var loaded: LoadedConfiguration? { startMachine.loaded }

    /// The configuration, or the error for a call that came before a successful start.
    func configured() throws(TVEError) -> RequestorConfiguration {
        try configuredServices().merged
    }

    /// The configuration with the services behind it.
    func configuredServices() throws(TVEError) -> LoadedConfiguration {
        guard let loaded else {
            throw TVEError(.requestorNotConfigured, message: "The session was not started, or starting it failed.")
        }
        return loaded
    }

    /// The service for a provider, the first one while no configuration says whose it is.
    func service(of mvpdID: String) -> (any EntitlementService)? {
        loaded?.service(of: mvpdID) ?? services.first
    }

    /// Whether the service keeps the logins, so that those here are copies.
    var keepsCopies: Bool { services.first?.keepsLogins == true }

    /// Runs a call and reports how it ended and how long it took.
    func measured<Value>(
        _ call: CallReport.Call, _ body: () async throws(TVEError) -> Value
    ) async throws(TVEError) -> Value {
        let began = clock.uptime()
        do throws(TVEError) {
            let value = try await body()
            report(CallReport(call, duration: clock.uptime() - began))
            return value
        } catch {
            report(CallReport(call, failure: error.code, duration: clock.uptime() - began))
            throw error
        }
    }

    private func report(_ report: CallReport) {
        counts.withLock { $0.record(report) }
        hub.emit(.completed(report))
    }

    /// Reports an error's status code, if it has one, and hands the error back.
    func reported(_ error: TVEError, resource: Resource? = nil) -> TVEError {
        if let status = error.status {
            hub.emit(.status(StatusEvent(status, message: error.message, resource: resource)))
        }
        return error
    }

    func track(_ event: TrackingEvent) {
        let client = TrackedClient(loaded?.merged)
        hub.emit(.tracking(event, client))
        guard hub.isOpen else { return }
        for sink in sinks { sink.record(event, client: client, at: clock.now()) }
    }

    /// Runs a storage call and translates its error.
    func stored<Value>(_ body: () throws(StorageError) -> Value) throws(TVEError) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            throw TVEError(error)
        }
    }

    /// Runs a storage call whose value may be unreadable.
    ///
    /// Without an integrity check, a value nobody can read is kept and counts as none (row T-65).
    func readable<Value>(_ body: () throws(StorageError) -> Value?) throws(TVEError) -> Value? {
        try stored { () throws(StorageError) in
            do throws(StorageError) {
                return try body()
            } catch .invalidValue(_) {
                return nil
            }
        }
    }

    /// Runs a service call and translates its error.
    func served<Value>(
        _ phase: FlowPhase, _ body: () async throws(ServiceError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            throw TVEError(error, during: phase)
        }
    }

    func profile(of token: AuthenticationToken) -> Profile {
        // Behind a TempPass there is nobody but the device (row TP6).
        let isTempPass = loaded?.merged.requestor.provider(token.claims.providerID)?.isTempPass == true
        return Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: Self.trackingID(isTempPass ? device.deviceID : token.claims.authenticationGUID))
    }

    /// MD5 of the login's GUID: what tracking reports instead of an id of the viewer (wire protocol, tracking).
    package static func trackingID(_ guid: String) -> String {
        Insecure.MD5.hash(data: Data(guid.utf8)).hexadecimal
    }
}

extension TrackedLogin {
    init(_ profile: Profile, isCached: Bool) {
        self.init(mvpdID: profile.mvpdID, trackingID: profile.trackingID, isCached: isCached)
    }
}
