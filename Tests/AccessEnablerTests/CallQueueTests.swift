import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

@testable import AccessEnabler

@Suite(.timeLimit(.hanging))
struct CallQueueTests {
    @Test(.row("Q1")) func holdsCalls_andRunsThemInOrder() async {
        let queue = CallQueue()
        let (stream, line) = AsyncStream<Int>.makeStream()
        for number in 1...100 { queue.submit { line.yield(number) } }
        _ = queue.open(with: { line.yield(0) }, supersedes: { _ in false })
        queue.submit {
            line.yield(101)
            line.finish()
        }
        var order: [Int] = []
        for await number in stream { order.append(number) }
        #expect(order == Array(0...101))
    }

    @Test func waitsForACall_beforeTheNext() async {
        let queue = CallQueue()
        let running = Guarded(0)
        let (stream, line) = AsyncStream<Int>.makeStream()
        _ = queue.open(with: {}, supersedes: { _ in false })
        for number in 0..<20 {
            queue.submit {
                let now = running.withLock { running in
                    running += 1
                    return running
                }
                await Task.yield()
                running.withLock { $0 -= 1 }
                line.yield(now)
                if number == 19 { line.finish() }
            }
        }
        for await now in stream { #expect(now == 1) }
    }

    /// The callback belongs to the call and not to a delegate, so an app may wait for it after it has released the
    /// access enabler.
    @Test func aPreauthorizationThatWaits_isAnswered_whenTheAccessEnablerIsReleased() async {
        let turn = Gate()
        let codes = Guarded<[String]>([])
        do {
            let app = ClassicCalls(
                softwareStatement: "statement", service: nil, storageCheck: .INTEGRITY_CHECK_NONE,
                environment: SessionEnvironment(
                    storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                    redirectURL: AccessEnabler.redirectURL),
                automaticBrowser: nil, callbackRun: { callback in callback() })
            let established = EstablishedSession(serviceProviders: [], session: Self.session())
            app.hasEverStarted.withLock { $0 = true }
            app.session.withLock { $0 = .success(established) }
            _ = app.calls.open(with: { await turn.pass() }, supersedes: { _ in false })
            app.preauthorize(
                PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build(),
                didCompleteWith: AccessEnablerCallback(
                    onResponse: { _ in codes.withLock { $0.append("a response") } },
                    onFailure: { answer in codes.withLock { $0.append(answer.getStatus()?.getCode() ?? "") } }))
        }
        turn.open()
        #expect(await soon { codes.withLock(\.count) > 0 })
        #expect(codes.withLock(\.self) == ["requestor_not_configured"])
    }

    /// A start is still needed by a later call, or by a start of the same requestor at the end of the queue.
    @Test(arguments: [
        ("", false), ("A", false), ("B", true), ("A B", true), ("B A", true), ("B call", true),
        ("call B", false), ("A call B", false),
    ])
    func aStart_isSuperseded_whenOnlyStartsComeBeforeAnotherRequestor(line: String, isSuperseded: Bool) async {
        let start = EstablishedSession(serviceProviders: [], session: Self.session())
        for hasBegun in [false, true] {
            let queue = CallQueue()
            let beginning = Gate()
            let end = Gate()
            let found = Guarded(false)
            _ = queue.open {
                await beginning.pass()
                if queue.waits(forStartOf: start) { found.withLock { $0 = true } }
                await end.pass()
            } supersedes: { _ in
                false
            }
            if hasBegun {
                beginning.open()
                await end.arrival()
            }
            for word in line.split(separator: " ").map(String.init) {
                guard word != "call" else {
                    queue.submit {}
                    continue
                }
                let superseded = queue.open(with: {}, supersedes: { $0.session.requestorID != RequestorID(word) })
                if superseded != nil { found.withLock { $0 = true } }
            }
            if !hasBegun {
                beginning.open()
                await end.arrival()
            }
            #expect(found.withLock(\.self) == isSuperseded)
            end.open()
        }
    }

    private static func session() -> EntitlementSession {
        EntitlementSession(
            requestorID: "A", services: [],
            store: EntitlementStore(backend: MemoryStorage(), reader: .codec, fingerprint: ""),
            device: DeviceIdentity(seed: "device-1", app: nil))
    }
}
