import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import tve

/// Tests of the requests and writes that a trace shows, and of the values that it hides.
@Suite(.timeLimit(.hanging))
struct TraceTests {
    @Test(arguments: [
        ("demo-cable", 1, true), ("a", 40, true), ("a", 41, false), ("a123", 1, true), ("a1234", 1, false),
        ("A_b.c:d", 1, true), ("a b", 1, false), ("a@b", 1, false), ("caf\u{E9}", 1, false), ("", 1, true),
    ])
    func aFieldIsAWord_orHidden(part: String, count: Int, isWord: Bool) {
        let text = String(repeating: part, count: count)
        #expect(TraceText(field: text).text(showsIDs: false) == (isWord ? text : "…"))
        #expect(TraceText(field: text).text(showsIDs: true) == text)
    }

    @Test(arguments: [
        ("/api/v2/DEMO/profiles/code/ABC2345?x=1", "/api/v2/DEMO/profiles/code/…"),
        ("https://sp.example.com/api/v2/authenticate/A/ABC2345", "https://sp.example.com/api/v2/authenticate/A/…"),
        ("https://sp12345.example.com/a", "https://sp12345.example.com/a"), ("https://u:p@h/a", "https://…/a"),
        ("/adobe-services/x12345", "/adobe-services/…"),
    ])
    func aPageHasNoCode(url: String, text: String) {
        #expect(TraceText(page: url).text(showsIDs: false) == text)
    }

    @Test func aWriteShowsTheKindsOfItsKey() {
        let key = StorageKey("requestor", "DEMO", "f00", "mvpd", "cable", "authn")
        let hidden = "requestor/…/…/mvpd/…/authn"
        let writes: [(StorageChange, String, String)] = [
            (.put(key, Data(count: 3)), "put …/authn, 3 bytes", "put \(hidden), 3 bytes"),
            (
                .putIfAbsent(key, Data(count: 4)), "put …/authn if absent, 4 bytes",
                "put \(hidden) if absent, 4 bytes"
            ),
            (.remove(key), "remove …/authn", "remove \(hidden)"),
            (.removeAll(under: key), "remove all under …/authn", "remove all under \(hidden)"),
        ]
        for (change, short, text) in writes {
            let write = TracedWrite(change)
            #expect(write.short.text(showsIDs: false) == short && write.text.text(showsIDs: false) == text)
            #expect(write.text.text(showsIDs: true).contains("requestor/DEMO/f00/mvpd/cable/authn"))
        }
        #expect(TracedWrite(.remove(StorageKey("device"))).short.text(showsIDs: false) == "remove device")
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded; charset=UTF-8", ["x", "y", "b"]), ("application/json", ["x", "y"]),
    ])
    func anExchangeHasTheNamesOfItsFields_andNoValues(type: String, fields: [String]) async throws {
        let seen = Guarded<[ObservedTransport.Exchange]>([])
        let next = ScriptedTransport { _, _ in .response(status: 201, body: "") }
        let transport = ObservedTransport(next: next) { exchange in seen.withLock { $0.append(exchange) } }
        let request = HTTPRequest(
            method: .post, scheme: "https", authority: "h", path: "/a/x12345?x=1&y=2",
            headerFields: [.contentType: type])
        _ = try await transport.send(request, body: Data("b=3".utf8))
        let exchange = try #require(seen.withLock(\.first))
        #expect(exchange.fields == fields && !exchange.isFailure)
        #expect(exchange.text.text(showsIDs: false) == "POST /a/…  201")
    }

    @Test(
        arguments: [
            (.response(status: 399, body: ""), false, "GET /a  399"),
            (.response(status: 400, body: ""), true, "GET /a  400"),
            (.failure(.timedOut), true, "GET /a  no answer: there was no complete answer in time"),
        ] as [(ScriptedTransport.Answer, Bool, String)])
    func aFailureIsMarked(answer: ScriptedTransport.Answer, isFailure: Bool, text: String) async throws {
        let seen = Guarded<[ObservedTransport.Exchange]>([])
        let transport = ObservedTransport(next: ScriptedTransport { _, _ in answer }) { exchange in
            seen.withLock { $0.append(exchange) }
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/a")
        _ = try? await transport.send(request, body: nil)
        let exchange = try #require(seen.withLock(\.first))
        #expect(exchange.isFailure == isFailure && exchange.text.text(showsIDs: false) == text)
    }

    /// A request that took a minute began before the entries that were noted in the meantime.
    @Test func entriesAreInTheOrderInWhichTheyBegan() {
        let trace = Trace()
        trace.note("call", from: .app, to: .library)
        trace.note("exchange", from: .library, to: .service, milliseconds: 60_000, isFailure: true)
        let entries = trace.entries
        #expect(entries.map { $0.text.text(showsIDs: true) } == ["exchange", "call"])
        #expect(entries.map(\.duration) == [60_000, nil] && entries.map(\.isFailure) == [true, false])
    }
}
