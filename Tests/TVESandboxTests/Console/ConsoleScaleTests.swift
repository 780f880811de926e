import Foundation
import HTTPTypes
import TVEModels
import TVETestTraits
import Testing

@testable import TVESandbox
@testable import TVESandboxConsole

/// Tests of the console after a long day: long tables in parts, flows by name, one form for one answer.
@Suite(.fewAtATime)
struct ConsoleScaleTests {
    private static let pages = [
        "/", "/?open=1", "/console/lanes", "/console/sequence", "/console/conformance", "/console/devices",
        "/console/faults", "/console/worlds", "/console/accounts", "/console/exchanges/2",
    ]

    /// A person who controls the computer by voice says the text on a button (WCAG 2.5.3).
    @Test func theNameOfEachButton_hasItsText() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        _ = try await client.loggedIn(device: "tv")
        _ = try await client.registrationCode(deviceID: "tv")
        var count = 0
        for path in Self.pages {
            let text = try await client.send(.get, path).text
            for match in text.matches(of: /<button[^>]*aria-label="([^"]*)"[^>]*>([^<]*)</) {
                let name = match.1.lowercased()
                let text = match.2.lowercased()
                #expect(name.contains(text), "\(path): \(text) is called \(name)")
                count += 1
            }
        }
        #expect(count >= 35)
    }

    @Test func aLongTable_isShownInParts() async throws {
        let client = try await SandboxClient(pages: .console)
        for _ in 0..<45 { _ = try await client.registered() }
        func rows(_ query: String) async throws -> (count: Int, text: String) {
            let text = try await client.send(.get, "/console/devices\(query)").text
            return (text.components(separatedBy: "aria-label=\"Revoke the application").count - 1, text)
        }
        let first = try await rows("")
        #expect(first.count == 20 && first.text.contains("1 to 20 of 45"))
        #expect(first.text.contains("href=\"?applications=2#applications\">Last</a>"))
        let last = try await rows("?used=1&applications=2")
        #expect(last.count == 5 && last.text.contains("41 to 45 of 45"))
        #expect(last.text.contains("href=\"?used=1&amp;applications=0#applications\">First</a>"))
        for query in ["?applications=99999999999999999999", "?applications=-3", "?applications=x"] {
            #expect([5, 20].contains(try await rows(query).count), "\(query)")
        }
    }

    @Test func theFirstExchange_isOneLinkAway() async throws {
        let client = try await SandboxClient(pages: .console)
        for _ in 0..<250 { _ = try await client.send(.get, "/openapi.json") }
        let page = try await client.send(.get, "/").text
        let link = try #require(page.firstMatch(of: /href="([^"]*)">Oldest</)).1
        let oldest = try await client.send(.get, String(link)).text
        #expect(oldest.contains("data-id=\"1\"") && oldest.contains("data-id=\"100\""))
        #expect(!oldest.contains("data-id=\"101\"") && !oldest.contains(">Oldest<"))
    }

    @Test func anExchange_leadsToTheOnesBesideIt() async throws {
        let client = try await SandboxClient(pages: .console)
        for _ in 0..<3 { _ = try await client.send(.get, "/nope") }
        func links(_ number: Int) async throws -> [String] {
            let page = try await client.send(.get, "/console/exchanges/\(number)").text
            return page.matches(of: /rel="(prev|next)" href="\/console\/exchanges\/([0-9]+)"/).map { "\($0.1) \($0.2)" }
        }
        #expect(try await links(1) == ["next 2"])
        #expect(try await links(2) == ["prev 1", "next 3"])
        #expect(try await links(3) == ["prev 2"])
        let none = try await client.send(.get, "/console/exchanges/4")
        #expect(none.status == 404 && none.text.contains("There is no exchange with this number"))
    }

    /// A second filter selects a few exchanges of many.
    @Test func aSearch_leavesTheTextsOfExchangesThatAnotherFilterHides_inTheIndex() async throws {
        let bytes = Array("GET /nope HTTP/1.1\r\n\r\n".utf8)
        var parser = RequestHeadParser()
        _ = try parser.end(in: bytes)
        let head = try parser.head(of: bytes, peer: "127.0.0.1", isFromThisMachine: true)
        let timer = ExchangeTimer(ServiceClock { Date(timeIntervalSince1970: 0) })
        let reply = await SandboxReply(.status(404))
        let exchanges = (1...1_200).map { SandboxExchange(id: $0, head, body: Data(), timer: timer, reply: reply) }
        let index = SearchIndex()
        let filter = ExchangeFilter(FormFields("text=nope&status=200"))
        index.prepare(exchanges)
        #expect(filter.matches(in: exchanges, index: index).isEmpty)
        #expect(index.count == exchanges.count)
    }

    @Test func sixtyRequests_areAnsweredOverOneConnection() async throws {
        let client = try await SandboxClient(pages: .console)
        let connection = try await RawConnection(to: client.sandbox)
        for number in 0..<60 {
            let (path, end) = number.isMultiple(of: 2) ? ("/console/devices", "</html>") : ("/console/api/world", "\n}")
            try await connection.write("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = await connection.read(until: end)
            #expect(answer.contains("HTTP/1.1 200 ") && answer.contains(end), "request \(number), \(path)")
        }
    }

    @Test func flows_areNamedByTimeAndOutcome() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        _ = try await client.authorize(token, "DEMO-PLUS", device: "tv")
        let page = try await client.send(.get, "/console/sequence").text
        let name = try #require(page.firstMatch(of: /<option value="1"[^>]*>([^<]*)</)).1
        #expect(name.firstMatch(of: /^1: \d\d:\d\d:\d\d UTC –/) != nil, "\(name)")
        #expect(name.contains("Denied: DEMO-PLUS") && name.contains("exchanges"), "\(name)")
    }

    @Test func onePreauthorization_hasOneBox() async throws {
        let app = try await RESTv2Client(pages: .console)
        try await app.logIn()
        let answer = try await app.ask(
            "preauthorize", "demo-cable", body: #"{"resources":["DEMO-1","DEMO-PLUS","R2","R3","R4"]}"#)
        #expect(answer.status == 200)
        let exchange = try #require(app.client.sandbox.exchanges.last)
        #expect(
            exchange.outcome.text == "Denied: DEMO-PLUS, R2, R3, R4, because the viewer may not watch it")
        let page = try await app.client.send(.get, "/console/exchanges/\(exchange.id)").text
        #expect(page.components(separatedBy: "class=\"fault-line\"").count == 2)
        #expect(page.contains("<code>DEMO-PLUS</code>, <code>R2</code>"))
    }

    @Test func theReadyWorldInUse_isNamed() async throws {
        let client = try await SandboxClient(pages: .console)
        func name() async throws -> String {
            let page = try await client.send(.get, "/console/worlds").text
            #expect(page.components(separatedBy: ">In use").count <= 2)
            return String(try #require(page.firstMatch(of: /The current world: ([^<]*)</)).1)
        }
        #expect(try await name() == "Default, strict")
        _ = try await client.change(.post, "/console/api/worlds/bad-day")
        #expect(try await name() == "Bad day at the service")
        #expect(try await client.send(.get, "/console/worlds").text.contains(">In use<"))
        _ = try await client.change(.post, "/console/api/worlds/demo")
        _ = try await client.change(.post, "/console/api/faults", body: "{\"kind\":\"throttled\"}")
        #expect(try await name() == "Default, with changes")
        var world = SandboxWorld.demo.strict
        world.requestors[0].name = "Mine"
        try client.sandbox.apply(world.strict)
        #expect(try await name() == "a world of your own")
    }

    @Test func aFaultThatIsOn_namesItsStepsAndRequests() async throws {
        let client = try await SandboxClient(pages: .console)
        for fault in [
            #"{"kind":"profileEnded","after":0,"requests":1}"#, #"{"kind":"throttled","after":2}"#,
            #"{"kind":"dropped","step":"authorize"}"#, #"{"kind":"sessionOver"}"#,
        ] {
            #expect(try await client.change(.post, "/console/api/faults", body: fault).status == 201)
        }
        let page = try await client.send(.get, "/console/faults").text
        for scope in [
            "at authorize, preauthorize, profile, profiles, the next request", "at every step of an app, after 2 more",
            "at authorize", "at every authorization, preauthorization and media token",
        ] {
            #expect(page.contains(" <span class=\"quiet\">\(scope)</span>"), "\(scope)")
        }
    }

    // MARK: - Forms

    @Test func aViewer_isSavedAndRemoved() async throws {
        let client = try await SandboxClient(pages: .console)
        func viewers() -> [SandboxWorld.Viewer] { client.sandbox.world.viewers }
        let form = try await client.send(.get, "/console/accounts").text
        for name in ["name", "password", "resources", "zip"] { #expect(form.contains("name=\"\(name)\""), "\(name)") }
        #expect(form.contains("DELETE /console/api/viewers/viewer"))
        let new = try await client.change(
            .post, "/console/api/viewers",
            body: #"{"name":"ann <b>","password":"p","resources":" DEMO-1, ,DEMO-PLUS ","zip":"54321"}"#)
        #expect(new.status == 204)
        #expect(viewers().last?.resources == ["DEMO-1", "DEMO-PLUS"] && viewers().last?.zip == "54321")
        let upsell = viewers()[0].upsell
        let changed = try await client.change(
            .post, "/console/api/viewers", body: #"{"name":"viewer","password":"other"}"#)
        #expect(changed.status == 204 && viewers().count == 2)
        #expect(viewers()[0].password == "other" && viewers()[0].resources == [] && viewers()[0].upsell == upsell)
        for body in ["", "{}", #"{"name":"","password":"p"}"#, #"{"name":"a","password":""}"#, "[]"] {
            #expect(try await client.change(.post, "/console/api/viewers", body: body).status == 400, "\(body)")
        }
        #expect(try await client.change(.delete, "/console/api/viewers/ann%20%3Cb%3E").status == 204)
        #expect(try await client.change(.delete, "/console/api/viewers/ann").status == 404)
        #expect(viewers().map(\.name) == ["viewer"])
        let late = try await client.send(
            .delete, "/console/api/viewers/viewer",
            headers: ["X-Sandbox-Token": client.sandbox.changeToken, "If-Match": "\"0\""])
        #expect(late.status == 412 && viewers().count == 1)
    }

    /// A rewritten answer stays until someone turns it off, for its step, its device and its resource only.
    @Test func aRewrite_standsUntilItIsTurnedOff() async throws {
        let app = try await RESTv2Client(pages: .console)
        try await app.logIn()
        let fault =
            #"{"kind":"rewritten","step":"authorize","resource":"demo-2","amount":418,"body":"{\"mine\":true}"}"#
        let form = try await app.client.send(.get, "/console/faults").text
        for name in ["kind", "amount", "body", "requests"] { #expect(form.contains("name=\"\(name)\""), "\(name)") }
        struct Report: Decodable { let key: String }
        let on: Report = try await app.client.change(.post, "/console/api/faults", body: fault).json()
        func authorize(_ resource: String) async throws -> SandboxClient.Answer {
            try await app.client.send(
                .post, "/api/v2/DEMO/decisions/authorize/demo-cable", body: "{\"resources\":[\"\(resource)\"]}")
        }
        for _ in 0..<3 {
            let answer = try await authorize("DEMO-2")
            #expect(answer.status == 418 && answer.text == "{\"mine\":true}")
        }
        #expect(try await authorize("DEMO-1").text.contains("\"authorized\":true"))
        #expect(app.client.sandbox.exchanges.suffix(4).map(\.outcome.kind) == [.fault, .fault, .fault, .granted])
        #expect(try await app.client.change(.delete, "/console/api/faults/\(on.key)").status == 204)
        #expect(try await authorize("DEMO-2").status == 200)
        for nonsense in [
            #"{"kind":"rewritten"}"#, #"{"kind":"rewritten","amount":99}"#, #"{"kind":"throttled","body":"x"}"#,
        ] {
            #expect(try await app.client.change(.post, "/console/api/faults", body: nonsense).status == 400)
        }
    }
}
