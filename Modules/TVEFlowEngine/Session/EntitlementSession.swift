public import Foundation
public import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
public import TVETracking

/// The entitlements of one requestor on this device: its logins and permissions.
///
/// Call ``start(using:)`` first. After that, every call returns its own result, and calls may come from any task. The
/// login and the chosen provider are already stored when the app receives them. What can be requested again, such as a
/// permission, is stored if that is possible at once: no play fails or waits because of it.
///
/// The session owns its flows: classes that are not `Sendable`, each with private state, that run in turns of this
/// actor. A flow knows only the flows that it was given. The session notifies its flows when it ends, and
/// the flows of permissions, logins and logouts when the viewer logs out. The refresh and the preauthorization notice a
/// logout by a changed count of `Logins`.
public actor EntitlementSession {
    /// The requestor whose entitlements this session manages.
    public nonisolated let requestorID: RequestorID

    nonisolated let parts: SessionParts
    private let counts = Guarded(Statistics())
    let providers: Providers
    let reports: Reports
    let logins: Logins
    let startFlow: Start
    let loginFlow: Login
    /// The flow that updates the copies of logins; `nil` if the service does not keep the logins.
    let refreshFlow: Refresh?
    let permissionFlow: Permission
    let preauthorizationFlow: Preauthorization
    let logoutFlow: Logout
    /// The calls that were begun in order and have not ended.
    private var begun: [Int: Task<Void, Never>] = [:]
    private var begunCount = 0

    /// Creates a session from its parts.
    ///
    /// The session sends and reads nothing before the first call.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor whose entitlements the session manages.
    ///   - services: the services, each in its wire dialect. A provider is served by the fastest service that knows it.
    ///   - store: the store of the entitlements.
    ///   - device: the device's identity.
    ///   - clock: the source of the current time.
    ///   - housekeeping: the maintenance of the store at every start.
    ///   - loginStyle: the screen on which viewers log in.
    ///   - loginBrowser: the browser that opens the pages of a service that keeps the logins.
    ///   - safariRedirectURL: the redirect of logins in the system's browser. Pass `nil` to use the redirect of the
    ///     services.
    ///   - activationURL: the page at which viewers type codes, for ``RegistrationCode/activationURL``.
    ///   - platform: the platform's own sign-on, if it has one.
    ///   - sinks: the sinks that receive tracking events.
    ///   - observer: a closure that receives every event in order, during the call that causes it. It must return
    ///     quickly.
    public init(
        requestorID: RequestorID, services: [any EntitlementService], store: EntitlementStore, device: DeviceIdentity,
        clock: SessionClock = .system, housekeeping: Housekeeping = Housekeeping(),
        loginStyle: LoginStyle = .ofThisSystem, loginBrowser: LoginBrowser = .system,
        safariRedirectURL: URL? = nil, activationURL: URL? = nil, platform: (any PlatformSignOn)? = nil,
        sinks: [any TrackingSink] = [], observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.init(
            SessionParts(
                requestorID: requestorID, services: services, store: store.waiting(atMost: Self.longestWaitForStore),
                device: device, clock: clock, housekeeping: housekeeping, loginStyle: loginStyle,
                loginBrowser: loginBrowser, systemBrowserProviders: [], skipsPicker: true,
                redirects: safariRedirectURL.map { url in
                    LoginRedirects(named: { url }, usual: url, registered: { nil })
                },
                activationURL: activationURL, platform: platform,
                platformProof: platform.map { PlatformProof($0, clock) }, household: nil, sinks: sinks,
                listeners: SessionEvents(observer: observer)))
    }

    /// - Parameter checked: the result of an earlier check of the store, if there was one.
    init(_ parts: SessionParts, checked: IntegrityReport? = nil) {
        requestorID = parts.requestorID
        self.parts = parts
        let changes = Readiness.Changes(parts)
        providers = Providers(parts, changes.readiness)
        reports = Reports(providers)
        logins = Logins(providers, readiness: changes.readiness, reports: reports)
        logoutFlow = Logout(logins)
        refreshFlow = logins.areRefreshed ? Refresh(logins) : nil
        let ending = ([logoutFlow, refreshFlow] as [(any EndsBeforeLogin)?]).compactMap(\.self)
        loginFlow = Login(logins, Platform(logins), ending: ending)
        startFlow = Start(logins, changes, login: loginFlow, refresh: refreshFlow, checked: checked)
        permissionFlow = Permission(logins, login: loginFlow, refresh: refreshFlow)
        preauthorizationFlow = Preauthorization(logins)
    }

    /// The longest time that a write waits for another process.
    ///
    /// A session writes in turns of its actor, and nobody may wait long for such a turn. A process that keeps the store
    /// locked for longer has been stopped, for example in the background.
    static let longestWaitForStore = Duration.milliseconds(250)

    /// The household of this device; `nil` for a session of the classic services, or of services that the app created
    /// itself.
    public nonisolated var household: Household? { parts.household }

    /// A stream of the session's events from now on.
    ///
    /// Each access creates a new stream. The stream of a closed session has ended.
    public nonisolated var events: AsyncStream<SessionEvent> { parts.listeners.stream() }

    /// The outcomes and durations of this session's calls so far, by kind of call.
    public nonisolated var statistics: Statistics { counts.withLock(\.self) }

    // MARK: - The end

    /// Ends all running work and stops all reports, for an app that no longer needs the session.
    ///
    /// Waiting calls fail. Stored data stays. A presenter that was called a moment before may still be on its way to
    /// its own actor. Its task is cancelled, so what it then shows ends at once.
    public nonisolated func close() {
        // Every call, report and ticket reads this flag, so no presenter is called from now on.
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
        parts.household?.close()
        // A call may wait for work outside the flows, such as the answer of a slow service, which would delay the next
        // session.
        let begun = Array(begun.values)
        for call in begun { call.cancel() }
        for call in begun { await call.value }
    }

    // MARK: - Calls in order

    /// Begins a call, and returns when the call waits for the first time or has ended.
    ///
    /// Tasks do not start in the order in which they are created, so a caller that needs an order waits for each one to
    /// start. A started call holds the actor until its first wait.
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

    /// Returns a closure that reports the outcome and the duration of a call when it receives the call's answer.
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

/// The base class of a session's flows, with the dependencies that they share.
///
/// A flow is not `Sendable`. It belongs to its session and runs in turns of that actor.
class Flow {
    let logins: Logins

    init(_ logins: Logins) {
        self.logins = logins
    }

    final var providers: Providers { logins.providers }
    final var reports: Reports { logins.reports }
    final var parts: SessionParts { logins.parts }
}
