import AccessEnabler
import Foundation
import HTTPTypes
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// An app on the classic API, with a sandbox.
struct ClassicApp {
    let sandbox: Sandbox
    let transport: ScriptedTransport
    /// The storage, unless the test supplies its own.
    let storage = FailingStorage()
    let enabler: AccessEnabler
    let recorder = CallbackRecorder()
    /// The clock of the app and the sandbox; a pause of up to three seconds passes at once.
    let clock: ManualClock

    /// - Parameters:
    ///   - service: the dialect, or nil for the one for which the application is registered.
    ///   - isInline: a Boolean value that indicates whether callbacks run in place, without a queue.
    ///   - earlier: the app before it was closed. Its sandbox and clock continue.
    ///   - held: a queue that holds callbacks until the test runs them.
    ///   - isDirect: a Boolean value that indicates whether requests are calls of the sandbox's routes.
    init(
        _ service: ServiceDialect? = .classic, storage own: (any StorageBackend)? = nil, statement: String? = nil,
        world: SandboxWorld = .demo, isInline: Bool = false,
        earlier: ClassicApp? = nil, check: IntegrityCheckType = .INTEGRITY_CHECK_NONE,
        automaticBrowser: (any AutomaticBrowser)? = nil, callbacks held: HeldQueue? = nil,
        isDirect: Bool = !LongTests.areOn,
        change: (inout SessionEnvironment) -> Void = { _ in }
    ) async throws {
        let clock = earlier?.clock ?? ManualClock(shortWait: .seconds(3))
        let sandbox: Sandbox
        if let earlier {
            sandbox = earlier.sandbox
        } else {
            sandbox = try await Sandbox(world: world.strict, isDirect: isDirect, now: { clock.now })
        }
        self.sandbox = sandbox
        transport = ScriptedTransport(
            next: DirectTransport(to: sandbox.baseURL, isDirect: isDirect) {
                await sandbox.routes.answer($0, body: $1)
            })
        self.clock = clock
        let line = DispatchQueue(label: "callbacks")
        var environment = SessionEnvironment(
            storage: own ?? storage, transport: transport, clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
        change(&environment)
        enabler = AccessEnabler(
            statement ?? sandbox.softwareStatement, service: service, storageCheck: check, environment: environment,
            automaticBrowser: automaticBrowser,
            callbackRun: { callback in
                if let held { held.submit(callback) } else if isInline { callback() } else { line.async { callback() } }
            })
        enabler.delegate = recorder
        enabler.statusDelegate = recorder
    }

    func setRequestor(_ id: String = "DEMO") {
        enabler.setRequestor(id, serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
    }

    /// All callbacks up to and including a matching one.
    func callbacks(until fits: (ClassicCallback) -> Bool) async -> [ClassicCallback] {
        // The limit is shorter than that of a test, so that a test that waits in vain reports for what it waits.
        let callbacks = await recorder.callbacks(until: fits, within: Duration.hanging / 2)
        if callbacks.last.map(fits) != true {
            Issue.record("It never came: \(callbacks), after all of \(recorder.callbacks)")
        }
        return callbacks
    }

    /// Waits until the app has made a request whose path contains a text.
    func hasAsked(for part: String) async {
        while !transport.requests.contains(where: { $0.contains(part) }), !Task.isCancelled { await Task.shortPause() }
    }

    /// Holds the requests whose path contains one of the texts, until the gate opens or one of them is cancelled.
    func holdRequests(for parts: String...) -> Gate {
        let gate = Gate()
        transport.setInterception { request, _ in
            if parts.contains(where: { request.path?.contains($0) == true }) { await gate.pass() }
            return nil
        }
        return gate
    }

    /// Takes callbacks until one requests a page, and navigates a browser through that page.
    func browse(as viewer: HeadlessBrowser.Viewer = .logsIn(name: "viewer", password: "secret")) async throws {
        try await finish(#require(await callbacks(until: \.isNavigation).last?.page), as: viewer)
    }

    /// Navigates a browser through a page and returns the URL at which it ended.
    func finish(
        _ url: String, as viewer: HeadlessBrowser.Viewer = .logsIn(name: "viewer", password: "secret")
    ) async throws {
        var browser = HeadlessBrowser(transport: BrowserTransport())
        let end = await browser.open(try #require(URL(string: url)), endingAt: AccessEnabler.redirectURL, as: viewer)
        guard case .redirect(let redirect) = end else {
            Issue.record("\(end)")
            return
        }
        enabler.handleExternalURL(redirect.absoluteString)
    }

    /// The app, after its first `setRequestor`.
    func started() -> ClassicApp {
        setRequestor()
        return self
    }

    /// The app, with a viewer who has logged in.
    func loggedIn() async throws -> ClassicApp {
        try await logIn()
        return self
    }

    /// Begins a login, and takes callbacks until the picker.
    func openPicker() async {
        enabler.getAuthentication()
        _ = await callbacks(until: \.isProviderDialog)
    }

    /// Sets the requestor, and begins a login with a provider, which needs no picker.
    func beginLogin() {
        setRequestor()
        enabler.setSelectedProvider("demo-cable")
        enabler.getAuthentication()
    }

    /// Takes callbacks until one reports whether the viewer is logged in.
    func loginStatus() async -> ClassicCallback? { await callbacks(until: \.isAuthenticationStatus).last }

    func logIn() async throws {
        setRequestor()
        enabler.getAuthentication()
        try await chooseAndLogIn()
    }

    /// Takes callbacks until the picker, chooses a provider, and navigates a browser through the page.
    func chooseAndLogIn() async throws {
        _ = await callbacks(until: \.isProviderDialog)
        enabler.setSelectedProvider("demo-cable")
        try await browse()
        _ = await loginStatus()
    }
}

extension ClassicCallback {
    var isProviderDialog: Bool { if case .providerDialog = self { true } else { false } }

    var isRequestorComplete: Bool { if case .requestorComplete = self { true } else { false } }

    var isNavigation: Bool { page != nil }

    /// The page to open, in the app or in Safari.
    var page: String? {
        switch self {
        case .navigate(let url), .navigateInSafari(let url, _): url
        default: nil
        }
    }

    var isAuthenticationStatus: Bool { if case .authenticationStatus = self { true } else { false } }

    var isSelectedProvider: Bool { if case .selectedProvider = self { true } else { false } }

    var isToken: Bool { if case .token = self { true } else { false } }

    var isAuthorizationEnd: Bool { if case .tokenRequestFailed = self { true } else { isToken } }

    /// The callback without the parts that differ between runs.
    var word: String {
        switch self {
        case .tracking(let data, let event): "tracking \(event) \(data[0])"
        case .navigate: "navigate"
        case .navigateInSafari: "navigate in Safari"
        case .token(_, let resource): "token \(resource)"
        default: description
        }
    }
}
