import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Harness
import TVEAsyncHTTPTransport
import TVENetworking
import TVESandbox
import XCTest

/// A comparison of both transports with one sandbox: an exchange, and the processor time of a request that waits.
final class TransportBenchmarks: XCTestCase {
    private static let transports: [(name: String, transport: any HTTPTransport)] = [
        ("AsyncHTTPTransport", AsyncHTTPTransport(timeout: .seconds(60))),
        ("URLSessionTransport", URLSessionTransport(timeout: .seconds(60))),
    ]

    func testExchange() throws {
        let request = try request(to: awaiting { try await Sandbox() })
        let ways = Self.transports.map { transport in
            { (count: Int) in
                awaiting { for _ in 0..<count { _ = try await transport.transport.send(request, body: nil) } }
            }
        }
        var contest = Contest("an exchange with AsyncHTTPTransport", run: ways[0])
        contest.peer("URLSessionTransport", goal: .atMost(1), run: ways[1])
        XCTAssertEqual(contest.compare(), [])
    }

    /// Measures the cost of a request whose answer takes ten seconds.
    func testWaiting() throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.delay, amount: 10_000)]
        let request = try request(to: awaiting { [world] in try await Sandbox(world: world) })
        for (name, transport) in Self.transports {
            let before = Self.processorSeconds()
            awaiting { _ = try await transport.send(request, body: nil) }
            let seconds = Self.processorSeconds() - before
            Scoreboard.record(
                Score(
                    question: "processor time of a request that waits for 10 s, \(name)", peer: "one core",
                    ours: Contest.text(seconds), theirs: "10 s", ratio: seconds / 10, goal: nil))
        }
    }

    func testMeasuresExchange() throws {
        let request = try request(to: awaiting { try await Sandbox() })
        measure {
            awaiting {
                for _ in 0..<100 { _ = try await Self.transports[0].transport.send(request, body: nil) }
            }
        }
    }

    private func request(to sandbox: Sandbox) throws -> HTTPRequest {
        sandboxes.append(sandbox)
        return HTTPRequest(method: .get, url: sandbox.baseURL.appendingPathComponent("adobe-services/config/DEMO"))
    }

    /// The sandboxes, which are stored so that they answer as long as the test runs.
    private var sandboxes: [Sandbox] = []

    private static func processorSeconds() -> Double {
        var usage = rusage()
        // The value is RUSAGE_SELF, whose type differs between systems.
        getrusage(0, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// Waits for an asynchronous operation, which only the thread of a benchmark may do by blocking.
private func awaiting<Value>(_ body: @escaping () async throws -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var value: Value?
    nonisolated(unsafe) let body = body
    Task.detached {
        do { value = try await body() } catch { XCTFail("\(error)") }
        done.signal()
    }
    done.wait()
    // Without a value there is nothing to measure, and the failure above states the reason.
    return value!
}
