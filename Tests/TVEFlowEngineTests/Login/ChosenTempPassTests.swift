import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Calls and choices while a TempPass that the viewer has just chosen logs the device in.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ChosenTempPassTests {
    /// A session whose viewer has just chosen a TempPass, about which the service has not answered yet.
    private struct Held {
        let fixture: FlowFixture
        let session: EntitlementSession
        let log: EventLog
        /// The gate that holds the service's first answer about the TempPass.
        let answer: Gate
        /// The choice of the TempPass.
        let pass: Task<AuthenticationStatus?, any Error>
    }

    /// - Parameter earlier: a TempPass that has logged the device in before.
    private func choose(
        _ dialect: ServiceDialect, world: SandboxWorld = .withTempPass(), after earlier: MVPDID? = nil
    ) async throws -> Held {
        let (fixture, session, log) = try await FlowFixture.started(dialect, world: world)
        if let earlier { try await session.selectProvider(earlier) }
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request), isFirst.taken() { await answer.pass() }
            return nil
        }
        let pass = Task { try await session.selectProvider("TempPass") }
        await answer.arrival()
        _ = log.take()
        return Held(fixture: fixture, session: session, log: log, answer: answer, pass: pass)
    }

    /// Begins a login, which waits for the TempPass.
    private func begin(
        in session: EntitlementSession, using viewer: ViewerWhoLogsIn = ViewerWhoLogsIn(), isForced: Bool = false
    ) async -> Task<MVPDID, any Error> {
        await session.begun { session in try await session.authenticate(using: viewer, isForced: isForced).mvpdID }
    }

    // MARK: - Calls

    /// Both calls want a login after that of the TempPass, and one of them a new one.
    @Test(arguments: ServiceDialect.both([(false, true), (true, false), (false, false)]))
    func aCallThatIsForced_obtainsANewLogin_alsoBesideOneThatIsNot(
        dialect: ServiceDialect, isFirstForced: Bool, isSecondForced: Bool
    ) async throws {
        let held = try await choose(dialect)
        let first = await begin(in: held.session, isForced: isFirstForced)
        let second = await begin(in: held.session, isForced: isSecondForced)
        held.answer.open()
        for call in [first, second] {
            #expect(await call.endsSoon())
            call.cancel()
            #expect(try await call.value == "TempPass")
        }
        _ = try await held.pass.value
        #expect((held.fixture.count(of: .code) > 1) == (isFirstForced || isSecondForced))
    }

    @Test(arguments: ServiceDialect.both([0, 1]))
    func aCallThatIsCancelled_takesTheLoginFromNoOther(dialect: ServiceDialect, leaving: Int) async throws {
        let held = try await choose(dialect)
        let first = await begin(in: held.session)
        let second = await begin(in: held.session)
        let (left, other) = leaving == 0 ? (first, second) : (second, first)
        await left.cancelled()
        await #expect(throws: TVEError(.providerNotSelected)) { try await left.value }
        held.answer.open()
        #expect(await other.endsSoon())
        other.cancel()
        #expect(try await other.value == "TempPass")
        _ = try await held.pass.value
    }

    /// A facade has cancelled the call, and its app expects no callback.
    @Test(arguments: ServiceDialect.allCases)
    func aCallThatIsCancelled_hasNoCallback(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withTempPass())
        let callbacks = Guarded(0)
        let (session, _) = try await fixture.session { environment in
            environment.answers.authentication = { _ in callbacks.withLock { $0 += 1 } }
        }
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request), isFirst.taken() { await answer.pass() }
            return nil
        }
        let pass = Task { try await session.selectProvider("TempPass") }
        await answer.arrival()
        let login = await begin(in: session)
        await login.cancelled()
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        #expect(callbacks.withLock(\.self) == 0)
        answer.open()
        _ = try await pass.value
        #expect(callbacks.withLock(\.self) == 1)
    }

    /// An event that ends each login.
    enum End: CaseIterable, Sendable {
        case logout, choiceTakenBack, endOfSession
    }

    @Test(arguments: ServiceDialect.allCases, End.allCases)
    func aCallThatWaits_endsWithThePass(dialect: ServiceDialect, end: End) async throws {
        let held = try await choose(dialect)
        let viewer = ViewerWhoLogsIn()
        let login = await begin(in: held.session, using: viewer)
        switch end {
        case .logout: try await held.session.logout()
        case .choiceTakenBack: try await held.session.selectProvider(nil)
        case .endOfSession: await held.session.end()
        }
        #expect(await login.endsSoon())
        login.cancel()
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        await #expect(throws: TVEError(.providerNotSelected)) { try await held.pass.value }
        held.answer.open()
        // A login that still began would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(viewer.shown.isEmpty)
        #expect(await !held.session.hasRunningLogin)
    }

    /// The service misses the viewer's id, which only the waiting call has.
    @Test(arguments: ServiceDialect.allCases)
    func aCallThatWaits_logsInWithAPass_thatNeedsItsData(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email"))
        let held = try await choose(dialect, world: world)
        let viewer = ViewerWhoLogsIn(choice: nil)
        let login = await held.session.begun { session in
            try await session.authenticate(using: viewer, data: ["email": "0f3c"]).mvpdID
        }
        held.answer.open()
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value == "TempPass")
        #expect(try await held.pass.value == nil)
        #expect(viewer.shown.isEmpty)
        #expect(held.log.take() == ["N011", "authn cached false", "authenticated"])
    }

    // MARK: - Choices

    /// The call that waits for the TempPass continues with the provider that was chosen last.
    @Test(arguments: ServiceDialect.allCases)
    func aCallThatWaits_logsInWithTheNextChoice(dialect: ServiceDialect) async throws {
        let held = try await choose(dialect)
        let viewer = ViewerWhoLogsIn(choice: nil)
        let login = await begin(in: held.session, using: viewer)
        try await held.session.selectProvider("demo-fiber")
        held.answer.open()
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value == "demo-fiber")
        #expect(viewer.shown == ["login"])
        #expect(try await held.pass.value == nil)
    }

    /// The TempPass that was chosen before is still good, and the viewer returns to it.
    @Test(arguments: ServiceDialect.allCases)
    func aCallThatWaits_isAnsweredWithAPassThatIsStillGood(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.withTempPass()
        var trial = SandboxWorld.Provider(id: "Trial", displayName: "Trial", login: .none)
        trial.temporaryAccess = .init(seconds: 600)
        world.providers.append(trial)
        for index in world.requestors.indices { world.requestors[index].providers.append("Trial") }
        let held = try await choose(dialect, world: world, after: "Trial")
        let viewer = ViewerWhoLogsIn()
        let login = await begin(in: held.session, using: viewer)
        #expect(try await held.session.selectProvider("Trial") != nil)
        held.answer.open()
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value == "Trial")
        #expect(try await held.pass.value == nil)
        #expect(viewer.shown.isEmpty)
        #expect(await held.session.profile?.mvpdID == "Trial")
    }

    @Test(arguments: ServiceDialect.allCases)
    func aPassThatIsChosenTwice_logsInOnce(dialect: ServiceDialect) async throws {
        let held = try await choose(dialect)
        let again = Task { [session = held.session] in try await session.selectProvider("TempPass") }
        #expect(await held.pass.endsSoon())
        held.pass.cancel()
        #expect(try await held.pass.value == nil)
        held.answer.open()
        #expect(try await again.value != nil)
        #expect(held.log.count(of: "authenticated") == 1)
    }

    /// The app has a picker of its own, from which the viewer chooses while the page of another provider is open.
    @Test(arguments: ServiceDialect.allCases)
    func aPassThatIsStillGood_isTheAnswerOfALogin_atWhosePageItIsChosen(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("TempPass")
        try await session.selectProvider("demo-cable")
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.selectProvider("TempPass")
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value.mvpdID == "TempPass")
    }
}
