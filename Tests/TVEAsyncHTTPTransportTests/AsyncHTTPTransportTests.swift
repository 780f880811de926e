#if AsyncHTTPTransport
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVENetworking
@testable import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEAsyncHTTPTransport

struct AsyncHTTPTransportTests {
    @Test(.row("KF6"), .timeLimit(.hanging)) func keepsTheContract() async throws {
        let violations = try await HTTPTransportConformance.violations {
            AsyncHTTPTransport(timeout: $0, maximumBytes: $1)
        }
        #expect(violations == [])
    }

    /// Answers that end the program with Foundation's client on Linux.
    @Test(
        .row("KF1"),
        .timeLimit(.hanging),
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 302 Found\r\nLocation: /x\r\n",
            "SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/1.1 999999 What\r\n\r\n",
        ])
    func anAnswerThatIsCut_orIsNone_isAnError(text: String) async throws {
        let server = try LoopbackServer { _, socket in _ = LoopbackServer.send(text, socket) }
        let url = try #require(URL(string: server.url("/")))
        await #expect(throws: TransportError.self) {
            try await AsyncHTTPTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
        }
    }

    @Test(arguments: [0, 1, 99, 1_000, 2_000, .max] as [UInt])
    func aStatusWithoutThreeDigits_isNone(code: UInt) {
        #expect(HTTPResponse.Status(received: code) == nil)
    }

    @Test(arguments: [100, 200, 599, 999] as [UInt]) func aStatusWithThreeDigits_isKept(code: UInt) {
        #expect(HTTPResponse.Status(received: code)?.code == Int(code))
    }

    private func answer(_ head: String, _ body: Data = Data("ok".utf8)) async throws(TransportError) -> (Int, Data) {
        guard
            let server = try? LoopbackServer({ _, socket in
                LoopbackServer.send("HTTP/1.1 \(head)\r\n\r\n", socket)
                _ = LoopbackServer.send(body, socket)
            }), let url = URL(string: server.url("/"))
        else { throw .invalid }
        let (response, received) = try await AsyncHTTPTransport(timeout: .hanging).send(
            HTTPRequest(method: .get, url: url), body: nil)
        return (response.status.code, received)
    }

    @Test(.row("KF2", "SE13"), .timeLimit(.hanging)) func aTrailer_isNoError() async throws {
        let body = Data("2\r\nok\r\n0\r\nX-Trailer: a\r\n\r\n".utf8)
        #expect(try await answer("200 OK\r\nTransfer-Encoding: chunked", body) == (200, Data("ok".utf8)))
    }

    @Test(
        .row("KF3", "SE13"),
        .timeLimit(.hanging), arguments: ["9223372036854775807", "9223372036854775808", "18446744073709551616", "-1"])
    func aLengthThatIsTooLong_isAnError(length: String) async throws {
        await #expect(throws: TransportError.self) { try await answer("200 OK\r\nContent-Length: \(length)") }
    }

    @Test(.row("KF5"), .timeLimit(.hanging)) func manyHeaders_costNoTime() async throws {
        let lines = (0..<20_000).map { "X-\($0): a\r\n" }.joined()
        var times: [Duration] = []
        for _ in 0..<5 {
            let start = ContinuousClock.now
            await #expect(throws: TransportError.invalid) {
                try await answer("200 OK\r\n\(lines)Content-Length: 2")
            }
            times.append(start.duration(to: .now))
        }
        // Foundation takes 6 to 9 seconds each time. A busy machine delays some of the exchanges.
        #expect(try #require(times.min()) < .seconds(3), "\(times)")
    }

    @Test(.timeLimit(.hanging)) func aHostWithoutAnAddress_isUnknown() async throws {
        let url = try #require(URL(string: "http://nohost.invalid/"))
        await #expect(throws: TransportError.unknownHost) {
            try await AsyncHTTPTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
        }
    }

    /// The connection is refused because nothing listens there, and Foundation on Linux does not even try it.
    @Test(.row("KF8"), .timeLimit(.hanging)) func anAddressOfIPv6_isReached() async throws {
        let url = try #require(URL(string: "http://[::1]:1/"))
        await #expect(throws: TransportError.unreachable) {
            try await AsyncHTTPTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
        }
    }

    /// The transport does not decompress, so a megabyte remains a megabyte.
    @Test(.timeLimit(.hanging)) func anAnswerThatIsCompressed_staysAsItIs() async throws {
        let bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try await answer("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20", bytes) == (200, bytes))
    }

    @Test(.timeLimit(.hanging)) func aChallenge_isAnAnswer_atOnce() async throws {
        let answer = try await answer("401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 2")
        #expect(answer == (401, Data("ok".utf8)))
    }

    /// With such a limit, a program means that there is none.
    @Test(.timeLimit(.hanging), arguments: [.milliseconds(Int64.max), .seconds(Int64.max)] as [Duration])
    func acceptsALimit_thatNoClockReaches(limit: Duration) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", socket)
        }
        let url = try #require(URL(string: server.url("/")))
        let answer = try await AsyncHTTPTransport(timeout: limit).send(HTTPRequest(method: .get, url: url), body: nil)
        #expect(answer.0.status == .ok && answer.1 == Data("ok".utf8))
    }

    @Test func printsNothingOfWhatItSends() {
        #expect("\(AsyncHTTPTransport())" == "AsyncHTTPTransport")
    }
}
#endif
