import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Once a call has its answer, nothing of it is shown any more: not even by code that was on its way to the screen.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RevokedScreenTests {
    /// The event that ends a login.
    enum End: CaseIterable, Sendable {
        case logout, cancel, choiceTakenBack, close
    }

    /// The call that begins a login.
    enum Call: CaseIterable, Sendable {
        case authenticate, authorize

        func perform(in session: EntitlementSession, using viewer: ViewerWhoLogsIn) async throws(TVEError) {
            switch self {
            case .authenticate: try await session.authenticate(using: viewer)
            case .authorize: _ = try await session.authorize("DEMO-1", using: viewer)
            }
        }
    }

    /// Ends the login, and waits for the answer of its call.
    private func end(_ call: Task<Void, any Error>, of session: EntitlementSession, by end: End) async throws {
        switch end {
        case .logout: try await session.logout()
        case .cancel: call.cancel()
        case .choiceTakenBack: try await session.selectProvider(nil)
        case .close: session.close()
        }
        await #expect(throws: TVEError.self) { try await call.value }
    }

    @Test(.row("AS17"), arguments: End.allCases, Call.allCases)
    func noDialogComes_fromAPlatformThatHasItReadyTooLate(end: End, call: Call) async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = LatePlatform()
        let (session, _) = try await fixture.session { $0.platform = platform }
        let viewer = ViewerWhoLogsIn()
        let running = Task { try await call.perform(in: session, using: viewer) }
        await platform.dialogIsReady.arrival()
        try await self.end(running, of: session, by: end)
        platform.dialogIsReady.open()
        await platform.hasPresented.arrival()
        #expect(viewer.shown == [])
    }

    /// The app closes the session on the main actor, where the platform is about to present.
    @Test(.row("AS17")) func noDialogComes_rightAfterTheSessionWasClosed() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = LatePlatform()
        let (session, _) = try await fixture.session { $0.platform = platform }
        platform.beforeDialog.withLock { $0 = { session.close() } }
        platform.dialogIsReady.open()
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError.self) { try await session.authenticate(using: viewer) }
        await platform.hasPresented.arrival()
        #expect(viewer.shown == [])
    }

    @Test(.row("LO1", "SP8"), arguments: End.allCases, Call.allCases)
    func noPickerComes_whenTheConfigurationIsLate(end: End, call: Call) async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, body in
            guard fixture.isAt(.configuration, request) else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let viewer = ViewerWhoLogsIn()
        let running = Task { try await call.perform(in: session, using: viewer) }
        await answer.arrival()
        try await self.end(running, of: session, by: end)
        answer.open()
        if end == .close { await session.end() } else { _ = try await session.configuration() }
        #expect(viewer.shown == [])
    }

    @Test(arguments: [false, true])
    func aQuestionAboutLogins_fails_whenItsSessionIsClosedMeanwhile(isAboutOne: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/profiles") == true { await Task { await answer.pass() }.value }
            return nil
        }
        let question = Task {
            if isAboutOne {
                _ = try await session.profile(with: "demo-cable")
            } else {
                _ = try await session.profiles()
            }
        }
        await answer.arrival()
        session.close()
        answer.open()
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await question.value }
    }
}

/// A platform that hears of no cancellation, and shows its dialog when the test lets it.
private final class LatePlatform: PlatformSignOn {
    private final class Dialog: Sendable {}

    let dialogIsReady = Gate()
    let hasPresented = Gate()
    /// The code of the app that runs on the main actor immediately before the dialog.
    let beforeDialog = Guarded<@Sendable () -> Void>({})

    func access(mayAsk: Bool) async -> PlatformAccess { .granted }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        guard request.mayInterrupt, let presenter else { throw .notSignedIn }
        await Task { await dialogIsReady.pass() }.value
        let dialog = PlatformDialog(Dialog())
        let beforeDialog = beforeDialog.withLock { $0 }
        await MainActor.run {
            beforeDialog()
            presenter.presentPlatformDialog(dialog)
            presenter.dismissPlatformDialog(dialog)
        }
        Task { await hasPresented.pass() }
        throw .cancelled
    }
}
