import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The outcome of a login during which the app makes another call, at each stage of the login.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LoginStageTests {
    /// A stage of a login, at which it waits for the viewer or for something outside the session.
    enum Stage: CaseIterable, Sendable {
        /// A request for the logins that the service keeps has to end first.
        case clearing
        case platform, picker, code, page, outcome

        /// The request to the service that is held, if there is one.
        var moment: Moment? {
            switch self {
            case .code: .code
            case .outcome: .outcome
            case .clearing, .platform, .picker, .page: nil
            }
        }

        /// The screens that the viewer has seen by then.
        var shown: [String] {
            switch self {
            case .clearing, .platform: []
            case .picker, .code: ["picker"]
            case .page, .outcome: ["picker", "login"]
            }
        }

        /// A Boolean value that indicates whether the provider of the login is known.
        var hasProvider: Bool { [.code, .page, .outcome].contains(self) }
    }

    /// A stage of a login in one of the dialects.
    struct Place: CustomTestStringConvertible, Sendable {
        let dialect: ServiceDialect
        let stage: Stage

        var testDescription: String { "\(dialect), \(stage)" }

        /// The classic services do not keep logins, so no request for them has to end first.
        static let all = ServiceDialect.allCases.flatMap { dialect in
            Stage.allCases.filter { dialect == .restV2 || $0 != .clearing }.map { Place(dialect: dialect, stage: $0) }
        }
    }

    /// A login that is held at a stage.
    private struct Held {
        let fixture: FlowFixture
        let session: EntitlementSession
        let log: EventLog
        let viewer: ViewerWhoIsHeld
        /// The gate that ends the stage.
        let gate: Gate
        let login: Task<MVPDID, any Error>
    }

    private func begin(at place: Place) async throws -> Held {
        let stage = place.stage
        let gate = Gate()
        let fixture = try await FlowFixture(place.dialect, world: stage == .platform ? .withPlatform() : .demo)
        let (session, log) = try await fixture.session {
            if stage == .platform { $0.platform = PlatformThatIsHeld(answer: gate) }
        }
        let isFirst = Guarded(true)
        fixture.transport.setInterception { request, body in
            if stage == .clearing, request.path?.contains("/profiles") == true, isFirst.taken() {
                // In a task of its own, so that nothing ends it but the test.
                await Task { await gate.pass() }.value
            }
            guard let moment = stage.moment, fixture.isAt(moment, request), isFirst.taken() else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: gate)
        }
        if stage == .clearing {
            fixture.clock.advance(by: 60)
            _ = await session.authenticationStatus()
            await gate.arrival()
        }
        let viewer = ViewerWhoIsHeld(gate, at: stage)
        let login = Task { try await session.authenticate(using: viewer).mvpdID }
        if stage == .clearing {
            #expect(await soon { await session.hasRunningLogin })
        } else {
            await gate.arrival()
        }
        #expect(viewer.shown == stage.shown)
        _ = log.take()
        return Held(fixture: fixture, session: session, log: log, viewer: viewer, gate: gate, login: login)
    }

    // MARK: - Another call

    /// The places with a Boolean value that indicates whether the second call wants a new login.
    ///
    /// Before the login has begun, such a call may want another one (`ChangedMindTests`).
    private static let secondCalls: [(Place, Bool)] = Place.all.flatMap { place in
        (place.stage == .clearing ? [false] : [false, true]).map { (place, $0) }
    }

    @Test(arguments: secondCalls)
    func aSecondCall_sharesTheLogin_whichIsShownAgain(place: Place, isForced: Bool) async throws {
        let held = try await begin(at: place)
        let other = ViewerWhoLogsIn()
        let second = await held.session.begun { session in
            try await session.authenticate(using: other, isForced: isForced).mvpdID
        }
        #expect(await soon { held.viewer.timesShownAgain == 1 })
        held.gate.open()
        for call in [held.login, second] { #expect(try await call.value == "demo-cable") }
        #expect(other.shown.isEmpty && held.viewer.timesShownAgain == 1)
        #expect(held.viewer.shown == ["picker", "login"])
        #expect(held.log.count(of: "authenticated") == 1 && held.log.count(of: "REGCODE") == 0)
    }

    // MARK: - Another choice

    /// The answer about the first provider comes late, and the page of that provider ends late.
    @Test(arguments: Place.all)
    func anotherProviderThatIsChosen_isThatOfTheLogin(place: Place) async throws {
        let held = try await begin(at: place)
        try await held.session.selectProvider("demo-fiber")
        held.gate.open()
        #expect(try await held.login.value == "demo-fiber")
        #expect(held.viewer.shown == place.stage.shown + ["login"])
        #expect(held.log.count(of: "selected demo-fiber") == 1 && held.log.count(of: "authenticated") == 1)
        #expect(held.log.count(of: "authn false") == 0)
    }

    @Test(arguments: Place.all)
    func aLogoutOfAnotherProvider_endsNoLogin(place: Place) async throws {
        let held = try await begin(at: place)
        let logout = await held.session.begun { session in try await session.logout(of: "demo-fiber") }
        held.gate.open()
        #expect(try await held.login.value == "demo-cable")
        try await logout.value
        #expect(held.viewer.shown == ["picker", "login"] && held.log.count(of: "authenticated") == 1)
    }

    // MARK: - The end

    /// An event that ends a login.
    enum End: CaseIterable, Sendable {
        case cancel, choiceTakenBack, logout, logoutOfItsProvider, endOfSession

        func perform(in session: EntitlementSession, _ login: Task<MVPDID, any Error>) async throws {
            switch self {
            case .cancel: login.cancel()
            case .choiceTakenBack: _ = try await session.selectProvider(nil)
            case .logout: try await session.logout()
            case .logoutOfItsProvider: try await session.logout(of: "demo-cable")
            case .endOfSession: await session.end()
            }
        }
    }

    /// The ends of a login at each stage.
    private static let ends: [(Place, End)] = Place.all.flatMap { place in
        End.allCases.filter { $0 != .logoutOfItsProvider || place.stage.hasProvider }.map { (place, $0) }
    }

    @Test(arguments: ends)
    func aLoginThatEnds_isReportedOnce_andShowsNothingAfterwards(place: Place, end: End) async throws {
        let held = try await begin(at: place)
        let ending = Task { [session = held.session, login = held.login] in
            try await end.perform(in: session, login)
        }
        await #expect(throws: TVEError(.providerNotSelected)) { try await held.login.value }
        #expect(await soon { await !held.session.hasRunningLogin })
        held.gate.open()
        try await ending.value
        // A screen or a request that still came would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(held.viewer.shown == place.stage.shown)
        #expect(held.fixture.count(of: .code) == (place.stage.hasProvider ? 1 : 0))
        #expect(held.fixture.count(of: .outcome) == (place.stage == .outcome ? 1 : 0))
        #expect(held.log.count(of: "not: providerNotSelected") == (end == .endOfSession ? 0 : 1))
        #expect(held.log.count(of: "N005") == (end == .endOfSession ? 0 : 1))
        #expect(held.log.count(of: "authenticated") == 0)
        #expect(await !held.session.hasRunningLogin)
    }
}

/// A viewer who is held once, at the picker or at the page, even when the login is over, and then logs in.
private final class ViewerWhoIsHeld: AuthenticationPresenter {
    private let gate: Gate
    private let stage: LoginStageTests.Stage
    private let isFirst = Guarded(true)
    private let screens = Guarded<[String]>([])
    private let repetitions = Guarded(0)

    init(_ gate: Gate, at stage: LoginStageTests.Stage) {
        self.gate = gate
        self.stage = stage
    }

    /// The screens that were shown, in order.
    var shown: [String] { screens.withLock(\.self) }

    var timesShownAgain: Int { repetitions.withLock(\.self) }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        await show("picker", at: .picker)
        return "demo-cable"
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        await show("login", at: .page)
        return await ViewerWhoLogsIn().presentLogin(page)
    }

    func presentLogout(_ page: BrowserPage) async { await show("logout", at: nil) }

    func showAgain() async { repetitions.withLock { $0 += 1 } }

    private func show(_ screen: String, at stage: LoginStageTests.Stage?) async {
        screens.withLock { $0.append(screen) }
        guard self.stage == stage, isFirst.taken() else { return }
        // In a task of its own, so that nothing ends it but the test.
        await Task { [gate] in await gate.pass() }.value
    }
}

/// A platform whose dialog ends when the test says so, and whose viewer then wants to choose in the app.
private struct PlatformThatIsHeld: PlatformSignOn {
    let answer: Gate

    func access(mayAsk: Bool) async -> PlatformAccess { .granted }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        guard request.mayInterrupt else { throw .notSignedIn }
        await Task { await answer.pass() }.value
        throw .unsupportedProvider(id: nil)
    }
}
