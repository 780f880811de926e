import Foundation
import HTTPTypes
import Harness
import Synchronization
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVESandboxConsole
import TVEStorage
import TVETestSupport
import XCTest

/// The cost of a call in addition to its exchanges, over the same transport with the same sandbox.
final class FlowBenchmarks: XCTestCase {
    func testAuthorize_withEverythingCached() throws {
        try compare(
            "authorize, all cached", to: ["/deviceShortAuthorize"], with: .classic, goal: .atMost(1.2)
        ) { desk in
            _ = try await desk.session.authorize("DEMO-1")
        }
    }

    /// REST API v2 decides every playback, and one exchange returns the decision with its media token.
    func testAuthorize_overRESTv2() throws {
        let own = "1.09 to 1.18 over loopback: the session's own work takes 0.1 ms."
        try compare(
            "authorize over REST API v2", to: ["/decisions/authorize/"], with: .restV2,
            goal: .atMost(1.1, knownUpTo: 1.25, because: own)
        ) { desk in
            _ = try await desk.session.authorize("DEMO-1")
        }
    }

    func testStart_withARegisteredApplication() throws {
        try compare("a new session and its start", to: ["/config/"], with: .classic, goal: .atMost(1.3)) { desk in
            try await desk.makeSession().start()
        }
    }

    /// A start with the copy of a login waits for no request, and the first play is followed by a request for the
    /// login.
    func testFirstPlay_overRESTv2_afterARestart() throws {
        let shared = "Over loopback the sandbox shares the cores with the session: 1.25 to 1.38."
        try compareFirstPlay(over: nil, goal: .atMost(1.3, knownUpTo: 1.5, because: shared))
        try compareFirstPlay(over: .milliseconds(20), goal: .atMost(1.2))
    }

    private func compareFirstPlay(over network: Duration?, goal: Goal) throws {
        let place = network.map { " with exchanges of \($0)" } ?? ""
        try compare(
            "a new session, its start and its first play over REST API v2\(place)", to: ["/decisions/authorize/"],
            with: .restV2, goal: goal, over: network, waitsForReal: true
        ) { desk in
            let session = try await desk.makeSession()
            try await session.start()
            _ = try await session.authorize("DEMO-1")
            // The request that follows the play is not part of it.
            session.close()
        }
    }

    /// Compares the cost of a call with that of the exchange that it needs, over the same transport.
    ///
    /// - Parameter waitsForReal: `true` if pauses take real time. A session that makes more calls than the service's
    ///   throttle allows would wait most of the time.
    private func compare(
        _ name: String, to paths: [String], with dialect: ServiceDialect, goal: Goal, over network: Duration? = nil,
        waitsForReal: Bool = false, _ call: @escaping (Desk) async throws -> Void
    ) throws {
        let desk = try Desk(dialect)
        desk.isHurried.withLock { $0 = !waitsForReal }
        // An exchange that follows a call may end after it.
        for _ in 0..<10 { desk.wait { try await call(desk) } }
        let exchanges = try paths.map(desk.transport.lastExchange)
        desk.transport.stopRecording()
        desk.transport.send(over: network)
        var contest = Contest(name, rounds: 41) { count in
            desk.wait { for _ in 0..<count { try await call(desk) } }
        }
        contest.peer("the bare exchange", goal: goal) { count in
            desk.wait { for _ in 0..<count { try await desk.transport.sendBare(exchanges) } }
        }
        XCTAssertEqual(contest.compare(), [])
    }

    func testCheckAuthentication_onAWarmStore() throws {
        let desk = try Desk()
        let asked = desk.transport.exchanges
        var seconds: [Double] = []
        desk.wait {
            for _ in 0..<2_000 {
                let start = ContinuousClock.now
                guard case .authenticated = await desk.session.authenticationStatus() else { return XCTFail() }
                seconds.append((ContinuousClock.now - start) / .seconds(1))
            }
        }
        let median = Contest.median(seconds)
        let score = Score(
            question: "checkAuthentication, sealed store", peer: "30 µs", ours: Contest.text(median), theirs: "30 µs",
            ratio: median / 30e-6, goal: .atMost(1))
        XCTAssertNil(Scoreboard.record(score))
        XCTAssertEqual(desk.transport.exchanges, asked, "no network")
    }

    /// The transport answers from memory, so that only the memory of the session can grow.
    func testTenThousandFlows_leaveMemoryWhereItWas() throws {
        let desk = try Desk()
        desk.wait { _ = try await desk.session.authorize("DEMO-1") }
        desk.transport.answerFromMemory()
        func run(_ count: Int) {
            desk.wait {
                for _ in 0..<count {
                    _ = await desk.session.authenticationStatus()
                    _ = try await desk.session.authorize("DEMO-1")
                }
            }
        }
        run(100)
        let before = try ResidentMemory.kilobytes()
        run(10_000)
        let grown = try ResidentMemory.kilobytes() - before
        let score = Score(
            question: "memory after 10,000 authorizations", peer: "1 MB more than after 100", ours: "\(grown) KB",
            theirs: "1024 KB", ratio: Double(grown) / 1_024, goal: .atMost(1))
        XCTAssertNil(Scoreboard.record(score))
    }

    /// Each exchange is a play with a media token of its own, which the export hides.
    func testExportOf5000Exchanges() throws {
        let desk = try Desk(.restV2, pages: .console)
        desk.wait { for _ in 0..<5_000 { _ = try await desk.session.authorize("DEMO-1") } }
        let seconds = (0..<5).map { _ in
            Contest.time {
                desk.wait {
                    let count = try await desk.exportedExchanges()
                    XCTAssertEqual(count, 5_000)
                }
            }
        }
        let median = Contest.median(seconds)
        let score = Score(
            question: "export of 5,000 exchanges as HAR", peer: "one second", ours: Contest.text(median), theirs: "1 s",
            ratio: median, goal: .atMost(1))
        XCTAssertNil(Scoreboard.record(score))
    }

    // MARK: - measure

    func testMeasuresAuthorize() throws {
        let desk = try Desk()
        measure { desk.wait { for _ in 0..<50 { _ = try await desk.session.authorize("DEMO-1") } } }
    }

    /// Measures the work of the session itself, without an exchange.
    func testMeasuresAuthorize_overRESTv2_answeredFromMemory() throws {
        let desk = try Desk(.restV2)
        desk.wait { _ = try await desk.session.authorize("DEMO-1") }
        desk.transport.answerFromMemory()
        measure { desk.wait { for _ in 0..<500 { _ = try await desk.session.authorize("DEMO-1") } } }
    }

    func testMeasuresCheckAuthentication() throws {
        let desk = try Desk()
        measure { desk.wait { for _ in 0..<1_000 { _ = await desk.session.authenticationStatus() } } }
    }
}

/// A sandbox, a sealed store on disk, and a session in which a viewer is logged in.
private final class Desk: @unchecked Sendable {
    let transport = RecordingTransport()
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("flows-\(UUID().uuidString)")
    private let sandbox: Sandbox
    private let dialect: ServiceDialect
    /// A Boolean value that indicates whether the session's clock never waits, so that the throttle is not measured.
    let isHurried = Mutex(false)
    private let storage: any StorageBackend
    // The session is set at the end of the initializer, and only read afterwards.
    private(set) var session: EntitlementSession!

    init(_ dialect: ServiceDialect = .classic, pages: SandboxPages? = nil) throws {
        self.dialect = dialect
        storage = SealedStorage.file(directory)
        sandbox = try Self.wait { try await Sandbox(pages: pages) }
        session = try Self.wait { [self] in
            let session = try await self.makeSession()
            try await session.start()
            try await session.authenticate(using: Viewer())
            return session
        }
        isHurried.withLock { $0 = true }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func makeSession() async throws -> EntitlementSession {
        guard let provider = try? ServiceProvider(sandbox.baseURL.absoluteString),
            let redirect = URL(string: "adobepass://ios.app")
        else { throw CocoaError(.fileNoSuchFile) }
        return try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: sandbox.softwareStatement, serviceProviders: [provider],
            service: dialect,
            environment: SessionEnvironment(
                storage: storage, transport: transport,
                clock: SessionClock(
                    now: { Date() },
                    sleep: { [weak self] in
                        if self?.isHurried.withLock(\.self) != true { try await Task.sleep(for: $0) }
                    }), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                device: DeviceIdentity(seed: "device", app: nil), redirectURL: redirect))
    }

    /// Downloads the export of the console, and returns the number of exchanges that it has.
    func exportedExchanges() async throws -> Int? {
        let host = "\(sandbox.baseURL.host() ?? ""):\(sandbox.baseURL.port ?? 80)"
        let request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/console/api/har")
        let (response, _) = try await URLSessionTransport(maximumBytes: 256 << 20).send(request, body: nil)
        return HTTPField.Name("X-Sandbox-Exchanges").flatMap { response.headerFields[$0] }.flatMap { Int($0) }
    }

    /// Waits for an asynchronous operation, which only the thread of a benchmark may do by blocking.
    func wait(_ body: @escaping () async throws -> Void) {
        do {
            try Self.wait(body)
        } catch {
            XCTFail("\(error)")
        }
    }

    private static func wait<Value>(_ body: @escaping () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var outcome: Result<Value, any Error>?
        nonisolated(unsafe) let body = body
        Task.detached {
            do {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            done.signal()
        }
        done.wait()
        return try XCTUnwrap(outcome).get()
    }
}

/// A transport that sends requests to the sandbox, and records the last exchange with every path.
private final class RecordingTransport: HTTPTransport {
    struct Exchange {
        let request: HTTPRequest
        let body: Data?
        let answer: (HTTPResponse, Data)
    }

    private enum Mode {
        case recording, sending, answering
    }

    private let bare = URLSessionTransport()
    private let mode = Mutex(Mode.recording)
    private let seen = Mutex<[String: Exchange]>([:])
    private let count = Mutex(0)
    private let network = Mutex<Duration?>(nil)

    /// The number of requests that were sent during the recording.
    var exchanges: Int { count.withLock(\.self) }

    /// Ends the recording, so that it is not measured.
    func stopRecording() { mode.withLock { $0 = .sending } }

    /// Adds a delay to each exchange from now on.
    func send(over network: Duration?) { self.network.withLock { $0 = network } }

    /// Answers requests from the recording from now on, without sending them.
    func answerFromMemory() { mode.withLock { $0 = .answering } }

    func lastExchange(to path: String) throws -> Exchange {
        try XCTUnwrap(seen.withLock { seen in seen.first { $0.key.contains(path) }?.value })
    }

    /// Sends recorded requests at the same time.
    func sendBare(_ exchanges: [Exchange]) async throws {
        if exchanges.count == 1 {
            _ = try await exchange(exchanges[0].request, exchanges[0].body)
            return
        }
        try await withThrowingTaskGroup { group in
            for exchange in exchanges {
                group.addTask { _ = try await self.exchange(exchange.request, exchange.body) }
            }
            try await group.waitForAll()
        }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path ?? ""
        let mode = mode.withLock(\.self)
        if mode == .answering, let known = seen.withLock({ $0[path] }) { return known.answer }
        let answer = try await exchange(request, body)
        guard mode == .recording else { return answer }
        seen.withLock { $0[path] = Exchange(request: request, body: body, answer: answer) }
        count.withLock { $0 += 1 }
        return answer
    }

    private func exchange(_ request: HTTPRequest, _ body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        if let pause = network.withLock(\.self) { try? await Task.sleep(for: pause) }
        return try await bare.send(request, body: body)
    }
}

/// A viewer with a headless browser.
private struct Viewer: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        var browser = HeadlessBrowser()
        let end = await browser.open(
            page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        guard case .redirect(let url) = end else { return nil }
        return url
    }

    func presentLogout(_ page: BrowserPage) async {}
}
