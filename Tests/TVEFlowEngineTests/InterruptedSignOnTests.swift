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
