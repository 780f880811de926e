import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.timeLimit(.hanging))
struct PacedTransportTests {
    private static func paced(_ next: ScriptedTransport, _ clock: ManualClock) -> PacedTransport {
        PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
    }

    /// Returns a transport of a process that stores its pace.
    private static func paced(
        _ next: any HTTPTransport, _ clock: ManualClock, storing stored: Guarded<PaceKeeper.Pace?>
    ) -> PacedTransport {
        let keeper = PaceKeeper(load: { stored.withLock(\.self) }, save: { pace in stored.withLock { $0 = pace } })
        return PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep, keeper: keeper)
    }

    private static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
    }

    /// Sends a request that no viewer waits for.
    private static func poll(_ transport: PacedTransport, atMost limit: Duration = .seconds(600)) async {
        await PacedTransport.backoffLimit.withValue(limit) {
            _ = try? await transport.send(get("/busy"), body: nil)
        }
    }

    @Test(.row("CL27")) func lets10RequestsThroughAtOnce_thenOneASecond() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        let start = clock.now
        var times: [TimeInterval] = []
        for _ in 0..<13 {
            _ = try await transport.send(Self.get("/adobe-services/config/DEMO?x=1"), body: nil)
            times.append(clock.now.timeIntervalSince(start))
        }
        #expect(times == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
    }

    @Test(arguments: [
        ("/adobe-services/sessionDevice", false), ("/adobe-services/authorizeDevice", false),
        ("/adobe-services/preauthorize", false), ("/adobe-services/configuration", false), ("/o/client/token", true),
        ("/reggie/v1/DEMO/regcode", true), ("/api/v1/tokens/authn", true), ("/api/v2/x", true),
    ])
    func countsThePathsThatTheServiceCounts(path: String, counts: Bool) async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        let start = clock.now
        for _ in 0..<11 { _ = try await transport.send(Self.get(path), body: nil) }
        #expect(clock.now.timeIntervalSince(start) == (counts ? 1 : 0))
    }

    @Test func fillsUpAgain_withTime_butNotBeyondTen() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        for _ in 0..<10 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        clock.advance(by: 3_600)
        let start = clock.now
        for _ in 0..<11 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        #expect(clock.now.timeIntervalSince(start) == 1)
    }

    @Test func owesNothing_whenTheClockIsSetBack() async throws {
        let clock = ManualClock(shortWait: .seconds(9_000))
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        _ = try await transport.send(Self.get("/o/client/token"), body: nil)
        clock.advance(by: -3_600)
        let start = clock.now
        for _ in 0..<9 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        #expect(clock.now == start)
    }

    @Test(.row("CL27")) func sendsNothingInTheSecondAfterA429() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let answers = Guarded([429, 429, 200, 200])
        let times = Guarded<[Date]>([])
        let next = ScriptedTransport { _, _ in
            times.withLock { $0.append(clock.now) }
            return .response(status: answers.withLock { $0.removeFirst() }, body: "")
        }
        let transport = Self.paced(next, clock)
        let start = clock.now
        let (refused, _) = try await transport.send(Self.get("/api/v2/DEMO/decisions/authorize/p"), body: nil)
        #expect(refused.status.code == 429)
        for path in ["/api/v2/DEMO/profiles/p", "/adobe-services/sessionDevice"] {
            _ = try await transport.send(Self.get(path), body: nil)
        }
        #expect(times.withLock { $0.map { $0.timeIntervalSince(start) } } == [0, 1, 2, 2])
    }

    /// A request that was under way is refused while another one waits for the end of the rest.
    @Test(.row("CL27")) func waitsForTheRest_thatAFurther429Begins() async throws {
        let clock = ManualClock()
        let times = Guarded<[Date]>([])
        let isAnswered = Guarded(false)
        let next = ScriptedTransport()
        next.setInterception { _, _ in
            let count = times.withLock { times in
                times.append(clock.now)
                return times.count
            }
            while count == 1, !isAnswered.withLock(\.self), !Task.isCancelled { await Task.shortPause() }
            return .response(status: count <= 2 ? 429 : 200, body: "")
        }
        let transport = Self.paced(next, clock)
        let start = clock.now
        var requests: [Task<HTTPResponse.Status, any Error>] = []
        for sleepers in 0...2 {
            requests.append(
                Task { try await transport.send(Self.get("/adobe-services/sessionDevice"), body: nil).0.status })
            while clock.sleepers < sleepers || times.withLock(\.isEmpty), !Task.isCancelled {
                await Task.shortPause()
            }
        }
        clock.advance(by: 0.5)
        isAnswered.withLock { $0 = true }
        while clock.sleepers < 3, !Task.isCancelled { await Task.shortPause() }
        clock.advance(by: 0.5)
        while clock.sleepers < 3, times.withLock(\.count) < 3, !Task.isCancelled { await Task.shortPause() }
        clock.advance(by: 0.5)
        for request in requests { #expect(try await request.value == .ok) }
        #expect(times.withLock { $0.map { $0.timeIntervalSince(start) } } == [0, 0, 1.5, 1.5, 1.5])
    }

    @Test(.row("B8.1", "CL27")) func triesOnceMore_aSecondAfter429() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let answers = Guarded([429, 200, 429, 429])
        let next = ScriptedTransport { _, _ in .response(status: answers.withLock { $0.removeFirst() }, body: "") }
        let transport = Self.paced(next, clock)
        let start = clock.now
        #expect(try await transport.send(Self.get("/adobe-services/authorizeDevice"), body: nil).0.status == .ok)
        #expect(clock.now.timeIntervalSince(start) == 1)
        #expect(try await transport.send(Self.get("/adobe-services/authorizeDevice"), body: nil).0.status.code == 429)
        #expect(answers.withLock(\.isEmpty))
    }

    /// Another device behind the same address has used up the service's burst.
    @Test(.row("CL27")) func repeatsOneAfterTheOther_whatWasRefusedTogether() async throws {
        let clock = ManualClock()
        let times = Guarded<[Date]>([])
        let next = ScriptedTransport()
        next.setInterception { _, _ in
            let count = times.withLock { times in
                times.append(clock.now)
                return times.count
            }
            // The first refusal arrives only when all three requests are under way.
            while times.withLock(\.count) < 3, !Task.isCancelled { await Task.shortPause() }
            return .response(status: count <= 3 ? 429 : 200, body: "")
        }
        let transport = Self.paced(next, clock)
        let start = clock.now
        let requests = (0..<3).map { _ in
            Task { try await transport.send(Self.get("/api/v2/DEMO/profiles/p"), body: nil).0.status }
        }
        while clock.sleepers < 3, !Task.isCancelled { await Task.shortPause() }
        for second in 1...3 {
            clock.advance(by: 1)
            while times.withLock(\.count) < 3 + second || clock.sleepers < 3 - second, !Task.isCancelled {
                await Task.shortPause()
            }
        }
        for request in requests { #expect(try await request.value == .ok) }
        #expect(times.withLock { $0.map { $0.timeIntervalSince(start) } } == [0, 0, 0, 1, 2, 3])
    }

    /// The repetition takes a turn like any other request, so the next request waits for it.
    @Test(arguments: [1, 5])
    func theRepeatAfter429_takesItsTurn(retryAfter: Int) async throws {
        let clock = ManualClock(shortWait: .seconds(9))
        let next = Throttled(retryAfter: "\(retryAfter)", first: 10)
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let start = clock.now
        for _ in 0..<10 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        #expect(clock.now.timeIntervalSince(start) == TimeInterval(retryAfter))
        for number in 1...(retryAfter + 1) {
            _ = try await transport.send(Self.get("/o/client/token"), body: nil)
            // One turn a second has become free during the wait, and the repetition has taken one of them.
            let waited = max(0, number - (retryAfter - 1))
            #expect(clock.now.timeIntervalSince(start) == TimeInterval(retryAfter + waited), "\(number)")
        }
    }

    @Test func stopsWaiting_whenTheTaskIsCancelled() async throws {
        let clock = ManualClock()
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        for _ in 0..<10 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        let late = Task { () async -> TransportError? in
            do throws(TransportError) {
                _ = try await transport.send(Self.get("/o/client/token"), body: nil)
                return nil
            } catch {
                return error
            }
        }
        while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        late.cancel()
        #expect(await late.value == .cancelled)
    }

    @Test func owesNothing_forRequestsThatWereCancelledWhileTheyWaited() async throws {
        let clock = ManualClock()
        let transport = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock)
        for _ in 0..<10 { _ = try await transport.send(Self.get("/o/client/token"), body: nil) }
        let late = (0..<300).map { _ in
            Task { try await transport.send(Self.get("/o/client/token"), body: nil) }
        }
        while clock.sleepers < 300, !Task.isCancelled { await Task.shortPause() }
        for task in late { task.cancel() }
        for task in late { _ = await task.result }
        clock.advance(by: 1)
        _ = try await transport.send(Self.get("/o/client/token"), body: nil)
        #expect(clock.sleepers == 0)
    }

    /// If a service is busy for a long time, requests that no viewer waits for are held back.
    @Test(.row("CL27"), arguments: [429, 503])
    func whatNobodyAskedFor_waitsOutALongSilence_andAViewersRequestIsSent(status: Int) async throws {
        let clock = ManualClock(shortWait: .seconds(1))
        let next = Busy(status: status, retryAfter: "120")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        #expect(try await transport.send(Self.get("/busy"), body: nil).0.status.code == status)
        let start = clock.now
        #expect(try await transport.send(Self.get("/busy"), body: nil).0.status.code == status, "A viewer's.")
        // Even a viewer's request is not sent in the second after a 429.
        #expect(clock.now.timeIntervalSince(start) == (status == 429 ? 1 : 0))
        let poll = Task { await Self.poll(transport) }
        await clock.advanceOnceSomethingSleeps(by: 119)
        #expect(next.requests.withLock(\.self) == 2)
        clock.advance(by: 1)
        await poll.value
        #expect(next.requests.withLock(\.self) == 3)
    }

    /// After a 503 no request is repeated, so without a backoff the next poll would come too early.
    @Test(.row("CL27"), arguments: [4, 20, 30])
    func whatNobodyAskedFor_waitsOutAShortSilenceToo(seconds: Int) async throws {
        let clock = ManualClock()
        let next = Busy(status: 503, retryAfter: "\(seconds)")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        #expect(next.requests.withLock(\.self) == 2, "A viewer's requests are sent.")
        let poll = Task { await Self.poll(transport) }
        await clock.advanceOnceSomethingSleeps(by: TimeInterval(seconds) - 1)
        #expect(next.requests.withLock(\.self) == 2)
        clock.advance(by: 1)
        await poll.value
        #expect(next.requests.withLock(\.self) == 3)
    }

    /// A login whose code has expired meanwhile must be noticed.
    @Test(arguments: [429, 503], ["3600", "99999999999999999999"])
    func aSilenceOfAnHourOrMore_lastsTenMinutes(status: Int, retryAfter: String) async throws {
        let clock = ManualClock(shortWait: .seconds(3_600))
        let next = Busy(status: status, retryAfter: retryAfter)
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let start = clock.now
        _ = try await transport.send(Self.get("/busy"), body: nil)
        #expect(clock.now == start)
        await Self.poll(transport)
        #expect(clock.now.timeIntervalSince(start) == 600 && next.requests.withLock(\.self) == 2)
    }

    /// The first answer names no time, and the second does.
    @Test(.row("CL27")) func aSilenceThatTheSecondAnswerAsksFor_isKeptToo() async throws {
        let clock = ManualClock(shortWait: .seconds(1))
        let next = Busy(status: 429, retryAfter: "120")
        next.first.withLock { $0 = [nil] }
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        #expect(next.requests.withLock(\.self) == 2)
        let poll = Task { await Self.poll(transport) }
        await clock.advanceOnceSomethingSleeps(by: 119)
        #expect(next.requests.withLock(\.self) == 2)
        clock.advance(by: 1)
        await poll.value
    }

    @Test(.row("CL27"), arguments: [429, 503]) func aClockThatIsSetBack_holdsNothingBack(status: Int) async throws {
        let clock = ManualClock(shortWait: .zero)
        let next = Busy(status: status, retryAfter: "120")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        clock.advance(by: -3_600)
        let start = clock.now
        await Self.poll(transport)
        #expect(next.requests.withLock(\.self) == 2 && clock.now == start)
    }

    /// The clock is set back by less than the longest backoff.
    @Test(.row("CL27"), arguments: [false, true])
    func aClockThatIsSetBackByMinutes_makesNoShortSilenceLong(isBusyAgain: Bool) async throws {
        let clock = ManualClock(shortWait: .seconds(600))
        let next = Busy(status: 503, retryAfter: "5")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        clock.advance(by: -300)
        let start = clock.now
        if isBusyAgain { _ = try await transport.send(Self.get("/busy"), body: nil) }
        await Self.poll(transport)
        #expect(clock.now.timeIntervalSince(start) == (isBusyAgain ? 5 : 0))
    }

    @Test(arguments: [429, 503]) func theSilenceOfAHost_isNoneOfAnother(status: Int) async throws {
        let clock = ManualClock(shortWait: .seconds(600))
        let next = Busy(status: status, retryAfter: "120")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let start = clock.now
        for host in ["a.example", "b.example"] {
            let request = HTTPRequest(method: .get, scheme: "https", authority: host, path: "/busy")
            await PacedTransport.backoffLimit.withValue(.seconds(600)) {
                _ = try? await transport.send(request, body: nil)
            }
        }
        #expect(next.requests.withLock(\.self) == 2 && clock.now == start)
    }

    /// The answer to a viewer's request asks for less than the one before it.
    @Test(.row("CL27")) func aShortSilence_doesNotEndALongOne() async throws {
        let clock = ManualClock(shortWait: .seconds(600))
        let next = Busy(status: 503, retryAfter: "5")
        next.first.withLock { $0 = ["120"] }
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        for _ in 0..<2 { _ = try await transport.send(Self.get("/busy"), body: nil) }
        let start = clock.now
        await Self.poll(transport)
        #expect(clock.now.timeIntervalSince(start) == 120 && next.requests.withLock(\.self) == 3)
    }

    /// The limit is that of the whole wait.
    @Test(.row("CL27"), arguments: [(600, 60.0), (30, 30)])
    func aSilenceThatIsExtendedDuringTheWait_isWaitedOutToo(limit: Int, waits: TimeInterval) async throws {
        let clock = ManualClock()
        let next = Busy(status: 503, retryAfter: "60")
        next.first.withLock { $0 = ["20"] }
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        _ = try await transport.send(Self.get("/busy"), body: nil)
        let poll = Task { await Self.poll(transport, atMost: .seconds(limit)) }
        while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        _ = try await transport.send(Self.get("/busy"), body: nil)
        clock.advance(by: 20)
        while clock.sleepers == 0, next.requests.withLock(\.self) == 2, !Task.isCancelled { await Task.shortPause() }
        clock.advance(by: waits - 21)
        #expect(clock.sleepers == 1 && next.requests.withLock(\.self) == 2)
        clock.advance(by: 1)
        await poll.value
        #expect(next.requests.withLock(\.self) == 3)
    }

    @Test(.row("REST API v2, 9.9")) func anythingElse_goesBeforePreauthorizationsThatWait() async throws {
        let clock = ManualClock()
        let sent = Guarded<[String]>([])
        let next = ScriptedTransport { request, _ in
            let name = request.path?.split(separator: "/").last.map(String.init) ?? ""
            sent.withLock { $0.append(name) }
            return .response(status: 200, body: "")
        }
        let transport = Self.paced(next, clock)
        for _ in 0..<10 { _ = try await transport.send(Self.get("/api/v2/DEMO/configuration"), body: nil) }
        sent.withLock { $0 = [] }
        /// Begins requests that have to wait, one after the other.
        func begin(_ paths: String...) async {
            for path in paths {
                let waiting = clock.sleepers
                Task { try await transport.send(Self.get("/api/v2/DEMO/\(path)"), body: nil) }
                while clock.sleepers == waiting, !Task.isCancelled { await Task.shortPause() }
            }
        }
        await begin("decisions/preauthorize/p1", "decisions/preauthorize/p2", "decisions/preauthorize/p3")
        await begin("decisions/authorize/a1", "profiles", "decisions/preauthorize/p4")
        for second in 1...6 {
            clock.advance(by: 1)
            while sent.withLock(\.count) < second || clock.sleepers < 6 - second, !Task.isCancelled {
                await Task.shortPause()
            }
            #expect(sent.withLock(\.count) == second, "one a second")
        }
        #expect(sent.withLock(\.self) == ["a1", "profiles", "p1", "p2", "p3", "p4"])
    }

    @Test(
        .row("B8.1"),
        arguments: [
            ("7", 7.0, true), ("0", 1, true), ("30", 30, true), ("31", 0, false), ("999999999999999999999", 0, false),
            ("-5", 1, true), ("soon", 1, true), ("Fri, 20 Nov 2026 08:00:09 GMT", 9, true),
            ("Fri, 20 Nov 2026 07:00:00 GMT", 1, true), ("Sun, 22 Nov 2026 08:00:00 GMT", 0, false),
        ])
    func comesBackWhenTheServiceSays_andSaysSoAtOnce_whenThatIsFarAway(
        text: String, waits: TimeInterval, isTriedAgain: Bool
    ) async throws {
        let clock = ManualClock(try Date("2026-11-20T08:00:00Z", strategy: .iso8601), shortWait: .seconds(40))
        let next = Throttled(retryAfter: text)
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let start = clock.now
        let (response, _) = try await transport.send(Self.get("/adobe-services/authorizeDevice"), body: nil)
        #expect(response.status.code == (isTriedAgain ? 200 : 429))
        #expect(clock.now.timeIntervalSince(start) == waits)
    }

    /// The device's clock is wrong by an hour, and the service names its own time beside the date.
    @Test(.row("B8.1"), arguments: ["07", "08", "09"])
    func waitsAsTheServiceMeansIt_whateverTheClockOfTheDeviceIs(hour: String) async throws {
        let clock = ManualClock(try Date("2026-11-20T08:00:00Z", strategy: .iso8601), shortWait: .seconds(40))
        let next = Throttled(
            retryAfter: "Fri, 20 Nov 2026 \(hour):00:02 GMT", date: "Fri, 20 Nov 2026 \(hour):00:00 GMT")
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let start = clock.now
        #expect(try await transport.send(Self.get("/x"), body: nil).0.status.code == 200)
        #expect(clock.now.timeIntervalSince(start) == 2)
    }

    // MARK: - Several processes

    @Test(.row("CL27")) func goesOnWithThePace_ofAnEarlierProcess() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let stored = Guarded<PaceKeeper.Pace?>(nil)
        let next = ScriptedTransport { _, _ in .response(status: 200, body: "") }
        let earlier = Self.paced(next, clock, storing: stored)
        for _ in 0..<10 { _ = try await earlier.send(Self.get("/api/v2/x"), body: nil) }
        #expect(stored.withLock(\.self) == PaceKeeper.Pace(left: 0, time: clock.now))
        clock.advance(by: 3)
        let later = Self.paced(next, clock, storing: stored)
        let start = clock.now
        var times: [TimeInterval] = []
        for _ in 0..<5 {
            _ = try await later.send(Self.get("/api/v2/x"), body: nil)
            times.append(clock.now.timeIntervalSince(start))
        }
        #expect(times == [0, 0, 0, 1, 2])
    }

    /// A state that an earlier process stored, its age in seconds, and the pause before the first request after it.
    struct Stored: Sendable {
        let left: Double
        let age: TimeInterval
        let pause: TimeInterval
    }

    /// The clock may have been set in the meantime, and anybody may have written the state.
    @Test(arguments: [
        Stored(left: 0, age: 0, pause: 1), Stored(left: 0, age: 0.75, pause: 0.25),
        Stored(left: 0, age: 3_600, pause: 0), Stored(left: 0, age: -3_600, pause: 1),
        Stored(left: -5, age: 2, pause: 1), Stored(left: -5, age: 6, pause: 0),
        Stored(left: -1e300, age: 0, pause: 1), Stored(left: 1e300, age: 0, pause: 0),
        Stored(left: 3, age: -1e300, pause: 0), Stored(left: -.infinity, age: .infinity, pause: 0),
        Stored(left: .nan, age: 0, pause: 0), Stored(left: 0, age: .nan, pause: 1),
    ])
    func waitsNoLongerThanAfterABurst_whateverWasStored(state: Stored) async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let stored = Guarded<PaceKeeper.Pace?>(
            PaceKeeper.Pace(left: state.left, time: clock.now.addingTimeInterval(-state.age)))
        let next = ScriptedTransport { _, _ in .response(status: 200, body: "") }
        let transport = Self.paced(next, clock, storing: stored)
        let start = clock.now
        _ = try await transport.send(Self.get("/api/v2/x"), body: nil)
        #expect(abs(clock.now.timeIntervalSince(start) - state.pause) < 0.01)
        for _ in 0..<10 { _ = try await transport.send(Self.get("/api/v2/x"), body: nil) }
        // Nothing that was stored allows more than ten requests at once, or asks for more than a second for each.
        #expect((0.99...11.01).contains(clock.now.timeIntervalSince(start)))
        #expect(stored.withLock { $0?.left.isFinite } == true)
    }

    @Test(.row("CL27")) func aLaterProcessSendsNothing_inTheSecondAfterA429() async throws {
        let clock = ManualClock(shortWait: .seconds(2))
        let stored = Guarded<PaceKeeper.Pace?>(nil)
        // The service asks for too long a backoff, so that the earlier process ends at once.
        let earlier = Self.paced(Busy(status: 429, retryAfter: "120"), clock, storing: stored)
        #expect(try await earlier.send(Self.get("/api/v2/x"), body: nil).0.status.code == 429)
        let later = Self.paced(ScriptedTransport { _, _ in .response(status: 200, body: "") }, clock, storing: stored)
        let start = clock.now
        _ = try await later.send(Self.get("/api/v2/x"), body: nil)
        #expect(clock.now.timeIntervalSince(start) == 1)
    }

    @Test func storesThePaceOfRequestsThatCount_andOfNoOthers() async throws {
        let clock = ManualClock()
        let stored = Guarded<PaceKeeper.Pace?>(nil)
        let next = ScriptedTransport { _, _ in .response(status: 200, body: "") }
        let transport = Self.paced(next, clock, storing: stored)
        _ = try await transport.send(Self.get("/adobe-services/sessionDevice"), body: nil)
        #expect(stored.withLock(\.self) == nil)
        for left in (0..<10).reversed() {
            _ = try await transport.send(Self.get("/api/v2/x"), body: nil)
            #expect(stored.withLock { $0?.left } == Double(left))
        }
        let late = Task { try await transport.send(Self.get("/api/v2/x"), body: nil) }
        while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        #expect(stored.withLock { $0?.left } == -1)
        late.cancel()
        _ = await late.result
        #expect(stored.withLock { $0?.left } == 0, "A cancelled request gives its turn back.")
    }
}

/// A service that throttles one request.
private struct Throttled: HTTPTransport {
    let retryAfter: String
    let date: String?
    private let left: Guarded<Int>

    /// - Parameters:
    ///   - number: the number of the request that it throttles.
    ///   - date: the time of the service's clock, or nil if it does not say.
    init(retryAfter: String, first number: Int = 1, date: String? = nil) {
        self.retryAfter = retryAfter
        self.date = date
        left = Guarded(number)
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let left = left.withLock { left in
            left -= 1
            return left
        }
        guard left == 0 else { return (HTTPResponse(status: .ok), Data()) }
        var fields: HTTPFields = [.retryAfter: retryAfter]
        fields[.date] = date
        return (HTTPResponse(status: .init(code: 429), headerFields: fields), Data())
    }
}

/// A service that asks for a backoff.
private struct Busy: HTTPTransport {
    let status: Int
    let retryAfter: String
    let requests = Guarded(0)
    /// The times that the next answers name before all others, or nil for one that names none.
    let first = Guarded<[String?]>([])

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        requests.withLock { $0 += 1 }
        var fields = HTTPFields()
        fields[.retryAfter] = first.withLock { [retryAfter] in $0.isEmpty ? retryAfter : $0.removeFirst() }
        return (HTTPResponse(status: .init(code: status), headerFields: fields), Data())
    }
}
