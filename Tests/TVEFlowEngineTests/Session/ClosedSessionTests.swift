import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct ClosedSessionTests {
    private static let anyURL = URL(fileURLWithPath: "/")

    /// A call of a session, by its name.
    private static let calls: [(name: String, call: @Sendable (EntitlementSession) async throws(TVEError) -> Void)] = [
        ("start", { session async throws(TVEError) in try await session.start() }),
        (
            "authenticate",
            { session async throws(TVEError) in try await session.authenticate(using: ViewerWhoLogsIn()) }
        ),
        ("choose", { session async throws(TVEError) in try await session.selectProvider("demo-fiber") }),
        ("choose none", { session async throws(TVEError) in try await session.selectProvider(nil) }),
        ("the chosen one", { session async throws(TVEError) in _ = try await session.selectedProvider() }),
        ("logout", { session async throws(TVEError) in try await session.logout() }),
        ("authorize", { session async throws(TVEError) in _ = try await session.authorize("DEMO-1") }),
        (
            "authorize as",
            { session async throws(TVEError) in _ = try await session.authorize("DEMO-1", as: "demo-cable") }
        ),
        ("preauthorize", { session async throws(TVEError) in _ = try await session.preauthorize(["DEMO-1"]) }),
        ("metadata", { session async throws(TVEError) in _ = try await session.metadata(.user("zip")) }),
        ("profiles", { session async throws(TVEError) in _ = try await session.profiles() }),
        ("profile", { session async throws(TVEError) in _ = try await session.profile(with: "demo-cable") }),
        ("configuration", { session async throws(TVEError) in _ = try await session.configuration() }),
        ("resume", { session async throws(TVEError) in _ = try await session.resumeLogin(at: anyURL) }),
    ]

    @Test(arguments: ServiceDialect.allCases, calls.map(\.name))
    func everyCall_fails_asksNobody_andChangesNothing(dialect: ServiceDialect, name: String) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        await session.end()
        let stored = contents(of: fixture.storage)
        let requests = fixture.transport.requests
        _ = log.take()

        let call = try #require(Self.calls.first { $0.name == name }).call
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await call(session) }
        #expect(contents(of: fixture.storage) == stored)
        #expect(fixture.transport.requests == requests)
        #expect(log.take() == [])
    }

    /// The request does not end when it is cancelled.
    @Test(
        arguments: [
            (.classic, "start", .start, .requestorNotConfigured), (.restV2, "start", .start, .requestorNotConfigured),
            (.restV2, "configuration", .configuration, .requestorNotConfigured),
            (.classic, "preauthorize", .preauthorization, .preauthorizationFailed),
            (.restV2, "preauthorize", .preauthorization, .preauthorizationFailed),
        ] as [(ServiceDialect, String, Moment, TVEError.Code)])
    func aCallThatWaits_isAnswered_whenItsSessionIsClosed(
        dialect: ServiceDialect, name: String, moment: Moment, code: TVEError.Code
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session(started: name != "start")
        if name == "preauthorize" { try await session.authenticate(using: ViewerWhoLogsIn()) }
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(moment, request) { await Task { await answer.pass() }.value }
            return nil
        }
        let call = try #require(Self.calls.first { $0.name == name }).call
        let waiting = Task { try await call(session) }
        await answer.arrival()
        session.close()
        #expect(await waiting.endsSoon())
        answer.open()
        await #expect(throws: TVEError(code)) { try await waiting.value }
    }

    /// Nobody can tell whether the viewer is logged in, which is no reason to offer a login.
    @Test(arguments: ServiceDialect.allCases)
    func whoIsLoggedIn_isUnknown_andNobodyIsAsked(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        await session.end()
        let requests = fixture.transport.requests
        // The last request of this kind is no longer recent.
        fixture.clock.advance(by: 60)
        #expect(await session.authenticationStatus() == .unknown(TVEError(.requestorNotConfigured)))
        await session.refreshTask?.value
        #expect(fixture.transport.requests == requests)
    }

    private func contents(of storage: MemoryStorage) -> [String: String] {
        var contents: [String: String] = [:]
        for key in storage.keys(under: .everything) {
            contents[key.rawValue] = storage.value(for: key)?.base64EncodedString()
        }
        return contents
    }
}
