import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import TVETestSupport

/// A client that hangs up must end an answer, but never the process that answers.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LoopbackServerTests {
    /// Linux has an option like the one with which Apple's systems suppress the signal.
    ///
    /// Without the option, every send on those systems may end the process.
    @Test func everyAcceptedSocket_hasTheOption_ofASystemWithoutAFlag() async throws {
        let protection = SignalProtection.option(SO_KEEPALIVE)
        #expect(protection.flags == 0)
        let options = Guarded<[Int32]>([])
        let server = try LoopbackServer(protection: protection) { _, socket in
            var isOn: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            unsafe getsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &isOn, &length)
            options.withLock { $0.append(isOn) }
            LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", socket)
        }
        let url = try #require(URL(string: server.url("/")))
        let transport = URLSessionTransport(timeout: .hanging)
        for _ in 1...2 { _ = try await transport.send(HTTPRequest(method: .get, url: url), body: nil) }
        #expect(options.withLock(\.self).allSatisfy { $0 != 0 })
        #expect(options.withLock(\.count) == 2)
    }

    @Test func aClientThatHangsUp_endsTheAnswer_andNotTheProcess() async {
        await #expect(processExitsWith: .success) { try await Self.answerAClientThatHangsUp() }
    }

    @Test(arguments: [false, true])
    func nothingListensAnyMore_afterTheEnd(isAnswering: Bool) async throws {
        var server: LoopbackServer? = try .onLowPort(isAnswering ? { @Sendable _, _ in } : nil)
        let port = try #require(server).port
        #expect(Self.isConnected(to: port))
        server = nil
        // The thread that accepts connections closes the socket.
        #expect(await soon { !Self.isConnected(to: port) })
    }

    /// Connects to a port and closes the connection.
    private static func isConnected(to port: UInt16) -> Bool {
        guard let client = Self.client(of: port) else { return false }
        close(client)
        return true
    }

    private static func answerAClientThatHangsUp() async throws {
        let ends = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _, socket in
            while LoopbackServer.send(Data(count: 16_384), socket) {}
            ends.continuation.finish()
        }
        try hangUp(on: server.port)
        for await _ in ends.stream {}
        withExtendedLifetime(server) {}
    }

    /// Returns a socket that is connected to a port, or `nil` if nothing listens there.
    private static func client(of port: UInt16) -> Int32? {
        #if canImport(Glibc)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let client = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(client) }
        return isConnected ? client : nil
    }

    /// Sends a request and closes the connection at once, with the answer unread.
    private static func hangUp(on port: UInt16) throws {
        let client = try #require(Self.client(of: port))
        defer { close(client) }
        #expect(LoopbackServer.send("GET / HTTP/1.1\r\n\r\n", client))
        // Every write after this end fails with EPIPE. Otherwise the error could be ECONNRESET, which sends no signal.
        shutdown(client, Int32(SHUT_WR))
    }
}
