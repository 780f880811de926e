import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The app's data of two calls that share a login with a promotional TempPass, which needs the viewer's id.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SharedLoginTests {
    private static let identity: [String: MetadataValue] = ["email": "0f3c"]

    /// The service's answer about a login that needs the viewer's id.
    private static func missingIdentity(_ dialect: ServiceDialect) -> ScriptedTransport.Answer {
        switch dialect {
        case .classic: dialect.noLogin
        case .restV2:
            ServiceDialect.refusal("invalid_header_identity_for_temporary_access", status: 400, action: "none")
        }
    }

    /// Two calls that share a login, about which the service has not answered yet.
    private struct Shared {
        let fixture: FlowFixture
        let log: EventLog
        /// The gate that holds the service's first answer about the login.
        let answer: Gate
        let calls: [Task<MVPDID, any Error>]
        /// The presenter of the second call.
        let other: ViewerWhoLogsIn
    }

    /// Begins a login, which a second call joins while the service is asked for its outcome.
    ///
    /// - Parameter outcome: the answer to each request for the outcome, or `nil` for that of the sandbox.
    private func begin(
        _ dialect: ServiceDialect, with first: [String: MetadataValue], joinedWith second: [String: MetadataValue],
        outcome: ScriptedTransport.Answer? = nil
    ) async throws -> Shared {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email"))
        let (fixture, session, log) = try await FlowFixture.started(dialect, world: world)
        let answer = Gate()
        let isFirst = Guarded(true)
        fixture.transport.setInterception { request, _ in
            // A login that began again and again would never end.
            if fixture.isAt(.code, request), fixture.count(of: .code) > 5 { return .failure(.unreachable) }
            guard fixture.isAt(.outcome, request) else { return nil }
            if isFirst.taken() { await answer.pass() }
            return outcome
        }
        let viewer = ViewerWhoLogsIn(choice: "TempPass")
        let login = Task { try await session.authenticate(using: viewer, data: first).mvpdID }
        await answer.arrival()
        _ = log.take()
        let other = ViewerWhoLogsIn()
        let joined = await session.begun { session in
            try await session.authenticate(using: other, data: second).mvpdID
        }
        return Shared(fixture: fixture, log: log, answer: answer, calls: [login, joined], other: other)
    }

    /// The app may learn only from the choice that the login needs the viewer's id.
    @Test(arguments: ServiceDialect.allCases)
    func theDataOfTheSecondCall_areSent_whenTheServiceMissesThem(dialect: ServiceDialect) async throws {
        let shared = try await begin(dialect, with: [:], joinedWith: Self.identity)
        shared.answer.open()
        for call in shared.calls { #expect(try await call.value == "TempPass") }
        #expect(shared.fixture.count(of: .code) == 2 && shared.other.shown.isEmpty)
        #expect(shared.log.take() == ["N011", "authn cached false", "authenticated"])
    }

    /// The service misses the viewer's id again, although the login has begun anew with the data of the second call.
    @Test(arguments: ServiceDialect.allCases)
    func theDataOfTheSecondCall_areSentOnce(dialect: ServiceDialect) async throws {
        let shared = try await begin(
            dialect, with: [:], joinedWith: Self.identity, outcome: Self.missingIdentity(dialect))
        shared.answer.open()
        for call in shared.calls {
            await #expect(throws: TVEError(.viewerIdentityMissing)) { try await call.value }
        }
        #expect(shared.fixture.count(of: .code) == 2)
        #expect(shared.log.take() == ["N500", "authn false", "not: viewerIdentityMissing"])
    }

    /// The login has begun with the first call's data and belongs to one viewer, or neither call has data.
    @Test(
        arguments: ServiceDialect.both(
            [
                (["email": "0f3c"], ["email": "77aa"]), (["email": "0f3c"], [:]), ([:], [:]),
            ] as [([String: MetadataValue], [String: MetadataValue])]))
    func theDataOfTheSecondCall_areNotSent_ifTheyAreNoneOrTheFirstHasSome(
        dialect: ServiceDialect, first: [String: MetadataValue], second: [String: MetadataValue]
    ) async throws {
        let shared = try await begin(
            dialect, with: first, joinedWith: second, outcome: Self.missingIdentity(dialect))
        shared.answer.open()
        for call in shared.calls {
            await #expect(throws: TVEError(.viewerIdentityMissing)) { try await call.value }
        }
        #expect(shared.fixture.count(of: .code) == 1)
    }

    /// Another failure would only come again.
    @Test(arguments: ServiceDialect.allCases)
    func theDataOfTheSecondCall_areNotSent_afterAnotherFailure(dialect: ServiceDialect) async throws {
        let shared = try await begin(
            dialect, with: [:], joinedWith: Self.identity, outcome: .response(status: 500, body: "<html>oops"))
        shared.answer.open()
        for call in shared.calls {
            await #expect(throws: TVEError(.serviceFailed)) { try await call.value }
        }
        #expect(shared.fixture.count(of: .code) == 1)
    }
}
