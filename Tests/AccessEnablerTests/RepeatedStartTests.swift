import TVEFlowEngine
import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import AccessEnabler

/// The pauses before a start that has failed is repeated, and the calls that end them.
@Suite(.timeLimit(.hanging))
struct RepeatedStartTests {
    private static let start = RepeatedStarts.Start(requestorID: "DEMO", endpoints: ["https://sp.example.com"])

    private let clock = ManualClock()
    /// The pauses so far, which pass at once.
    private let pauses = Guarded<[Duration]>([])
    private let starts: RepeatedStarts

    init() {
        var passing = clock.sessionClock
        passing.sleep = { [pauses] duration in pauses.withLock { $0.append(duration) } }
        starts = RepeatedStarts(passing)
    }

    /// Lets a start fail, and makes a call that repeats it.
    private func failAndCall(isRepeated: Bool) async throws -> RepeatedStarts.Start? {
        starts.ended(Self.start, isRepeated: isRepeated)
        let number = try #require(starts.number)
        return await starts.next(number)
    }

    @Test func eachPause_isTwiceAsLong_upToHalfAMinute() async throws {
        for round in 0..<7 {
            let start = try await failAndCall(isRepeated: round > 0)
            #expect(start?.requestorID == "DEMO")
        }
        #expect(pauses.withLock(\.self) == [1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
        // A start of the app itself begins anew.
        pauses.withLock { $0 = [] }
        for round in 0..<2 { _ = try await failAndCall(isRepeated: round > 0) }
        #expect(pauses.withLock(\.self) == [.seconds(1), .seconds(2)])
    }

    @Test func aCallAfterThePause_needsNone_andMakesTheNextOneShort() async throws {
        for round in 0..<3 { _ = try await failAndCall(isRepeated: round > 0) }
        starts.ended(Self.start, isRepeated: true)
        clock.advance(by: 8)
        pauses.withLock { $0 = [] }
        let number = try #require(starts.number)
        #expect(await starts.next(number) != nil)
        _ = try await failAndCall(isRepeated: true)
        #expect(pauses.withLock(\.self) == [.zero, .seconds(1)])
    }

    /// The events after which a call no longer repeats the start that had failed before it.
    enum Event: CaseIterable {
        case failure, success, callThatEndsThePause
    }

    @Test(arguments: Event.allCases)
    func aCallThatWasMadeBefore_repeatsNothing(event: Event) async throws {
        starts.ended(Self.start, isRepeated: false)
        let number = try #require(starts.number)
        switch event {
        case .failure: starts.ended(Self.start, isRepeated: true)
        case .success: starts.ended(nil, isRepeated: true)
        case .callThatEndsThePause: starts.endPause {}
        }
        #expect(await starts.next(number) == nil)
        #expect(pauses.withLock(\.isEmpty))
        #expect((starts.number == nil) == (event == .success))
    }

    /// Otherwise the call that waits could get in front of the one that must not wait.
    @Test func aCallThatEndsThePause_isSubmittedBeforeThePauseEnds() async throws {
        let starts = RepeatedStarts(clock.sessionClock)
        starts.ended(Self.start, isRepeated: false)
        let number = try #require(starts.number)
        let waiting = Task { await starts.next(number) == nil }
        #expect(await soon { clock.sleepers > 0 })
        let sleepers = starts.endPause { clock.sleepers }
        #expect(sleepers == 1)
        try #require(await soon { clock.sleepers == 0 })
        #expect(await waiting.value, "A call that ends the pause takes the place of the repeated start.")
    }
}
