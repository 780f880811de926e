import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

/// Whatever a client sends, the service continues to serve others.
@Suite(.fourAtATime)
struct HostileRequestTests {
    private let fleet: Fleet
    private let verifier: Verifier

    init() throws {
        fleet = try Fleet()
        verifier = try fleet.verifier("limits: { bodySeconds: 1, idleSeconds: 2, connections: 12000 }")
    }

    /// Returns the head of a request, whose body may follow.
    private static func head(_ length: String) -> Data {
        Data("POST /v1/verify HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\(length)\r\n\r\n".utf8)
    }

    private func serves() throws -> Bool {
        verifier.remembers()
        return try verifier.verify(["token": fleet.mint.token()]).summary == "validToken first"
    }

    /// Reads until the service ends the connection.
    private func rest(_ socket: RawSocket) throws -> String {
        var all = Data()
        while true {
            let more = try socket.some()
            guard !more.isEmpty else { return String(decoding: all, as: UTF8.self) }
            all += more
        }
    }

    /// Sends a part of a body again and again until the service answers, or ends the connection.
    private static func drip(_ socket: RawSocket) {
        var sent = 0
        while sent < 300, !socket.isReadable(within: 100), (try? socket.send(Data(" ".utf8))) != nil { sent += 1 }
    }

    @Test(
        .row("VW1"),
        arguments: [
            "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "POST /v1/verify HTTP/9.9\r\n\r\n",
            "POST /v1/verify HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
            "POST /v1/verify HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}",
            """
            POST /v1/verify HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\
            content-type: application/json\r\n\r\nzz\r\n
            """,
            "GET / HTTP/1.1\r\n" + String(repeating: "x: y\r\n", count: 5_000) + "\r\n",
            "GET / HTTP/1.1\r\nx: " + String(repeating: "y", count: 100_000) + "\r\n\r\n",
            "GET /" + String(repeating: "y", count: 100_000) + " HTTP/1.1\r\n\r\n",
        ])
    func whatIsNoRequest_endsItsConnection(text: String) throws {
        let socket = try verifier.connect()
        try? socket.send(Data(text.utf8))
        socket.finish()
        let answer = try rest(socket)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(100))")
        #expect(try serves())
    }

    @Test(.row("VW2")) func aHeadThatDrips_isNotWaitedFor() throws {
        let socket = try verifier.connect()
        try socket.send(Data("POST /v1/verify HTTP/1.1\r\nhost: a\r\nx: ".utf8))
        var sent = 0
        while sent < 300, !socket.isReadable(within: 100), (try? socket.send(Data("y".utf8))) != nil { sent += 1 }
        #expect(sent < 300)
        #expect(try serves())
    }

    @Test(.row("VW2")) func aBodyThatStandsStill_isNotWaitedFor() throws {
        let socket = try verifier.connect()
        try socket.send(Self.head("content-length: 9") + Data("{".utf8))
        #expect(try rest(socket).isEmpty)
        #expect(try serves())
    }

    @Test(.row("VW2")) func aBodyThatDrips_isNotWaitedFor() throws {
        let socket = try verifier.connect()
        let start = ContinuousClock.now
        try socket.send(Self.head("content-length: 999") + Data("{".utf8))
        Self.drip(socket)
        let answer = try HTTPAnswer(socket)
        #expect(answer.problem == "too-slow")
        let taken = start.duration(to: .now)
        #expect(taken >= .seconds(1), "\(taken)")
        #expect(answer.headers["connection"] == "close")
        // The service does not wait for the rest of the body either.
        #expect(try rest(socket).isEmpty)
        #expect(try serves())
    }

    /// The rest of the body may never arrive.
    @Test func aBodyThatIsRefused_endsItsConnection_soonAfterTheAnswer() throws {
        // The time limit for Redis, which nobody needs here, makes that of a whole exchange 37 seconds.
        let port = try LoopbackPort()
        defer { withExtendedLifetime(port) {} }
        let verifier = try fleet.verifier(
            """
            limits: { bodySeconds: 1 }
            memory: { redis: { servers: ["127.0.0.1:\(port.number)"], timeout: 30 } }
            """)
        let long = try verifier.connect()
        try long.send(Self.head("content-length: 999999"))
        #expect(try HTTPAnswer(long).status == 413)
        let slow = try verifier.connect()
        try slow.send(Self.head("content-length: 999") + Data("{".utf8))
        Self.drip(slow)
        #expect(try HTTPAnswer(slow).status == 408)
        for socket in [long, slow] {
            #expect(socket.isReadable(within: 30_000))
            #expect(try rest(socket).isEmpty)
        }
    }

    /// The service answers before the body arrives, because it does not need the body.
    @Test(.row("VW2")) func aBodyThatDrips_whereNoneIsRead_isNotWaitedFor() throws {
        let socket = try verifier.connect()
        try socket.send(Data("POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 999999\r\n\r\n".utf8))
        #expect(try HTTPAnswer(socket).status == 405)
        var sent = 0
        while sent < 300, !socket.isReadable(within: 100), (try? socket.send(Data(" ".utf8))) != nil { sent += 1 }
        #expect(sent < 300)
        #expect(try serves())
    }

    @Test(.row("VW6")) func anAnswerThatIsNotRead_isNotWaitedFor() throws {
        let socket = try verifier.connect()
        let request = RawSocket.bytes("GET", "/openapi.json", body: nil)
        var sent = 0
        while sent < 100_000, (try? socket.send(request)) != nil { sent += 1 }
        #expect(sent < 100_000)
        #expect(try serves())
    }

    @Test(.row("SE13", "VW3")) func aBodyWithoutEnd_isRefused_andItsConnectionEnds() throws {
        let socket = try verifier.connect()
        try socket.send(Self.head("transfer-encoding: chunked"))
        let chunk = Data("10000\r\n\(String(repeating: " ", count: 65_536))\r\n".utf8)
        var chunks = 0
        while chunks < 100_000, (try? socket.send(chunk)) != nil { chunks += 1 }
        #expect(chunks < 100_000)
        #expect(try serves())
    }

    /// No header states the length of the body, which arrives in time.
    @Test func aBodyInChunks_thatIsTooLong_isRefused() throws {
        let verifier = try fleet.verifier()
        let socket = try verifier.connect()
        let chunk = Data("10000\r\n\(String(repeating: " ", count: 65_536))\r\n".utf8)
        try socket.send(Self.head("transfer-encoding: chunked") + chunk + chunk)
        // A service that read everything would answer that the body is not JSON.
        for _ in 0..<2 { _ = try? socket.send(chunk) }
        _ = try? socket.send(Data("0\r\n\r\n".utf8))
        let answer = try HTTPAnswer(socket)
        #expect(answer.status == 413)
        #expect(answer.headers["connection"] == "close")
    }

    /// A chunk extension is not part of the body, so it does not count towards the limit of the body.
    @Test(.row("VW3")) func aChunkWithAnEndlessExtension_isNotKept_andItsConnectionEnds() throws {
        let socket = try verifier.connect()
        try socket.send(Self.head("transfer-encoding: chunked") + Data("1;".utf8))
        let before = verifier.residentMegabytes
        let part = Data(String(repeating: "x", count: 65_536).utf8)
        var parts = 0
        while parts < 100_000, (try? socket.send(part)) != nil { parts += 1 }
        #expect(parts < 100_000)
        if let before, let after = verifier.residentMegabytes { #expect(after < before + 64) }
        #expect(try serves())
    }

    /// A proxy that reads the other length would take the hidden request for a part of the first one, or let it pass
    /// unseen.
    @Test(
        .row("VW4"),
        arguments: [
            ("content-length: ALL\r\ntransfer-encoding: chunked", false),
            ("content-length: SHORT\r\ntransfer-encoding: chunked", true),
            ("content-length: SHORT\r\ntransfer-encoding: xchunked", true),
            ("content-length: SHORT\r\ntransfer-encoding: chunked, identity", true),
            ("content-length: SHORT\r\ntransfer-encoding : chunked", true),
            ("content-length: SHORT\r\ntransfer-encoding:\r\n chunked", true),
            ("content-length: SHORT\r\ncontent-length: ALL", true), ("content-length: SHORT, ALL", true),
            ("content-length: +SHORT", true),
        ])
    func aRequestWithTwoLengths_hidesNoOther(lengths: String, isInsideAChunk: Bool) throws {
        let hidden = "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n"
        let size = String(hidden.utf8.count, radix: 16)
        let body = isInsideAChunk ? "\(size)\r\n\(hidden)\r\n0\r\n\r\n" : "0\r\n\r\n\(hidden)"
        let head = lengths.replacingOccurrences(of: "ALL", with: String(body.utf8.count))
            .replacingOccurrences(of: "SHORT", with: String(size.utf8.count + 2))
        let socket = try verifier.connect()
        try? socket.send(Self.head(head) + Data(body.utf8))
        socket.finish()
        let answer = try rest(socket)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(100))")
        #expect(!answer.contains("openapi"))
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count <= 2, "\(answer)")
        #expect(try serves())
    }

    /// A proxy that reads the other host would have judged another request.
    @Test(.row("VW1")) func aRequestWithoutItsHost_orWithTwo_isRefused_andNothingAfterItIsRead() throws {
        for (version, hosts, status) in [
            ("1.1", "", 400), ("1.1", "host: a\r\nHost: b\r\n", 400), ("1.1", "host: a\r\nhost: a\r\n", 400),
            ("1.0", "host: a\r\nhost: b\r\n", 400), ("1.1", "host: a\r\n", 200), ("1.0", "", 200),
        ] {
            let socket = try verifier.connect()
            let request = "GET /healthz HTTP/\(version)\r\n\(hosts)connection: close\r\n\r\n"
            try socket.send(Data((request + "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n").utf8))
            let answer = try rest(socket)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(hosts): \(answer.prefix(100))")
            #expect(answer.components(separatedBy: "HTTP/1.").count == 2, "\(answer)")
        }
        #expect(try serves())
    }

    @Test(.row("VW6")) func clientsThatNeverRead_doNotDelayOthers() throws {
        let request = RawSocket.bytes("POST", "/v1/verify", body: Data("{\"token\":\"x\"}".utf8))
        let sockets = try (0..<50).map { _ in
            let socket = try verifier.connect()
            for _ in 0..<20 { try socket.send(request) }
            return socket
        }
        #expect(try serves())
        withExtendedLifetime(sockets) {}
    }

    @Test(.row("VW7")) func moreConnectionsThanAllowed_wait_andAreServedLater() throws {
        let verifier = try fleet.verifier("limits: { connections: 3, idleSeconds: 1 }")
        let sockets = try (0..<10).map { _ in try verifier.connect() }
        for socket in sockets.suffix(1) { #expect(try socket.request("GET", "/healthz").status == 200) }
    }
}

extension Verifier {
    /// The memory that the process uses, in megabytes; `nil` where the system does not report it.
    fileprivate var residentMegabytes: Int? {
        let status = try? String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)
        return status?.firstMatch(of: /VmRSS:\s+([0-9]+) kB/).flatMap { Int($0.1) }.map { $0 / 1_024 }
    }
}
