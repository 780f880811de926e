import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// A silent sign-on with the platform that is cancelled while the platform is asked.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct InterruptedSignOnTests {
    /// The answer of an interrupted platform says nothing about the viewer.
    @Test(arguments: ServiceDialect.allCases, [PlatformAccess.undetermined, .denied])
    func keepsTheLogin_whenTheSessionIsClosed(dialect: ServiceDialect, access: PlatformAccess) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let signedIn = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (first, _) = try await fixture.session { $0.platform = signedIn }
        #expect(await first.isLoggedIn)
        await first.end()
        let platform = InterruptedPlatform(access: access)
        let (session, _) = try await fixture.session(started: false) { $0.platform = platform }
        let start = Task { try await session.start() }
        _ = await platform.isAsked.stream.first { _ in true }
        let step = try #require(await session.startTask)
        await session.end()
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await start.value }
        // The step has handled the platform's answer when its task ends.
        await step.value
        #expect(fixture.isLoginStored)
    }

    /// The start does not know yet with which provider the platform would log the viewer in.
    @Test(arguments: ServiceDialect.allCases, [true, false])
    func endsWithALogoutOfOneProvider_orAChoiceThatIsRefused(dialect: ServiceDialect, isLogout: Bool) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = SlowPlatform()
        let (session, _) = try await fixture.session(started: false) { $0.platform = platform }
        let start = Task { try await session.start() }
        await platform.answer.arrival()
        if isLogout {
            try await session.logout(of: "demo-cable")
        } else {
            await #expect(throws: TVEError(.unknownProvider)) { try await session.selectProvider("nope") }
        }
        platform.answer.open()
        try await start.value
        #expect(await !session.isLoggedIn)
    }

    /// The viewer answers the platform's prompt after the app has left the login.
    @Test(arguments: ServiceDialect.allCases)
    func asksForNoAccount_whenTheLoginIsOver(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = SlowPlatform(isHeldAtPrompt: true)
        platform.platform.change { $0.signedIn = nil }
        let (session, _) = try await fixture.session { $0.platform = platform }
        let asked = platform.platform.requests.count
        let login = Task { try await session.authenticate(using: ViewerWhoLogsIn()) }
        await platform.answer.arrival()
        await login.cancelled()
        platform.answer.open()
        // A request that was still sent would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(platform.platform.requests.count == asked)
    }
}

/// A platform on which the viewer is signed in, and which gives its first answer when the test says so.
private struct SlowPlatform: PlatformSignOn {
    let answer = Gate()
    /// A Boolean value that indicates whether the first answer that is held is that to a prompt.
    var isHeldAtPrompt = false
    let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
    let isFirst = Guarded(true)

    func access(mayAsk: Bool) async -> PlatformAccess {
        if mayAsk == isHeldAtPrompt, isFirst.taken() { await Task { await answer.pass() }.value }
        return await platform.access(mayAsk: mayAsk)
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        try await platform.account(request, presenter: presenter)
    }
}

/// A platform that answers the request for access only when it is interrupted.
private final class InterruptedPlatform: PlatformSignOn {
    let isAsked = AsyncStream<Void>.makeStream()
    private let access: PlatformAccess

    init(access: PlatformAccess) {
        self.access = access
    }

    func access(mayAsk: Bool) async -> PlatformAccess {
        isAsked.continuation.yield()
        while !Task.isCancelled { await Task.shortPause() }
        return access
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount { throw .notSignedIn }
}
