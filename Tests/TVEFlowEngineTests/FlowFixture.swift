import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import TVETracking
import Testing

/// A sandbox, a storage and the sessions that a test starts on them, all on one clock.
struct FlowFixture {
    let dialect: ServiceDialect
    static let redirect = URL(string: "adobepass://ios.app")

    /// A test does not wait for the pace of the transport.
    let clock = ManualClock(shortWait: .seconds(3))
    let storage = MemoryStorage()
    let transport: ScriptedTransport
    let sandbox: Sandbox

    /// - Parameter isDirect: a Boolean value that indicates whether requests are calls of the sandbox's routes.
    init(_ dialect: ServiceDialect, world: SandboxWorld = .demo, isDirect: Bool = !LongTests.areOn) async throws {
        self.dialect = dialect
        let sandbox = try await Sandbox(world: world.strict, isDirect: isDirect, now: { [clock] in clock.now })
        self.sandbox = sandbox
        transport = ScriptedTransport(
            next: DirectTransport(to: sandbox.baseURL, isDirect: isDirect) {
                await sandbox.routes.answer($0, body: $1)
            })
    }

    /// A session as a new process would make it, with its reported events.
    func session(
        _ dialect: ServiceDialect? = nil, requestor: RequestorID = "DEMO", statement: String? = nil,
        device: String = "device-1", through proxy: URL? = nil, started: Bool = true,
        change: (inout SessionEnvironment) -> Void = { _ in }
    ) async throws -> (EntitlementSession, EventLog) {
        let log = EventLog()
        var environment = SessionEnvironment(
            storage: storage, transport: transport, clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: device, app: nil), redirectURL: try #require(Self.redirect))
        change(&environment)
        let session = try await EntitlementSession(
            requestorID: requestor, softwareStatement: statement ?? sandbox.softwareStatement,
            serviceProviders: [try ServiceProvider((proxy ?? sandbox.baseURL).absoluteString)],
            service: dialect ?? self.dialect, environment: environment,
            observer: { log.append($0) })
        if started { try await session.start() }
        return (session, log)
    }

    /// Returns a session in which the viewer is logged in, and a log of its later events.
    func loggedIn() async throws -> (EntitlementSession, EventLog) {
        let (session, log) = try await session()
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = log.take()
        return (session, log)
    }

    /// A fixture, and a session on it.
    static func started(
        _ dialect: ServiceDialect, world: SandboxWorld = .demo, isDirect: Bool = !LongTests.areOn
    ) async throws -> (fixture: FlowFixture, session: EntitlementSession, log: EventLog) {
        let fixture = try await FlowFixture(dialect, world: world, isDirect: isDirect)
        let (session, log) = try await fixture.session()
        return (fixture, session, log)
    }

    /// A fixture, and a session on it in which the viewer is logged in.
    static func loggedIn(
        _ dialect: ServiceDialect, world: SandboxWorld = .demo, isDirect: Bool = !LongTests.areOn
    ) async throws -> (fixture: FlowFixture, session: EntitlementSession, log: EventLog) {
        let fixture = try await FlowFixture(dialect, world: world, isDirect: isDirect)
        let (session, log) = try await fixture.loggedIn()
        return (fixture, session, log)
    }

    /// The key of the login of device-1 with demo-cable.
    var login: StorageKey {
        StorageKey("requestor", "DEMO", fingerprint, "mvpd", "demo-cable")
    }

    /// The fingerprint of device-1.
    var fingerprint: String { DeviceIdentity(seed: "device-1", app: nil).fingerprint.hexadecimal }

    /// A Boolean value that indicates whether the AuthN token of the login, or its copy, is stored.
    var isLoginStored: Bool { storage.value(for: login.appending("authn")) != nil }

    /// Number of stored values that logout must remove.
    var entitlements: Int { storage.keys(under: StorageKey("requestor")).count }

    /// Answers one moment by script and everything else for real.
    func answer(_ moment: Moment, _ answer: ScriptedTransport.Answer) {
        transport.setScript { [dialect] request, _ in moment.isAt(request.path ?? "", dialect) ? answer : nil }
    }

    /// Answers one path by script and everything else for real.
    func answer(_ path: String, _ answer: ScriptedTransport.Answer) {
        transport.setScript { request, _ in request.path?.contains(path) == true ? answer : nil }
    }

    /// Sends a request to the service, and returns its answer when a gate opens, even to a caller that was cancelled.
    func lateAnswer(to request: HTTPRequest, body: Data?, after gate: Gate) async -> ScriptedTransport.Answer {
        // In a task of its own, so that nothing ends it but the test.
        await Task<ScriptedTransport.Answer, Never> {
            do throws(TransportError) {
                let (response, answer) = try await BrowserTransport().send(request, body: body)
                await gate.pass()
                return .response(status: response.status.code, body: String(decoding: answer, as: UTF8.self))
            } catch {
                return .failure(error)
            }
        }.value
    }

    func isAt(_ moment: Moment, _ request: HTTPRequest) -> Bool { moment.isAt(request.path ?? "", dialect) }

    /// Returns the number of requests that the service received at a moment.
    func count(of moment: Moment) -> Int {
        transport.requests.filter { moment.isAt(String($0.split(separator: " ")[1]), dialect) }.count
    }
}

extension EntitlementSession {
    /// The viewer who is logged in, from storage alone.
    var profile: Profile? {
        get async { if case .authenticated(let profile) = authenticationStatus() { profile } else { nil } }
    }

    /// A Boolean value that indicates whether the viewer is logged in, from storage alone.
    var isLoggedIn: Bool { get async { await profile != nil } }

    /// Logs the viewer in, and returns what was shown for it.
    func shownByALogin() async throws -> [String] {
        let viewer = ViewerWhoLogsIn()
        try await authenticate(using: viewer)
        return viewer.shown
    }
}

extension Guarded<Bool> {
    /// Returns the value and sets it to false, so that only the first call returns true.
    func taken() -> Bool {
        withLock { value in
            defer { value = false }
            return value
        }
    }
}

extension Task {
    /// Cancels the task, and waits for its end.
    func cancelled() async {
        cancel()
        _ = await result
    }

    /// Returns a Boolean value that indicates whether the task ends soon.
    func endsSoon() async -> Bool {
        let hasEnded = Guarded(false)
        Task<Void, Never> {
            _ = await result
            hasEnded.withLock { $0 = true }
        }
        return await soon { hasEnded.withLock(\.self) }
    }
}

/// The events of a session as short words.
final class EventLog: Sendable {
    private struct Record {
        var words: [String] = []
        var calls: [CallReport] = []
        var endingLogins: [Profile] = []
        var checks: [String] = []
        var statuses: [String] = []
        var explanations: [String] = []

        mutating func append(_ event: SessionEvent) {
            switch event {
            case .status(let event):
                let code = event.code.rawValue
                words.append(code)
                if let text = event.message { statuses.append("\(code) \(text)") }
                if let text = event.details { explanations.append("\(code) \(text)") }
            case .tracking(.providerSelected(let id), _): words.append("selected \(id)")
            case .tracking(.authentication(let login), _):
                words.append("authn \(login.map { "cached \($0.isCached)" } ?? "false")")
            case .tracking(.authorization(let outcome), _):
                words.append("authz \(outcome.error ?? "cached \(outcome.login?.isCached ?? false)")")
            case .authentication(.authenticated): words.append("authenticated")
            case .authentication(.notAuthenticated(let error)): words.append("not: \(error.code.rawValue)")
            case .authentication(.unknown(let error)): words.append("unknown: \(error.code.rawValue)")
            case .completed(let report): calls.append(report)
            case .loginEndsSoon(let profile): endingLogins.append(profile)
            case .integrity(let report):
                let isUnavailable = if case .unavailable = report.outcome { true } else { false }
                checks.append(isUnavailable ? "unavailable" : "\(report.outcome)")
            }
        }
    }

    private let record = Guarded(Record())

    func append(_ event: SessionEvent) { record.withLock { $0.append(event) } }

    /// The outcomes of checks of the store, without their reasons.
    var checks: [String] { record.withLock(\.checks) }

    /// The logins that were reported to end soon.
    var endingLogins: [Profile] { record.withLock(\.endingLogins) }

    /// The codes that came with a message for developers, with that message.
    var statuses: [String] { record.withLock(\.statuses) }

    /// The codes that came with a message of a lower layer, with that message.
    var explanations: [String] { record.withLock(\.explanations) }

    /// The reports of all calls that have ended.
    var calls: [CallReport] { record.withLock(\.calls) }

    /// Returns the number of times that an event occurred since the last ``take()``.
    func count(of word: String) -> Int { record.withLock { record in record.words.count { $0 == word } } }

    /// Everything since the last call.
    func take() -> [String] {
        record.withLock { record in
            defer { record.words = [] }
            return record.words
        }
    }
}

/// A viewer with a headless browser.
final class ViewerWhoLogsIn: AuthenticationPresenter {
    let choice: MVPDID?
    let viewer: HeadlessBrowser.Viewer?
    private let pages = Guarded<[String]>([])
    /// One browser, which keeps its cookies.
    private let browser: Browser
    private let codes = Guarded<[String]>([])

    /// - Parameters:
    ///   - choice: the provider to choose, nil to choose none.
    ///   - viewer: what to do at the login page, nil to leave it at once.
    init(
        choice: MVPDID? = "demo-cable", viewer: HeadlessBrowser.Viewer? = .logsIn(name: "viewer", password: "secret"),
        browsing transport: any HTTPTransport = BrowserTransport()
    ) {
        browser = Browser(transport)
        self.choice = choice
        self.viewer = viewer
    }

    /// The codes that were shown, in order; nil when a code was hidden.
    var shownCodes: [String] { codes.withLock(\.self) }

    func show(_ code: RegistrationCode) async { codes.withLock { $0.append(code.code) } }

    func hideCode() async { codes.withLock { $0.append("none") } }

    func presentPlatformDialog(_ dialog: PlatformDialog) {
        pages.withLock { $0.append("platform dialog") }
    }

    /// The pages, pickers and codes that were shown, in order.
    var shown: [String] { pages.withLock(\.self) }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        pages.withLock { $0.append("picker: \(providers.map(\.id.text).joined(separator: " "))") }
        return choice
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        pages.withLock { $0.append(page.mustBeSeen ? "login" : "silent login") }
        guard let viewer else { return nil }
        guard case .redirect(let end) = await browser.walk(page, as: viewer) else { return nil }
        return end
    }

    func presentLogout(_ page: BrowserPage) async {
        pages.withLock { $0.append(page.isLogout ? "logout" : "page that ends no login") }
        _ = await browser.walk(page, as: .cancels)
    }
}

/// A browser that only one task at a time uses.
private actor Browser {
    private var browser: HeadlessBrowser

    init(_ transport: any HTTPTransport) {
        browser = HeadlessBrowser(transport: transport)
    }

    func walk(_ page: BrowserPage, as viewer: HeadlessBrowser.Viewer) async -> HeadlessBrowser.Destination {
        // A copy, because another call may enter the actor while this one waits.
        var browser = browser
        defer { self.browser = browser }
        return await browser.open(page.url, endingAt: page.redirectURL, as: viewer)
    }
}

/// A viewer who never answers until the waiting task is cancelled.
struct ViewerWhoWaits: AuthenticationPresenter {
    var choice: MVPDID? = "demo-cable"
    let isAtPage = AsyncStream<Void>.makeStream()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        if let choice { return choice }
        return await sleep()
    }

    func presentLogin(_ page: BrowserPage) async -> URL? { await sleep() }
    func presentLogout(_ page: BrowserPage) async { let _: URL? = await sleep() }

    private func sleep<Answer>() async -> Answer? {
        isAtPage.continuation.yield()
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }
}
