import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Tests of the request for the login after a start that has a copy of it.
///
/// The first play comes before the request.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct QuestionBehindStartTests {
    /// A session with the copy of a login, after its start, on a clock that stands still.
    ///
    /// - Parameter gate: a gate that holds the request for a play of DEMO-2.
    private func restarted(
        _ fixture: FlowFixture, on clock: ManualClock, holding gate: Gate? = nil
    ) async throws -> (session: EntitlementSession, asked: Guarded<[String]>) {
        try await fixture.loggedIn().0.end()
        let asked = Guarded<[String]>([])
        let session = try await fixture.session(started: false) { $0.clock = clock.sessionClock }.0
        fixture.transport.setInterception { request, body in
            let path = request.path ?? ""
            asked.withLock { asked in
                if path.contains("/profiles") { asked.append("the login") }
                if path.contains("/authorize/") { asked.append("the play") }
            }
            if let gate, String(decoding: body ?? Data(), as: UTF8.self).contains("DEMO-2") { await gate.pass() }
            return nil
        }
        try await session.start()
        return (session, asked)
    }

    @Test func aPlayThatFollows_isAskedFirst() async throws {
        let fixture = try await FlowFixture(.restV2)
        let clock = ManualClock(fixture.clock.now)
        let (session, asked) = try await restarted(fixture, on: clock)
        _ = try await session.authorize("DEMO-1")
        await session.waitingRefresh?.value
        #expect(asked.withLock(\.self) == ["the play", "the login"])
        #expect(clock.now == fixture.clock.now)
        await session.end()
    }

    /// The request would compete with the play that goes on.
    @Test func ofTwoPlays_theLastOneLetsItGo() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (clock, gate) = (ManualClock(fixture.clock.now), Gate())
        let (session, asked) = try await restarted(fixture, on: clock, holding: gate)
        #expect(await soon { clock.sleepers == 1 })
        let last = Task { try await session.authorize("DEMO-2") }
        await gate.arrival()
        _ = try await session.authorize("DEMO-1")
        // The turn in which the first play was answered is over when the session answers again.
        let task = await session.waitingRefresh
        #expect(clock.sleepers == 1 && asked.withLock(\.self) == ["the play", "the play"])
        gate.open()
        _ = try await last.value
        await task?.value
        #expect(asked.withLock(\.self) == ["the play", "the play", "the login"])
        await session.end()
    }

    @Test func aPlayThatFails_letsItGoToo() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, asked) = try await restarted(fixture, on: ManualClock(fixture.clock.now))
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-NONE") }
        await session.waitingRefresh?.value
        #expect(asked.withLock(\.self) == ["the play", "the login"])
        await session.end()
    }

    @Test func withoutAPlay_itComesAfterThreeSeconds() async throws {
        let fixture = try await FlowFixture(.restV2)
        let clock = ManualClock(fixture.clock.now)
        let (session, asked) = try await restarted(fixture, on: clock)
        await clock.advanceOnceSomethingSleeps(by: 2.9)
        #expect(asked.withLock(\.self).isEmpty)
        clock.advance(by: 0.1)
        await session.waitingRefresh?.value
        #expect(asked.withLock(\.self) == ["the login"])
        await session.end()
    }

    /// Its answer knows what the play has changed.
    @Test func metadataAfterThePlay_needsNoOtherQuestion() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, asked) = try await restarted(fixture, on: ManualClock(fixture.clock.now))
        _ = try await session.authorize("DEMO-1")
        _ = try await session.metadata(.user("zip"))
        #expect(asked.withLock(\.self) == ["the play", "the login"])
        await session.end()
    }

    /// A request that a login has ended was not answered, so it does not count as a recent one.
    @Test func aRequestThatALoginHasEnded_isSentAgainAtTheNextLook() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let (answer, isFirst, asked) = (Gate(), Guarded(true), Guarded(0))
        fixture.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/profiles/demo-cable") == true else { return nil }
            asked.withLock { $0 += 1 }
            if isFirst.taken() { await answer.pass() }
            return nil
        }
        _ = await session.authenticationStatus()
        await answer.arrival()
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(asked.withLock(\.self) == 2)
    }

    @Test func aClosedSession_asksNothing() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, asked) = try await restarted(fixture, on: ManualClock(fixture.clock.now))
        let task = await session.waitingRefresh
        await session.end()
        await task?.value
        #expect(asked.withLock(\.self).isEmpty)
    }

    /// The close of a session marks it at once, and its flows end in a later turn.
    @Test func aSessionClosedAfterAPlay_asksNothing() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, asked) = try await restarted(fixture, on: ManualClock(fixture.clock.now))
        session.parts.listeners.close()
        await session.refreshTask?.value
        #expect(asked.withLock(\.self).isEmpty)
        await session.end()
    }
}

extension EntitlementSession {
    /// The request for the login, which waits for the first play.
    fileprivate var waitingRefresh: Task<Void, Never>? { refreshFlow?.task }
}
