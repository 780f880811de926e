import Foundation
import HTTPTypes
import HTTPTypesFoundation
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
        let silent = try SilentServer()
        await #expect(throws: TransportError.timedOut) {
            try await send(URLSessionTransport(timeout: .milliseconds(50)), "http://127.0.0.1:\(silent.port)/")
        }
    }

    @Test(.timeLimit(.hanging))
    func endsAtOnce_whenItsTaskIsCancelled() async throws {
        let silent = try SilentServer()
        let task = Task { try await send(URLSessionTransport(timeout: .hanging), "http://127.0.0.1:\(silent.port)/") }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }
}

/// Accepts connections and never answers.
private final class SilentServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }
}
