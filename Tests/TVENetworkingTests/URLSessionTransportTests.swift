import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVESandbox
import TestTraits
import Testing

@Suite(.fewAtATime)
struct URLSessionTransportTests {
    private func send(_ transport: URLSessionTransport, _ url: String) async throws -> (HTTPResponse, Data) {
        try await transport.send(HTTPRequest(method: .get, url: try #require(URL(string: url))), body: nil)
    }

    @Test func followsNoRedirect_andRefusesLongAnswers() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let base = sandbox.baseURL.absoluteString
        let (response, _) = try await send(
            URLSessionTransport(timeout: .hanging),
            "\(base)/adobe-services/logout?redirect_url=adobepass%3A%2F%2Fios.app")
        #expect(response.status.code == 302)
        #expect(response.headerFields[.location] == "adobepass://ios.app")
        await #expect(throws: TransportError.answerTooLarge(limit: 10)) {
            try await send(URLSessionTransport(timeout: .hanging, maximumBytes: 10), "\(base)/sandbox/info")
        }
        await sandbox.stop()
    }

    @Test func saysUnreachable_whenNobodyListens() async {
        await #expect(throws: TransportError.unreachable) {
            try await send(URLSessionTransport(timeout: .hanging), "http://127.0.0.1:1/")
        }
    }

    @Test(.timeLimit(.hanging))
    func givesUp_whenNoAnswerComesInTime() async throws {
        let silent = try LoopbackServer()
        await #expect(throws: TransportError.timedOut) {
            try await send(URLSessionTransport(timeout: .milliseconds(50)), "http://127.0.0.1:\(silent.port)/")
        }
    }

    /// A transport's second request tells the service nothing about the first one's answer.
    @Test(.timeLimit(.hanging)) func keepsNoCookie() async throws {
        let heads = Guarded<[String]>([])
        let server = try LoopbackServer { head, socket in
            heads.withLock { $0.append(head) }
            let answer =
                "HTTP/1.1 200 OK\r\nSet-Cookie: viewer=1; Path=/\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
            _ = LoopbackServer.send(Data(answer.utf8), socket)
        }
        let transport = URLSessionTransport(timeout: .hanging)
        for transport in [transport, transport, URLSessionTransport(timeout: .hanging)] {
            let (response, body) = try await send(transport, "http://127.0.0.1:\(server.port)/a")
            #expect(response.status == .ok && body == Data("ok".utf8))
        }
        #expect(heads.withLock(\.count) == 3)
        #expect(heads.withLock { $0.allSatisfy { !$0.lowercased().contains("cookie") } })
    }

    /// A server that never stops sending: the transport hangs up, and the server notices.
    @Test(.timeLimit(.hanging)) func aDownload_endsAtTheTimeOut() async throws {
        let ended = AsyncStream<Bool>.makeStream()
        let server = try LoopbackServer { _, socket in
            var isOpen = LoopbackServer.send(
                Data("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".utf8), socket)
            var sent = 0
            // Far more than fits into the buffers of a connection that nobody reads.
            while isOpen, sent < 4_000 {
                isOpen = LoopbackServer.send(Data(count: 16_384), socket)
                sent += 1
                usleep(1_000)
            }
            ended.continuation.yield(!isOpen)
        }
        await #expect(throws: TransportError.timedOut) {
            try await send(
                URLSessionTransport(timeout: .milliseconds(100), maximumBytes: .max), "http://127.0.0.1:\(server.port)/"
            )
        }
        #expect(await ended.stream.first { _ in true } == true)
    }

    @Test(.timeLimit(.hanging))
    func endsAtOnce_whenItsTaskIsCancelled() async throws {
        let silent = try LoopbackServer()
        let task = Task { try await send(URLSessionTransport(timeout: .hanging), "http://127.0.0.1:\(silent.port)/") }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }
}
