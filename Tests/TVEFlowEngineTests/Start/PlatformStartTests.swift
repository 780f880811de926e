import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct PlatformStartTests {
    @Test(
        .row("AAPL", "AS1", "AS2", "AS3", "CA6", "CA7", "CA8", "D-18", "D-28", "D-29", "VSA403", "VSA404"),
        arguments: ServiceDialect.both([
            ("AS1 CA6", ScriptedPlatform.Script(access: .denied), "VSA403"),
            ("AS2 CA7", .init(access: .undetermined), "VSA404"),
            ("AS3 CA8", .init(failing: .failed("VSErrorDomain 3")), "AAPL"),
        ]))
    func startReportsTheReason_andGoesOn(
        dialect: ServiceDialect, row: String, script: ScriptedPlatform.Script, status: String
    ) async throws {
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, script)
        #expect(log.take() == [status], "\(row)")
        // Rows CA6 to CA8: the platform's reason comes first when the app asks why the viewer is not logged in.
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take() == [status, "N000", "authn false", "not: notAuthenticated"], "\(row)")
    }

    /// The viewer has allowed the access in the system's settings, and the app starts its session again.
    @Test(arguments: ServiceDialect.allCases)
    func theReasonOfAStart_isForgottenWithTheNextStart(dialect: ServiceDialect) async throws {
        let (_, platform, session, log) = try await ScriptedPlatform.session(dialect, .init(access: .denied))
        platform.change { $0.access = .granted }
        try await session.start()
        _ = log.take()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take() == ["N000", "authn false", "not: notAuthenticated"])
    }

    /// The platform's refusal at the start does not explain why a TempPass is over.
    @Test(.row("CA9"), arguments: ServiceDialect.allCases)
    func theReasonOfAStart_isNotThatOfATempPassThatIsOver(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.withTempPass(.init(seconds: 600))
        world.providers[0].platformID = "apple-cable"
        let (fixture, _, session, log) = try await ScriptedPlatform.session(
            dialect, .init(access: .denied), world: world)
        #expect(log.take() == ["VSA403"])
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        _ = log.take()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
        #expect(log.take() == ["N111", "authn false", "not: temporaryAccessExpired"])
    }

    @Test(.row("AS4", "T-38"), arguments: ServiceDialect.allCases)
    func logsInSilently_atTheStart(dialect: ServiceDialect) async throws {
        let (_, platform, session, log) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        #expect(log.take() == ["authn cached false", "authenticated"])
        // The account and the answer for the service: no request asks for the status again.
        #expect(platform.requests.count == 2 && platform.requests.allSatisfy { !$0.mayInterrupt })
        #expect(await session.profile?.mvpdID == "demo-cable")
        #expect(try await session.metadata(.user("tokenSource"))?.value == .string("Apple"))
        _ = try await session.authorize("DEMO-1")
    }

    @Test(arguments: ServiceDialect.allCases)
    func doesNotTakePart_withAProviderThatHasNoBoardingStatus(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withPlatform { $0.boardingStatus = "" }
        let (_, platform, session, log) = try await ScriptedPlatform.session(
            dialect, .init(signedIn: "apple-cable"), world: world)
        #expect(log.take().isEmpty && platform.requests.isEmpty)
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(platform.requests.isEmpty && viewer.shown.count == 2 && viewer.shown.last == "login")
    }

    @Test(.row("AS15"), arguments: ServiceDialect.allCases)
    func asksThePlatformNothing_whenTheRequestorDoesNotWorkWithIt(dialect: ServiceDialect) async throws {
        let (_, platform, session, _) = try await ScriptedPlatform.session(
            dialect, .init(signedIn: "apple-cable"), world: .demo)
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer, filter: PlatformPickerFilter(providers: ["demo-fiber"]))
        #expect(platform.requests.isEmpty && viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    @Test(.row("AS18"), arguments: ServiceDialect.allCases)
    func dropsThePlatformsLogin_whenTheViewerSignedOutThere(dialect: ServiceDialect) async throws {
        for change: @Sendable (inout ScriptedPlatform.Script) -> Void in [
            { $0.signedIn = nil }, { $0.access = .denied }, { $0.access = .restricted }, { $0.access = .undetermined },
            // The app lost its permission after it had asked for it.
            { $0.failure = .accessNotGranted },
        ] {
            let (_, platform, session, log) = try await ScriptedPlatform.session(
                dialect, .init(signedIn: "apple-cable"))
            platform.change(change)
            _ = log.take()
            try await session.start()
            #expect(log.take().suffix(3) == ["N000", "authn false", "not: notAuthenticated"])
            #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        }
    }

    /// The app returns to the foreground from the system's settings, and starts its session again.
    @Test(.row("AS4"), arguments: ServiceDialect.allCases)
    func logsInSilently_whenTheViewerHasSignedInInTheSettings(dialect: ServiceDialect) async throws {
        let (fixture, platform, session, log) = try await ScriptedPlatform.session(dialect, .init())
        #expect(await !session.isLoggedIn)
        _ = log.take()
        platform.change { $0.signedIn = "apple-cable" }
        try await session.start()
        #expect(log.take() == ["authn cached false", "authenticated"])
        #expect(platform.requests.allSatisfy { !$0.mayInterrupt })
        _ = try await session.authorize("DEMO-1")
        // The service learns what the platform says now.
        guard dialect == .restV2 else { return }
        let decision = fixture.sandbox.exchanges.last { $0.path.contains("/decisions/authorize/") }
        #expect(decision?.request.headers.contains { $0.name.lowercased() == "ap-partner-framework-status" } == true)
    }

    /// The app returns to the foreground, and the viewer is signed in as before.
    @Test(arguments: ServiceDialect.allCases)
    func exchangesNothing_whileTheAccountStaysTheSame(dialect: ServiceDialect) async throws {
        let (_, platform, session, log) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        _ = log.take()
        try await session.start()
        #expect(log.take().isEmpty)
        #expect(platform.requests.filter { $0.samlRequest != nil }.count == 1)
    }

    /// The stored provider names only the provider of the last login.
    @Test(.row("AS4"), arguments: ServiceDialect.allCases)
    func logsInSilently_whenTheViewerHasChangedTheProviderInTheSettings(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let (fixture, platform, first, _) = try await ScriptedPlatform.session(
            dialect, .init(signedIn: "apple-cable"), world: world)
        await first.end()
        platform.change { $0.signedIn = "apple-fiber" }
        let (session, log) = try await fixture.session { $0.platform = platform }
        #expect(log.take() == ["authn cached false", "authenticated"])
        #expect(await session.profile?.mvpdID == "demo-fiber")
    }

    /// The provider takes part in the platform's sign-on since a later configuration than that of the first start.
    @Test(.row("AS4", "CL5")) func logsInSilently_withAProviderThatAnOldConfigurationLeavesOut() async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            .restV2, .init(signedIn: "apple-cable"), world: world, started: false)
        fixture.answer(.configuration, .rewritten { $0.replacing("apple-fiber", with: "apple-other") })
        try await session.start()
        #expect(await session.profile?.mvpdID == "demo-cable")
        fixture.transport.setScript { _, _ in nil }
        platform.change { $0.signedIn = "apple-fiber" }
        fixture.clock.advance(by: 200)
        try await session.start()
        #expect(await session.profile?.mvpdID == "demo-fiber")
        #expect(platform.requests.allSatisfy { !$0.mayInterrupt })
    }

    @Test(.row("AS18", "AS16"), arguments: ServiceDialect.allCases)
    func keepsALoginOfItsOwn_andOneThatThePlatformCannotTellAbout(dialect: ServiceDialect) async throws {
        let (_, platform, session, _) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        for failure in [PlatformSignOnError.failed("busy"), .notOffered] {
            platform.change { $0.failure = failure }
            try await session.start()
            #expect(await session.isLoggedIn, "\(failure) is not a sign-out.")
        }
        platform.change { $0.failure = nil }
        for access in [PlatformAccess.failed(domain: "VSErrorDomain", code: 3), .notOffered] {
            platform.change { $0.access = access }
            try await session.start()
            #expect(await session.isLoggedIn, "\(access) is not a sign-out.")
        }
        let (_, other, own, _) = try await ScriptedPlatform.session(
            dialect, .init(picker: .failure(.unsupportedProvider(id: nil))))
        try await own.authenticate(using: ViewerWhoLogsIn())
        other.change { $0.access = .denied }
        try await own.start()
        #expect(await own.isLoggedIn, "This login never came from the platform.")
    }

    @Test(.row("CA5"), arguments: ServiceDialect.allCases)
    func doesNotCount_whenPlatformSignOnWasSwitchedOff(dialect: ServiceDialect) async throws {
        let (fixture, _, session, _) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        fixture.answer(
            .configuration,
            .rewritten {
                $0.replacing("<enablePlatformServices>true", with: "<enablePlatformServices>false")
                    .replacing("\"enablePlatformServices\":true", with: "\"enablePlatformServices\":false")
            })
        fixture.clock.advance(by: 200)
        try await session.start()
        _ = try await session.configuration()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    /// The service may return the platform's profile to a login at a page, too.
    @Test(.row("CA5")) func doesNotCount_alsoIfALoginAtAPageFoundIt() async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            .restV2, .init(picker: .failure(.unsupportedProvider(id: nil))))
        fixture.answer(.outcome, fixture.profile("appleSSO"))
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(await session.isLoggedIn)
        platform.change { $0.signedIn = "apple-cable" }
        // The service must not answer instead of the store.
        fixture.transport.setScript { request, _ in
            if request.path?.contains("/profiles") == true { return .failure(.unreachable) }
            return .rewritten {
                $0.replacing("\"enablePlatformServices\":true", with: "\"enablePlatformServices\":false")
            }
        }
        fixture.clock.advance(by: 200)
        try await session.start()
        _ = try await session.configuration()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test(.row("Q17", "CA10", "T-55"), arguments: ServiceDialect.allCases)
    func bringsTheStoreInOrder_beforeThePlatformIsAsked(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        try await fixture.session(device: "device-2").0.authenticate(using: ViewerWhoLogsIn())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (_, log) = try await fixture.session {
            $0.platform = platform
            $0.housekeeping.foreignTokens = .remove
        }
        #expect(log.take() == ["SEC412", "authn cached false", "authenticated"])
        let exchanges =
            switch dialect {
            case .classic:
                [
                    "GET /adobe-services/config/DEMO", "GET /api/v1/DEMO/profile-requests/demo-cable",
                    "POST /api/v1/tokens/authn", "POST /adobe-services/sessionDevice",
                ]
            case .restV2:
                [
                    "GET /api/v2/DEMO/configuration", "POST /api/v2/DEMO/sessions/sso/Apple",
                    "POST /api/v2/DEMO/profiles/sso/Apple",
                ]
            }
        let requests = fixture.transport.requests
        // The logins that the service keeps are requested after the start.
        let began = try #require(requests.lastIndex(of: exchanges[0]))
        #expect(Array(requests[began...].prefix(exchanges.count)) == exchanges)
    }

    @Test(arguments: ServiceDialect.allCases)
    func givesUpASilentQuestion_thatNobodyAnswers(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = SilentPlatform()
        let (session, log) = try await fixture.session(started: false) { $0.platform = platform }
        let start = Task { try await session.start() }
        _ = await platform.asked.stream.first { _ in true }
        await fixture.clock.advanceOnceSomethingSleeps(by: 29)
        #expect(fixture.clock.sleepers == 1 && log.take().isEmpty)
        fixture.clock.advance(by: 1)
        _ = try await start.value
        #expect(log.take() == ["AAPL"])
    }
}

/// A platform that never answers.
private struct SilentPlatform: PlatformSignOn {
    let asked = AsyncStream<Void>.makeStream()

    func access(mayAsk: Bool) async -> PlatformAccess { .granted }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        asked.continuation.yield()
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        throw .notSignedIn
    }
}
