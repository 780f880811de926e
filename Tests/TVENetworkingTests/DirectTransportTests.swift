import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct DirectTransportTests {
    /// Nothing listens at this address.
    private let address = URL(string: "http://127.0.0.1:1")

    @Test func callsAService_whichABrowserReachesToo_asLongAsTheTransportExists() async throws {
        let address = try #require(address)
        let request = HTTPRequest(method: .get, url: address)
        var transports = [200, 202].map { status in
            DirectTransport(to: address, isDirect: true) { _, _ in
                (HTTPResponse(status: .init(code: status)), Data())
            }
        }
        #expect(try await transports[1].send(request, body: nil).0.status.code == 202)
        #expect(try await BrowserTransport().send(request, body: nil).0.status.code == 202)
        transports.removeLast()
        #expect(try await BrowserTransport().send(request, body: nil).0.status.code == 200)
        transports.removeLast()
        await #expect(throws: TransportError.unreachable) {
            try await BrowserTransport().send(request, body: nil)
        }
    }

    @Test func usesHTTP_unlessItIsDirect() async throws {
        // The transports of the other tests are found by their addresses in the whole process.
        let address = try #require(URL(string: "http://127.0.0.1:3"))
        let transport = DirectTransport(to: address, isDirect: false) { _, _ in
            (HTTPResponse(status: .ok), Data())
        }
        await #expect(throws: TransportError.unreachable) {
            try await transport.send(HTTPRequest(method: .get, url: address), body: nil)
        }
    }

    @Test func aCancelledTask_callsNothing() async throws {
        let address = try #require(URL(string: "http://127.0.0.1:2"))
        let transport = DirectTransport(to: address, isDirect: true) { _, _ in
            Issue.record("The service was called.")
            return (HTTPResponse(status: .ok), Data())
        }
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return try await transport.send(HTTPRequest(method: .get, url: address), body: nil)
        }
        await gate.arrival()
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }

    /// The address of a direct sandbox belongs to no other program, and no client reaches the sandbox there.
    @Test func aDirectSandbox_answersCalls_andNothingListensAtItsAddress() async throws {
        let sandbox = try await Sandbox(world: .demo.strict, isDirect: true, now: { Date() })
        let other = try await Sandbox(world: .demo.strict, isDirect: true, now: { Date() })
        #expect(sandbox.baseURL != other.baseURL)
        let request = HTTPRequest(method: .get, url: sandbox.baseURL.appending(path: "openapi.json"))
        #expect(await sandbox.routes.answer(request, body: nil).0.status.code == 200)
        await #expect(throws: TransportError.unreachable) {
            try await URLSessionTransport(timeout: .hanging).send(request, body: nil)
        }
        await sandbox.stop()
    }
}
