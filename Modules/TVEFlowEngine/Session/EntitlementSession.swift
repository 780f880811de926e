public import Foundation
public import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
public import TVETracking

/// One requestor's entitlements on this device: who is logged in and what may be watched.
///
/// Start it, then call what you need; every call returns its own result. Calls may come from any task. A result or an
/// event is already stored when the app receives it.
public actor EntitlementSession {
    /// The requestor this session works for.
    public nonisolated let requestorID: RequestorID

    /// The services to ask, in the app's order.
    let services: [any EntitlementService]
    let store: EntitlementStore
    let device: DeviceIdentity
    let clock: SessionClock
    let housekeeping: Housekeeping
    let loginStyle: LoginStyle
    let loginBrowser: LoginBrowser
    let redirects: LoginRedirects?
    /// The page at which viewers type codes.
    let activationURL: URL?
    let platform: (any PlatformSignOn)?
    let sinks: [any TrackingSink]
    let counts = Guarded(Statistics())
    let listeners: SessionEvents

    /// The state of each flow: only the code in the folder of its name changes it; other flows read what is running.
    var startFlow = StartFlow()
    var configurationFlow = ConfigurationFlow()
    var loginFlow = LoginFlow()
    var logoutFlow = LogoutFlow()
    var profileCopiesFlow = ProfileCopiesFlow()
    var permissionFlow = PermissionFlow()
    var platformFlow = PlatformFlow()
    let preauthorizations = SharedQuestions<
        PreauthorizationQuestion, Result<[PreauthorizationDecision], TVEError>
    >()
    var permits = PermitMemory()
    var calls = SessionCalls()

    /// Makes a session from its parts; nothing is sent or read before the first call.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor to work for.
    ///   - services: the services to ask, each in its wire dialect; the fastest that knows a provider is asked about it.
    ///   - store: where entitlements are stored.
    ///   - device: the device's identity.
    ///   - clock: the current time.
    ///   - housekeeping: what is done to the store at every start.
    ///   - loginStyle: where viewers log in.
    ///   - loginBrowser: which browser opens the pages of a service that keeps the logins.
    ///   - safariRedirectURL: where logins in the system's browser end; nil for the redirect of the services.
    ///   - activationURL: the page at which viewers type codes, for ``RegistrationCode/activationURL``.
    ///   - platform: the platform's own sign-on, if it has one.
    ///   - sinks: receive tracking events.
    ///   - observer: called with every event in order, inside the call that causes it; it must be short.
    public init(
        requestorID: RequestorID, services: [any EntitlementService], store: EntitlementStore, device: DeviceIdentity,
        clock: SessionClock = .system, housekeeping: Housekeeping = Housekeeping(),
        loginStyle: LoginStyle = .ofThisSystem, loginBrowser: LoginBrowser = .system,
        safariRedirectURL: URL? = nil, activationURL: URL? = nil, platform: (any PlatformSignOn)? = nil,
        sinks: [any TrackingSink] = [], observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.init(
            requestorID: requestorID, services: services, store: store, device: device, clock: clock,
            housekeeping: housekeeping, loginStyle: loginStyle, loginBrowser: loginBrowser,
            redirects: safariRedirectURL.map { LoginRedirects(named: $0, usual: $0) { nil } },
            activationURL: activationURL, platform: platform, sinks: sinks, observer: observer)
    }

    /// - Parameter redirects: where logins end; nil for the redirect of the services.
    init(
        requestorID: RequestorID, services: [any EntitlementService], store: EntitlementStore, device: DeviceIdentity,
        clock: SessionClock, housekeeping: Housekeeping, loginStyle: LoginStyle, loginBrowser: LoginBrowser,
        redirects: LoginRedirects?, activationURL: URL?, platform: (any PlatformSignOn)?, sinks: [any TrackingSink],
        observer: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.requestorID = requestorID
        self.services = services
        self.store = store
        self.device = device
        self.clock = clock
        self.housekeeping = housekeeping
        self.loginStyle = loginStyle
        self.loginBrowser = loginBrowser
        self.redirects = redirects
        self.activationURL = activationURL
        self.platform = platform
        self.sinks = sinks
        self.listeners = SessionEvents(observer: observer)
    }

    /// Status, tracking and authentication events from now on.
    ///
    /// Each access makes a new stream; that of a closed session has ended.
    public nonisolated var events: AsyncStream<SessionEvent> { listeners.stream() }

    /// The outcomes of this session's calls so far.
    public nonisolated var statistics: Statistics { counts.withLock(\.self) }

    /// Ends everything that is running and reports nothing more, for an app that does not need the session any more.
    ///
    /// Calls that wait fail; what is stored stays.
    public nonisolated func close() {
        listeners.close()
        Task { await end() }
    }

    /// Closes the session, and returns when every call has its answer.
    package func end() async {
        listeners.close()
        handle(StartEvent.closed)
        handle(LoginEvent.closed)
        handle(LogoutEvent.closed)
        handle(ProfileCopiesEvent.closed)
        endPermissions(.left)
        permissionFlow.questions.cancelAll()
        preauthorizations.cancelAll()
        configurationFlow.questions.cancelAll()
        // What a call waits for outside the machines, such as an answer of a slow service, would delay the next session.
        let begun = Array(calls.begun.values)
        for call in begun { call.cancel() }
        for call in begun { await call.value }
    }

    package nonisolated var isClosed: Bool { !listeners.isOpen }

    /// Whether a URL that the system passes to the app may be the end of a login of this session.
    package nonisolated func mayEndLogin(at url: URL) -> Bool { redirects?.mayEnd(at: url) == true }

    package var hasStarted: Bool { startFlow.machine.hasStarted }
}
