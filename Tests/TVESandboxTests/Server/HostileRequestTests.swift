import Foundation
import HTTPTypes
import TVESandbox
import TVETestTraits
import Testing

/// Tests of requests that someone has designed to be expensive.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HostileRequestTests {
    /// A request with a beginning that is followed by a text that repeats without end.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: ", String(repeating: "a", count: 4_096)),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n", "X-Line: a\r\n"),
        ("GET /", String(repeating: "a", count: 4_096)), ("", "\r\n"),
    ])
    func refusesAHeadWithoutEnd(beginning: String, again: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        try await raw.write(beginning)
        // This is more than the system buffers. Writing fails as soon as the other side has closed.
        var sent = 0
        let piece = String(repeating: again, count: max(1, 4_096 / again.utf8.count))
        while sent < 64 << 20, (try? await raw.write(piece)) != nil { sent += piece.utf8.count }
        #expect(sent < 64 << 20, "A head of 64 MB was taken.")
        let answer = await raw.readToEnd()
        // The refusal can be lost when the client is still sending.
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 "), "\(answer.prefix(80))")
        await sandbox.stop()
    }

    @Test(
        .row("SE14"),
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "400"), ("GET /\r\n\r\n", "400"), ("x\r\n\r\n", "400"),
            ("GET @evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET .evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET :80@evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET http://a@evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET http:///x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET https://localhost/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
            ("GET HTTP://localhost/x HTTP/1.1\r\nConnection: close\r\n\r\n", "404"),
            ("GET http://localhost/sandbox/info HTTP/1.1\r\nConnection: close\r\n\r\n", "200"),
            ("GET http://evil.example/sandbox/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "421"),
            ("GET http://localhost?a=b HTTP/1.1\r\nConnection: close\r\n\r\n", "404"),
            ("GET / HTTP/2\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "413"),
            ("POST /x HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "411"),
            ("POST /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "411"),
            ("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", "400"),
            (
                "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "400"
            ),
            (chunked("0\r\n\r\n"), "404"), (chunked("1\r\na\r\n0\r\n\r\n"), "404"),
            (chunked("0A ; a=\"b\"\r\n0123456789\r\n00;c\r\nX-Trailer: a\r\n\r\n"), "404"),
            (chunked("\r\n"), "400"), (chunked("x\r\n"), "400"), (chunked("-1\r\na\r\n"), "400"),
            (chunked("+1\r\na\r\n"), "400"), (chunked("0x1\r\na\r\n"), "400"), (chunked(";1\r\na\r\n"), "400"),
            (chunked("1\r\nab\r\n0\r\n\r\n"), "400"), (chunked("FFFFFFFFFFFFFFFFFF\r\n"), "400"),
            (chunked("7FFFFFFFFFFFFFFF\r\n"), "413"), (chunked("800001\r\n"), "413"),
            (chunked("1\r\na\r\n7FFFFFFFFFFFFFFF\r\n"), "413"),
            ("\r\n\r\nGET /x HTTP/1.1\r\nConnection: close\r\n\r\n", "404"),
            ("GET /x HTTP/1.0\r\n\r\n", "404"),
            ("GET /x HTTP/1.1\r\nConnection: TE , Close\r\n\r\n", "404"),
            ("GET /x HTTP/1.1\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", "404"),
            ("POST /x HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "404"),
            ("POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx", "100"),
            ("HEAD /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n", "200"),
            ("HEAD /activate HTTP/1.1\r\nConnection: close\r\n\r\n", "200"),
            ("HEAD /sandbox/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "200"),
            ("HEAD /o/client/register HTTP/1.1\r\nConnection: close\r\n\r\n", "405"),
        ])
    func answersWhatIsNoRequest_andEndsTheConnection(request: String, status: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        try await raw.write(request)
        let answer = await raw.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(80))")
        if request.hasPrefix("HEAD") { #expect(answer.hasSuffix("\r\n\r\n"), "A HEAD has no body.") }
        await sandbox.stop()
    }

    /// The random bytes of a TLS connection are, now and then, the line ends that would be the end of a head.
    @Test(arguments: ["", "\n\n", "\nA: b\r\n\r\n", String(repeating: "\n\r", count: 200)])
    func aTLSConnection_isNamedAndRefused_whateverItsBytesAre(random: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let events = sandbox.events
        let raw = try await RawConnection(to: sandbox)
        try await raw.write("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\(random)")
        #expect(await raw.readToEnd() == "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F")
        await sandbox.stop()
        var sentences: [String] = []
        for await event in events { if case .change(let sentence) = event { sentences.append(sentence) } }
        #expect(sentences.contains { $0.contains("began a TLS connection") }, "\(sentences)")
    }

    /// Returns a request with a body in chunks, whose coding has a capital letter.
    private static func chunked(_ body: String) -> String {
        "POST /x HTTP/1.1\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n\(body)"
    }

    /// Clients that write a body piece by piece do not know its length.
    @Test(arguments: [
        "2\r\n{}\r\n0\r\n\r\n", "1\r\n{\r\n1;x=y\r\n}\r\n000\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n", "2\n{}\n0\n\n",
    ])
    func readsABodyInChunks_andTheRequestAfterIt(body: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        let head = "POST /o/client/register HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
        try await raw.write("\(head)\r\n\(body)")
        #expect(await raw.read(until: "}").hasPrefix("HTTP/1.1 400 "))
        // The pieces come one after the other, and the next request at once.
        try await raw.write("\(head)Expect: 100-continue\r\n\r\n")
        #expect(await raw.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        for byte in body.utf8 { try await raw.write(String(decoding: [byte], as: UTF8.self)) }
        try await raw.write("GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n")
        let answer = await raw.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("HTTP/1.1 200 "))
        #expect(sandbox.exchanges.prefix(2).map(\.request.body) == [Data("{}".utf8), Data("{}".utf8)])
        await sandbox.stop()
    }

    @Test(arguments: [
        ([0x100000], "404"), ([1, 0xFFFFF], "404"), ([0x100001], "413"), ([0x100000, 1], "413"),
    ])
    func aBodyInChunks_hasTheLimitOfEveryBody(sizes: [Int], status: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        let chunks = sizes.map { "\(String($0, radix: 16))\r\n\(String(repeating: "a", count: $0))\r\n" }
        try await raw.write(Self.chunked(chunks.joined() + "0\r\n\r\n"))
        #expect(await raw.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
        #expect(sandbox.exchanges.map(\.request.length) == [sizes.reduce(0, +)])
        await sandbox.stop()
    }

    /// A body in chunks that is followed by a text that repeats without end.
    @Test(arguments: [
        ("", String(repeating: "0", count: 4_096)), ("1;", String(repeating: "a", count: 4_096)),
        ("", "1\r\na\r\n"), ("", "1;a=b\r\na\r\n"), ("0\r\n", "X-Trailer: a\r\n"),
    ])
    func refusesChunksWithoutEnd(beginning: String, again: String) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        try await raw.write(Self.chunked(beginning))
        // This is more than the system buffers. Writing fails as soon as the other side has closed.
        var sent = 0
        let piece = String(repeating: again, count: max(1, 4_096 / again.utf8.count))
        while sent < 64 << 20, (try? await raw.write(piece)) != nil { sent += piece.utf8.count }
        #expect(sent < 64 << 20, "A body of 64 MB was taken.")
        let answer = await raw.readToEnd()
        // The refusal can be lost when the client is still sending.
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 "), "\(answer.prefix(80))")
        await sandbox.stop()
    }

    @Test func answersSeveralRequests_thatComeAtOnce() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        let post = "POST /o/client/register HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        try await raw.write("\(post)\(post)GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n")
        let answer = await raw.readToEnd()
        #expect(answer.components(separatedBy: "HTTP/1.1 400 ").count == 3)
        #expect(answer.contains("HTTP/1.1 200 ") && answer.hasSuffix("}\n"))
        await sandbox.stop()
    }

    @Test func anAnswerWithoutABody_namesNoLength() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let raw = try await RawConnection(to: sandbox)
        try await raw.write("OPTIONS /reggie/v1/DEMO/regcode HTTP/1.1\r\nConnection: close\r\n\r\n")
        let answer = await raw.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 204 ") && !answer.contains("Content-Length"), "\(answer)")
        await sandbox.stop()
    }

    /// Each of these requests has taken seconds once, or could take them.
    ///
    /// The sandbox must answer them without a delay for others.
    @Test(arguments: [
        ("generic_data", String(repeating: "[", count: 9_000)),
        ("generic_data", "{\"a\":" + String(repeating: "[{\"a\":", count: 1_500)),
        ("generic_data", "{\"" + String(repeating: "e\u{301}", count: 3_000) + "\":1}"),
        ("generic_data", "{\"a\":[" + String(repeating: "\"x\",", count: 2_200) + "1]}"),
        ("reg_code", String(repeating: "\u{FDFA}", count: 3_000)),
        ("redirect_url", String(repeating: "%", count: 9_000)),
    ])
    func answersAHostileField_atOnce(name: String, value: String) async throws {
        let fields =
            [
                ("mso_id", "demo-cable"), ("requestor_id", "DEMO"), ("redirect_url", "adobepass://ios.app"),
            ].filter { $0.0 != name } + [(name, value)]
        let path = "/adobe-services/authenticate/saml?\(SandboxClient.form(fields))"
        _ = try await answer(.get, path, body: nil)
    }

    @Test func answersAFormOfCombiningMarks_atOnce() async throws {
        let form = "grant_type=a" + String(repeating: "\u{301}\u{323}", count: 20_000)
        #expect(try await answer(.post, "/o/client/token", body: Data(form.utf8)) == 400)
    }

    /// Returns the status of an answer after a check of its cost.
    private func answer(_ method: HTTPRequest.Method, _ path: String, body: Data?) async throws -> Int {
        let routes = try SandboxRoutes(world: .demo.strict, key: try SandboxKey.ofThisProcess.get(), now: { Date() })
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
        // The routes answer on this thread and do not wait.
        let began = Duration.workOfThisThread
        let (response, _) = await routes.answer(request, body: body)
        // An exchange takes some milliseconds. The failure would take many seconds.
        #expect(Duration.workOfThisThread - began < .seconds(2))
        return response.status.code
    }
}
