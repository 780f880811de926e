import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits

@testable import TVEFlowEngine

/// A call of an app during which a request fails.
enum OutageFlow: String, CaseIterable {
    case start = "start, nobody logged in"
    case picker = "configuration for a picker"
    case loginHere = "login on this screen"
    case loginElsewhere = "login on another screen"
    case status = "status"
    case preauthorize = "preauthorize"
    case metadata = "metadata after a play"
    case authorize = "play"
    case authorizeLater = "play, the access token has ended"
    case authorizeAnew = "play, with a login first"
    case restart = "start and play, logged in"
    case logout = "logout"

    /// A Boolean value that indicates whether a viewer is logged in before the flow.
    var hasLogin: Bool {
        switch self {
        case .start, .picker, .loginHere, .loginElsewhere, .authorizeAnew: false
        case .status, .preauthorize, .metadata, .authorize, .authorizeLater, .restart, .logout: true
        }
    }

    /// Returns a Boolean value that indicates whether the library sends the request after the app has its answer.
    func sendsAfterAnswer(_ endpoint: OutageEndpoint) -> Bool {
        (self == .status || self == .restart) && endpoint.isProfile
    }
}

/// A device in the state in which a flow begins, and the flow on it.
struct OutageDevice {
    let flow: OutageFlow
    let fixture: FlowFixture
    let storage = MemoryStorage()
    /// The same store, whose writes a test makes fail.
    let failing: FailingStorage
    private let name: String
    let session: EntitlementSession
    /// Holds the request that follows a start and its first play, while a test measures how long the app's call takes.
    let afterFirstPlay = Guarded<Gate?>(nil)

    /// - Parameter name: the name of the device. A flow without a login needs a device that the service does not know.
    init(_ flow: OutageFlow, _ fixture: FlowFixture, named name: String, with contents: [StorageChange]) async throws {
        self.flow = flow
        self.fixture = fixture
        self.name = name
        storage.apply(contents)
        failing = FailingStorage(storage)
        session = try await Self.session(
            in: fixture, named: name, with: failing, for: flow, holding: afterFirstPlay)
        if flow != .start, flow != .restart { try await session.start() }
        if [.loginHere, .loginElsewhere, .authorizeAnew].contains(flow) {
            try await session.selectProvider("demo-cable")
        }
        if flow == .metadata {
            // If the request after the start came later than the play, its answer would be newer than the play.
            await session.refreshTask?.value
            _ = try await session.authorize("DEMO-1")
        }
        await session.refreshTask?.value
        fixture.clock.advance(by: flow == .authorizeLater ? OutagesTests.tokenLifetime : 60)
    }

    /// Returns the stored data of a device whose viewer has logged in.
    static func login(_ flow: OutageFlow, _ fixture: FlowFixture, named name: String) async throws -> [StorageChange] {
        let storage = MemoryStorage()
        let session = try await session(in: fixture, named: name, with: storage, for: flow)
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn())
        await session.end()
        await session.refreshTask?.value
        return storage.keys(under: .everything).compactMap { key in storage.value(for: key).map { .put(key, $0) } }
    }

    private static func session(
        in fixture: FlowFixture, named name: String, with storage: any StorageBackend, for flow: OutageFlow,
        holding gate: Guarded<Gate?> = Guarded(nil)
    ) async throws -> EntitlementSession {
        try await fixture.session(device: name, started: false) {
            $0.storage = storage
            $0.loginStyle = flow == .loginElsewhere ? .secondScreen : .browser
            if flow == .restart { $0.clock.waitForFirstPlay(and: gate) }
        }.0
    }

    /// The keys of the stored values.
    var stored: Set<StorageKey> { Set(storage.keys(under: .everything)) }

    /// Makes the app's call and returns a description of its outcome.
    func run() async -> String {
        do throws(TVEError) {
            switch flow {
            case .start:
                try await session.start()
                return "started"
            case .picker:
                _ = try await session.configuration()
                return "the providers"
            case .loginHere:
                try await session.authenticate(using: ViewerWhoLogsIn())
                return "logged in"
            case .loginElsewhere:
                return try await logInElsewhere()
            case .status:
                return if case .authenticated = await session.authenticationStatus() { "logged in" } else { "nobody" }
            case .preauthorize:
                return try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true] ? "permitted" : "not"
            case .metadata: return try await session.metadata(.user("zip")) == nil ? "nothing" : "the stored data"
            case .authorize, .authorizeLater:
                _ = try await session.authorize("DEMO-1")
            case .authorizeAnew:
                _ = try await session.authorize("DEMO-1", using: ViewerWhoLogsIn())
            case .restart:
                try await session.start()
                _ = try await session.authorize("DEMO-1")
            case .logout:
                try await session.logout(using: ViewerWhoLogsIn())
                return "logged out"
            }
            return "a media token"
        } catch {
            return "`\(error.code.rawValue)`\(error.status.map { ", \($0.rawValue)" } ?? "")"
        }
    }

    /// Returns a Boolean value that indicates whether a play succeeds on this device after a restart of the program.
    func playsAfterRestart() async throws -> Bool {
        fixture.clock.advance(by: 60)
        let session = try await Self.session(in: fixture, named: name, with: storage, for: flow)
        try await session.start()
        let token = try? await session.authorize("DEMO-1")
        await session.end()
        // A request of this session that is still on its way would meet the next failure, and change the clock.
        await session.refreshTask?.value
        return token != nil
    }

    // MARK: - Another screen

    /// Logs in with a telephone, while the library asks every five seconds.
    private func logInElsewhere() async throws(TVEError) -> String {
        let viewer = ViewerWhoLogsIn()
        let end = Guarded<Result<Profile, TVEError>?>(nil)
        let login = Task { [session] in
            do throws(TVEError) {
                let profile = try await session.authenticate(using: viewer)
                end.withLock { $0 = .success(profile) }
            } catch {
                end.withLock { $0 = .failure(error) }
            }
        }
        // Before the code, a request may wait for its turn or for another try.
        while end.withLock({ $0 == nil }), viewer.shownCodes.isEmpty, !Task.isCancelled {
            if fixture.clock.sleepers > 0 { fixture.clock.advance(by: 1) }
            await Task.shortPause()
        }
        if let code = viewer.shownCodes.first { await type(code) }
        while end.withLock({ $0 == nil }), !Task.isCancelled {
            if fixture.clock.sleepers > 0 { fixture.clock.advance(by: 5) }
            await Task.shortPause()
        }
        await login.value
        _ = try end.withLock(\.self)?.get()
        return "logged in"
    }

    private func type(_ code: String) async {
        var browser = HeadlessBrowser(transport: BrowserTransport())
        let page = fixture.sandbox.baseURL.appending(path: "activate")
        _ = await browser.open(
            page.appending(queryItems: [URLQueryItem(name: "code", value: code)]),
            endingAt: page.appending(path: "done"),
            as: .logsIn(name: "viewer", password: "secret"))
    }
}

extension SessionClock {
    /// Makes a request that waits for the first play wait for it alone, and not for the clock.
    ///
    /// No caller waits for this request, so its pauses are not part of the time that the app's call takes.
    fileprivate mutating func waitForFirstPlay(and gate: Guarded<Gate?>) {
        sleep = { [sleep] duration in
            guard duration == Refresh.longestPause else { return try await sleep(duration) }
            // Ends when the task is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            // A gate is no obstacle for a task that was cancelled.
            if let gate = gate.withLock(\.self) { await Task { await gate.pass() }.value }
            try Task.checkCancellation()
        }
    }
}
