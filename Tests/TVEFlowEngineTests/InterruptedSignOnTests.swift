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
    @Test(arguments: ServiceDialect.allCases)
    func endsWithALogoutOfOneProvider(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = SlowPlatform()
        let (session, _) = try await fixture.session(started: false) { $0.platform = platform }
        let start = Task { try await session.start() }
        await platform.answer.arrival()
        try await session.logout(of: "demo-cable")
        platform.answer.open()
        try await start.value
        #expect(await !session.isLoggedIn)
    }
}

/// A platform on which the viewer is signed in, and which gives its first answer when the test says so.
private struct SlowPlatform: PlatformSignOn {
    let answer = Gate()
    private let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
    private let isFirst = Guarded(true)

    func access(mayAsk: Bool) async -> PlatformAccess {
        if isFirst.taken() { await Task { await answer.pass() }.value }
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
