import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PacedTransportTests {
    private static func paced(_ next: ScriptedTransport, _ clock: ManualClock) -> PacedTransport {
        PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
    }

    private static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
    }

    @Test func lets10RequestsThroughAtOnce_thenOneASecond() async throws {
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

    @Test func triesOnceMore_aSecondAfter429() async throws {
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
        while clock.sleepers == 0, !Task.isCancelled { await Task.yield() }
        late.cancel()
        #expect(await late.value == .cancelled)
    }
}
