import Testing

@testable import TVEFlowEngine

@Suite("Work that several calls wait for")
struct RunTests {
    @Test func runsInTurnsOfTheSession() async {
        let session = Session()
        #expect(await session.callerOfWork(namesSession: true) === session)
    }

    /// It would read and write what belongs to the session while the session does.
    @Test func isNotBegun_whereItWouldRunOutsideOfTheSession() async {
        await #expect(processExitsWith: .failure) { _ = await Session().callerOfWork(namesSession: false) }
    }
}

/// Stands for a session: what its flow works on is its own.
private actor Session {
    private let flow = Flow()

    func callerOfWork(namesSession: Bool) async -> (any Actor)? {
        await flow.callerOfWork(namesSession: namesSession, on: self)
    }
}

private final class Flow {
    private let run = Run<(any Actor)?>(SessionEvents(observer: { _ in }))

    func callerOfWork(namesSession: Bool, on actor: isolated any Actor) async -> (any Actor)? {
        guard namesSession else { return await run.answer(on: actor, ifLeft: nil) { [self] _ in await caller() }.0 }
        return await run.answer(on: actor, ifLeft: nil) { [self] _ in
            _ = actor
            return await caller()
        }.0
    }

    nonisolated(nonsending) private func caller() async -> (any Actor)? { #isolation }
}
