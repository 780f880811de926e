import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite("Work that several calls wait for", .timeLimit(.hanging))
struct RunTests {
    @Test func runsInTurnsOfTheSession() async {
        let session = Session()
        #expect(await session.callerOfWork(namesSession: true) === session)
    }

    /// Such work would access the session's state from outside of its actor.
    @Test func isNotBegun_whereItWouldRunOutsideOfTheSession() async {
        await #expect(processExitsWith: .failure) { _ = await Session().callerOfWork(namesSession: false) }
    }

    /// The work does not end with its cancellation, as a store or a screen may not.
    @Test func workThatWasLeft_isCancelled_andDoesNotAnswerTheNextCall() async {
        let (session, first, second) = (Session(), Gate(), Gate())
        let (wasCancelled, left) = (Guarded(false), Gate())
        let leaving = Task {
            await session.answer {
                await Task { await first.pass() }.value
                wasCancelled.withLock { $0 = Task.isCancelled }
                Task { await left.pass() }
                return 1
            }
        }
        await first.arrival()
        leaving.cancel()
        #expect(await leaving.value == nil)
        let next = Task {
            await session.answer {
                await second.pass()
                return 2
            }
        }
        await second.arrival()
        first.open()
        await left.arrival()
        second.open()
        #expect(await next.value == 2)
        #expect(wasCancelled.withLock(\.self) == true)
    }

    /// A request contains a login, so that a session would keep each login that it ever used.
    @Test func aRequest_isForgotten_whenItIsAnswered() async {
        #expect(await Session().forgetsRequests())
    }
}

/// A request of which each one is another.
private final class Request: Hashable, Sendable {
    static func == (left: Request, right: Request) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A stand-in for a session, which is the actor that isolates its flow.
private actor Session {
    private let flow = Flow()

    func callerOfWork(namesSession: Bool) async -> (any Actor)? {
        await flow.callerOfWork(namesSession: namesSession, on: self)
    }

    func forgetsRequests() async -> Bool { await flow.forgetsRequests(on: self) }

    /// Returns the answer of the running work, or of this work if none is running; `nil` if the call is cancelled.
    func answer(_ work: @escaping @Sendable () async -> Int) async -> Int? { await flow.answer(work, on: self) }
}

private final class Flow {
    private let run = Run<(any Actor)?>(SessionEvents(observer: { _ in }))
    private let numbers = Run<Int?>(SessionEvents(observer: { _ in }))
    private let requests = Runs<Request, Int>(SessionEvents(observer: { _ in }))

    func forgetsRequests(on actor: isolated any Actor) async -> Bool {
        weak var known: Request?
        do {
            let request = Request()
            known = request
            _ = await requests.answer(to: request, on: actor, ifLeft: 0) { _ in
                _ = actor
                return 1
            }
        }
        return known == nil
    }

    func answer(_ work: @escaping @Sendable () async -> Int, on actor: isolated any Actor) async -> Int? {
        await numbers.answer(on: actor, ifLeft: nil) { _ in
            _ = actor
            return await work()
        }.0
    }

    func callerOfWork(namesSession: Bool, on actor: isolated any Actor) async -> (any Actor)? {
        guard namesSession else { return await run.answer(on: actor, ifLeft: nil) { [self] _ in await caller() }.0 }
        return await run.answer(on: actor, ifLeft: nil) { [self] _ in
            _ = actor
            return await caller()
        }.0
    }

    nonisolated(nonsending) private func caller() async -> (any Actor)? { #isolation }
}
