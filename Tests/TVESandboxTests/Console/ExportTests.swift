import Foundation
import HTTPTypes
import TVEConformance
import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVESandbox
@testable import TVESandboxConsole

/// Tests of exports, which the console sends while it writes them.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ExportTests {
    /// Returns a client whose sandbox has recorded a login and the requests that follow it.
    private static func used() async throws -> SandboxClient {
        let client = try await SandboxClient(pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        for resource in ["DEMO-1", "DEMO-PLUS"] { _ = try await client.authorize(token, resource, device: "tv") }
        _ = try await client.send(.post, "/o/client/token?a=%22&password=x", body: "{\"a\":\"b</script>\\u0000\"}")
        return client
    }

    @Test(arguments: [0, 1, 3, 50])
    func anArchiveInPieces_isTheDocumentOfAnEncoder(rounds: Int) async throws {
        let recorded = try await Self.used().sandbox.exchanges
        let exchanges = (0..<rounds).flatMap { _ in recorded }
        let pieces = Array(HARFile.document(exchanges, host: "127.0.0.1", Masking(shows: false)))
        let bytes = pieces.reduce(into: Data()) { $0.append($1) }
        let archive = try UntrustedJSON.read(MetadataValue.self, from: bytes, .configuration)
        #expect(archive["log"]?["entries"]?.arrayValue?.count == exchanges.count)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try encoder.encode(archive) == bytes)
        // A piece ends after the entry that fills it.
        let largest = recorded.map(\.bytes).max() ?? 0
        #expect(pieces.allSatisfy { $0.count < ExchangeDocument.pieceBytes + 8 * largest + 8_192 })
        #expect(rounds < 50 || pieces.count > 3)
        let marks = String(decoding: bytes, as: UTF8.self).components(separatedBy: HARFile.mark).count - 1
        #expect(marks == exchanges.count, "The page counts the exchanges.")
    }

    /// Programs that read recordings refuse a URL with blanks, quotation marks or characters beyond ASCII.
    @Test func theURLsOfAnArchive_areEncoded() async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.get, "/a?password=p%20q&name_id=x")
        let pieces = HARFile.document(client.sandbox.exchanges, host: "127.0.0.1", Masking(shows: false))
        let bytes = pieces.reduce(into: Data()) { $0.append($1) }
        let archive = try UntrustedJSON.read(MetadataValue.self, from: bytes, .configuration)
        let entry = try #require(archive["log"]?["entries"]?.arrayValue?.last)
        let url = try #require(entry["request"]?["url"]?.stringValue)
        #expect(!url.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || #""<>\^`{|}"#.utf8.contains($0) }, "\(url)")
        let bullets = String(repeating: "%E2%80%A2", count: 6)
        #expect(url.contains("/a?password=\(bullets)%20(hidden,%205%20bytes)&name_id=\(bullets)"), "\(url)")
    }

    /// The log has a limit for the bytes of its exchanges.
    @Test func anEditedRequest_isMeasuredByItsOwnTarget() async throws {
        let routes = try await Self.used().sandbox.routes
        let first = try #require(routes.exchanges.first)
        for length in [0, 5_000] {
            _ = await routes.replay(first, target: "/nope?\(String(repeating: "x", count: length))", headers: [])
        }
        let sizes = routes.exchanges.suffix(2).map(\.bytes)
        #expect(sizes.count == 2 && sizes[1] - sizes[0] == 5_000)
    }

    @Test func aLongHead_isSentOnce() async throws {
        let exchange = try #require(try await Self.used().sandbox.exchanges.first)
        let head = String(repeating: "h", count: ExchangeDocument.pieceBytes)
        let document = ExchangeDocument(head: head, separator: ",", tail: "t", exchanges: [exchange, exchange]) { _ in
            Data("e".utf8)
        }
        let bytes = document.prefix(3).reduce(into: Data()) { $0.append($1) }
        #expect(String(decoding: bytes, as: UTF8.self) == head + "e,et")
    }

    /// Bodies that no reader understands, as testers send them by mistake.
    ///
    /// By default, curl calls every body a form.
    @Test(
        arguments: ["text/plain", "text/html", "application/x-www-form-urlencoded"],
        [
            "{client_secret:'secret.c='}", "{software_statement: eyJhbGciOiJSUzI1NiJ9.secret.c}",
            "--x\r\nContent-Disposition: form-data; name=\"client_secret\"\r\n\r\nvery-secret\r\n--x--",
            // The ellipsis stands for 100 KB.
            "<authnToken>secret…",
        ])
    func aBodyThatCannotBeRead_keepsItsSecrets(type: String, part: String) async throws {
        let body = part.replacing("…", with: String(repeating: "x", count: 100_000))
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.post, "/o/client/token", body: body, headers: ["Content-Type": type])
        let pieces = HARFile.document(client.sandbox.exchanges, host: "127.0.0.1", Masking(shows: false))
        let text = String(decoding: pieces.reduce(into: Data()) { $0.append($1) }, as: UTF8.self)
        #expect(text.contains("hidden, ") && !text.contains("secret.c"))
        #expect(!text.contains("very-secret") && !text.contains(">secret"))
    }

    @Test func aPieceIsMade_whenItIsTaken() async throws {
        let exchange = try #require(try await Self.used().sandbox.exchanges.first)
        let made = Guarded(0)
        let document = ExchangeDocument(
            head: "[", separator: ",", tail: "]", exchanges: Array(repeating: exchange, count: 1_000)
        ) { _ in
            made.withLock { $0 += 1 }
            return Data(repeating: 0x30, count: ExchangeDocument.pieceBytes / 4)
        }
        let pieces = document.makeIterator()
        var reader = pieces
        for piece in 1...3 {
            #expect(reader.next() != nil)
            #expect(made.withLock(\.self) == 4 * piece)
        }
    }

    @Test func anExport_takesATimeInProportionToTheExchanges() async throws {
        let recorded = try await Self.used().sandbox.exchanges
        func work(_ rounds: Int) -> Duration {
            let document = HARFile.document(
                (0..<rounds).flatMap { _ in recorded }, host: "127.0.0.1", Masking(shows: false))
            let before = Duration.workOfThisThread
            for piece in document { #expect(!piece.isEmpty) }
            return Duration.workOfThisThread - before
        }
        _ = work(1)
        let few = work(5)
        let many = work(40)
        // If each exchange was compared with every other, eight times the exchanges would cost 64 times as much. A busy
        // neighbour on the same core can double the time of either measurement.
        #expect(many < few * 24)
        // With a regular expression for each text, a debug build took six times as long.
        #expect(many / (40 * recorded.count) < .milliseconds(3), "\(many / (40 * recorded.count)) for an exchange")
    }

    @Test(arguments: ["/console/api/har", "/console/api/session"])
    func theListAnswers_whileAnExportIsRead(path: String) async throws {
        let client = try await Self.used()
        // The export is larger than the buffers of a connection, so that it waits for its reader.
        let body = "a=" + String(repeating: "x", count: 60_000)
        for _ in 0..<80 { _ = try await client.send(.post, "/o/client/token", body: body) }
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let beginning = await raw.read(until: "\r\n\r\n")
        #expect(beginning.contains("Transfer-Encoding: chunked"))
        #expect(beginning.contains("X-Sandbox-Exchanges: \(client.sandbox.exchanges.count)\r\n"))
        for _ in 0..<3 { #expect(try await client.send(.get, "/").status == 200) }
        let end = path.hasSuffix("har") ? "],\"version\":\"1.2\"}}" : "</html>\n"
        #expect(await raw.readToEnd().hasSuffix("\(end)\r\n0\r\n\r\n"))
    }

    @Test func theConnectionStays_afterAnExport() async throws {
        let client = try await Self.used()
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("GET /console/api/har?text=nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await raw.read(until: "\r\n0\r\n\r\n")
        try await raw.write("GET /console/api/clock HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await raw.read(until: "\"now\"").contains("200 OK"))
    }

    @Test(arguments: ["Connection: keep-alive\r\n", ""])
    func anOldClient_getsTheArchiveWithoutChunks(header: String) async throws {
        let client = try await Self.used()
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("GET /console/api/har HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n")
        let answer = await raw.readToEnd()
        #expect(!answer.contains("chunked") && answer.hasSuffix("],\"version\":\"1.2\"}}"))
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        #expect(try HTTPArchive(Data(body.utf8)).exchanges.count == client.sandbox.exchanges.count)
    }

    @Test func aHeadOfAnExport_hasNoBody() async throws {
        let client = try await Self.used()
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("HEAD /console/api/har HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        // A body in chunks also ends with an empty line, so the head must be all that there is.
        let parts = await raw.readToEnd().components(separatedBy: "\r\n\r\n")
        #expect(parts.count == 2 && parts.last?.isEmpty == true)
    }

    @Test(arguments: [
        ("a=b&c==", "a=b&c=="), ("password=", "password="), ("xpassword=12 3", "xpassword=# 3"),
        ("password=a&password=bb", "password=#&password=#"), ("RelayState=password=x<", "RelayState=#<"),
        ("password=\u{2003}a", "password=\u{2003}a"), ("password=a\u{2003}b", "password=#\u{2003}b"),
        ("<input name=\"RelayState\" value=\"ab\">", "<input name=\"RelayState\" value=\"#\">"),
        ("<input name=\"RelayStatus\" value=\"ab\">", "<input name=\"RelayStatus\" value=\"ab\">"),
        ("name=\"requestID\" value=", "name=\"requestID\" value="), ("=", "="), ("", ""),
        ("authz_token=\u{301}a\"b", "authz_token=#\"b"),
    ])
    func aSecretIsMasked_andNothingElse(text: String, masked: String) {
        let found = Masking(shows: false).text(text).replacing(/•••••• \(hidden, [0-9]+ bytes\)/, with: "#")
        #expect(Array(found.utf8) == Array(masked.utf8))
    }
}
