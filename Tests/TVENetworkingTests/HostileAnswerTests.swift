#if canImport(FoundationNetworking)
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import TVETestSupport

/// Answers that made Foundation's client on Linux wait, or use all memory.
@Suite(.fewAtATime)
struct HostileAnswerTests {
    private func send(
        _ server: LoopbackServer, accepting coding: String? = nil, maximumBytes: Int = 1 << 20
    ) async throws(TransportError) -> (HTTPResponse, Data) {
        guard let url = URL(string: server.url("/")) else { throw .invalid }
        var request = HTTPRequest(method: .get, url: url)
        request.headerFields[.acceptEncoding] = coding
        return try await URLSessionTransport(timeout: .hanging, maximumBytes: maximumBytes).send(request, body: nil)
    }

    @Test(
        .row("SE13"),
        .timeLimit(.hanging),
        arguments: [
            "Basic realm=\"a\"", "basic", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "NTLM", "Bearer", "",
            "Basic realm=\"a\"\r\nWWW-Authenticate: Negotiate",
        ])
    func aChallenge_isAnAnswer_atOnce(value: String) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 401 No\r\nWWW-Authenticate: \(value)\r\nContent-Length: 6\r\n\r\nwh", socket)
            LoopbackServer.send("y not", socket)
        }
        let (response, body) = try await send(server)
        #expect(response.status.code == 401)
        #expect(String(decoding: body, as: UTF8.self) == "why no")
        #expect(response.headerFields[.wwwAuthenticate] != nil)
    }

    /// The server sends no body, so the decision can only depend on the head.
    @Test(
        .timeLimit(.hanging),
        arguments: [
            "Content-Encoding: gzip", "content-encoding: GZIP", "Content-Encoding: br", "Content-Encoding: unknown",
            "Content-Encoding: identity, deflate", "Content-Encoding: identity\r\nContent-Encoding: gzip",
            "Transfer-Encoding: gzip, chunked",
        ])
    func anAnswerThatIsCompressed_isRefusedAtItsHead(lines: String) async throws {
        let accepted = Guarded<String?>(nil)
        let server = try LoopbackServer { request, socket in
            accepted.withLock { $0 = request["accept-encoding"] }
            LoopbackServer.send(
                "HTTP/1.1 200 OK\r\n\(lines)\r\nContent-Length: 1000\r\n\r\n", socket)
            Self.awaitEnd(of: socket)
        }
        await #expect(throws: TransportError.invalid) { try await send(server) }
        #expect(accepted.withLock(\.self) == "identity")
    }

    @Test(.timeLimit(.hanging), arguments: ["identity", "IDENTITY", "none", "None, identity", "", nil])
    func anAnswerThatIsNotCompressed_isTaken(coding: String?) async throws {
        let server = try LoopbackServer { _, socket in
            let line = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            LoopbackServer.send("HTTP/1.1 200 OK\r\n\(line)Content-Length: 2\r\n\r\nok", socket)
        }
        #expect(try await send(server).1 == Data("ok".utf8))
    }

    /// Foundation refuses such lines, and has no code for it.
    @Test(.timeLimit(.hanging), arguments: [": no name\r\n", "Two words: a\r\n", "X-A: a\n"])
    func aHeadThatCannotBeRead_isNotValid(line: String) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\n\(line)Content-Length: 2\r\n\r\nok", socket)
        }
        await #expect(throws: TransportError.invalid) { try await send(server) }
    }

    /// The limit of a transport whose app names none.
    @Test(.timeLimit(.hanging)) func anAnswerWithoutEnd_isRefusedAfter16Megabytes() async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", socket)
            // A transport without a limit would take the answer, and not all memory.
            for _ in 0..<64 where !LoopbackServer.send(Data(count: 1 << 20), socket) { break }
        }
        let url = try #require(URL(string: server.url("/")))
        await #expect(throws: TransportError.answerTooLarge(limit: 16 << 20)) {
            try await URLSessionTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
        }
    }

    /// Two hundred megabytes of zeros in somewhat more than one.
    ///
    /// The answer is refused once at its head, and once after the limit because the request accepted the encoding. The
    /// test runs in a process of its own, because other tests use memory at the same time.
    @Test(
        .row("SE13"),
        .timeLimit(.hanging),
        .enabled(
            if: ProcessInfo.processInfo.environment["TVE_SANITIZE"] == nil, "A sanitizer needs memory for all memory."),
        arguments: [nil, "gzip"])
    func aBomb_takesLessMemoryThanItIs(accepting coding: String?) async throws {
        await #expect(processExitsWith: .success) { [coding] in
            try await Self().receiveABomb(accepting: coding)
        }
    }

    private func receiveABomb(accepting coding: String?) async throws {
        let ended = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _, socket in
            let bomb = Self.bomb
            LoopbackServer.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n", socket)
            _ = LoopbackServer.send(bomb, socket)
            Self.awaitEnd(of: socket)
            ended.continuation.yield()
        }
        let before = try Self.megabytes("VmRSS")
        await #expect(throws: coding == nil ? TransportError.invalid : .answerTooLarge(limit: 1 << 20)) {
            try await send(server, accepting: coding)
        }
        // Decompression continues until Foundation notices that the task has ended.
        for await _ in ended.stream { break }
        let taken = try Self.megabytes("VmHWM") - before
        // On a busy machine, all of the zeros wait for the delegate once. Before, they were in memory twice.
        #expect(taken < 300, "\(taken) MB")
    }

    /// Waits until the client closes its connection.
    private static func awaitEnd(of socket: Int32) {
        var byte: UInt8 = 0
        _ = unsafe recv(socket, &byte, 1, 0)
    }

    private static func megabytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) / 1_024
    }

    /// Zeros in the format gzip, written by hand: a single zero, and then repetitions of the preceding byte, 258 at a
    /// time.
    private static let bomb = {
        var bits = Bits()
        bits.append([1, 1, 0])
        bits.append([0, 0, 1, 1, 0, 0, 0, 0])
        for _ in 0..<16 { bits.append([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
        // Each repetition needs 13 bits, so after the two bytes of the beginning the same thirteen bytes recur.
        var bomb = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits.bytes[..<2])
        let recurring = Data(bits.bytes[2..<15])
        for _ in 0..<100_000 { bomb.append(recurring) }
        return bomb
    }()

    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func append(_ bits: [UInt8]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= bit << UInt8(count % 8)
                count += 1
            }
        }
    }
}
#endif
