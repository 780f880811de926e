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
///
/// The session owns its flows: classes that are not `Sendable`, each with private state, whose turns are turns of this
/// actor. A flow knows the flows that it was given and no other; what concerns all of them, such as the end of the session
/// or a logout, is told to each here.
public actor EntitlementSession {
    /// The requestor this session works for.
    public nonisolated let requestorID: RequestorID

    nonisolated let parts: SessionParts
    private let counts = Guarded(Statistics())
    let providers: Providers
    let reports: Reports
    let logins: Logins
    let startFlow: Start
    let loginFlow: Login
    let platformFlow: Platform
    /// Nil where the service does not keep the logins.
    let refreshFlow: Refresh?
    let permissionFlow: Permission
    let preauthorizationFlow: Preauthorization
    let metadataFlow: ViewerMetadata
    let logoutFlow: Logout
    /// Calls that were begun in order and have not ended.
    private var begun: [Int: Task<Void, Never>] = [:]
    private var begunCount = 0

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
            SessionParts(
                requestorID: requestorID, services: services, store: store, device: device, clock: clock,
                housekeeping: housekeeping, loginStyle: loginStyle, loginBrowser: loginBrowser,
                systemBrowserProviders: [],
                redirects: safariRedirectURL.map { LoginRedirects(named: $0, usual: $0) { nil } },
                activationURL: activationURL, platform: platform, platformProof: PlatformProof(platform, clock),
                household: nil, sinks: sinks, listeners: SessionEvents(observer: observer)))
    }

    /// - Parameter checked: the result of a check of the store before.
    init(_ parts: SessionParts, checked: IntegrityReport? = nil) {
        requestorID = parts.requestorID
        self.parts = parts
        let readiness = Readiness(parts)
        providers = Providers(parts, readiness)
        reports = Reports(parts, providers)
        logins = Logins(parts, providers, readiness, reports)
        logoutFlow = Logout(logins)
        refreshFlow = logins.areCopies ? Refresh(logins) : nil
        let ending = ([logoutFlow, refreshFlow] as [(any GivesWay)?]).compactMap(\.self)
        platformFlow = Platform(logins, ending: ending)
        loginFlow = Login(logins, platformFlow, ending: ending)
        startFlow = Start(logins, loginFlow, refreshFlow, checked: checked)
        permissionFlow = Permission(logins, loginFlow, refreshFlow)
        preauthorizationFlow = Preauthorization(logins)
        metadataFlow = ViewerMetadata(logins, refreshFlow)
    }

    /// The household of this device; nil for a session of the classic services, or of services that the app has made.
    public nonisolated var household: Household? { parts.household }

    /// Status, tracking and authentication events from now on.
    ///
    /// Each access makes a new stream; that of a closed session has ended.
    public nonisolated var events: AsyncStream<SessionEvent> { parts.listeners.stream() }

    /// The outcomes of this session's calls so far.
    public nonisolated var statistics: Statistics { counts.withLock(\.self) }

    // MARK: - The end

    /// Ends everything that is running and reports nothing more, for an app that does not need the session any more.
    ///
    /// Calls that wait fail; what is stored stays.
    public nonisolated func close() {
        // The flag that every call, report and ticket reads: from now on nothing is shown.
        parts.listeners.close()
        Task { await end() }
    }

    /// Closes the session, and returns when every call has its answer.
    package func end() async {
        parts.listeners.close()
        startFlow.close()
        loginFlow.close(on: self)
        logoutFlow.close()
        refreshFlow?.close(on: self)
        permissionFlow.close(on: self)
        preauthorizationFlow.close()
        providers.close()
        // What a call waits for outside the flows, such as an answer of a slow service, would delay the next session.
        let begun = Array(begun.values)
        for call in begun { call.cancel() }
        for call in begun { await call.value }
    }

    package nonisolated var isClosed: Bool { !parts.isOpen }

    // MARK: - Calls in order

    /// Begins a call, and returns when the call waits or has ended.
    ///
    /// The order in which tasks are made is not the order in which they start, so a caller that needs an order waits
    /// for each to start. A started call keeps the actor up to its first wait.
    package func begin(_ call: @escaping @Sendable (isolated EntitlementSession) async -> Void) async {
        begunCount += 1
        let number = begunCount
        await withCheckedContinuation { started in
            begun[number] = Task {
                started.resume()
                await call(self)
                begun[number] = nil
            }
        }
    }

    /// Reports how a call ended and how long it took, once it has an answer.
    func report<Value>(_ call: CallReport.Call) -> (Result<Value, TVEError>) -> Void {
        let began = parts.clock.uptime()
        return { [counts, reports, clock = parts.clock] answer in
            let failure: TVEError.Code? = if case .failure(let error) = answer { error.code } else { nil }
            let report = CallReport(call, failure: failure, duration: clock.uptime() - began)
            counts.withLock { $0.record(report) }
            reports.emit(.completed(report))
        }
    }
}
