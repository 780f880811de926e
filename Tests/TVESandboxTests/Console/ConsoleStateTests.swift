import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits

/// Tests of a console that is open for a whole day: searches, versions, undone changes, the clock.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ConsoleStateTests {
    private struct List: Decodable {
        struct Exchange: Decodable {
            let id: Int
            let step: String
        }
        let total: Int
        let exchanges: [Exchange]
    }

    @Test func findsATextInAnyPart_ofAnyExchangeThatIsStored() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        let code = try await client.registrationCode(deviceID: "tv")
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "tv")
        _ = try await client.authorize(token, "DEMO-1", device: "tv")
        for number in 0..<150 { _ = try await client.send(.get, "/nope/\(number)", headers: ["X-Odd": "Header"]) }
        func steps(_ text: String) async throws -> Set<String> {
            let query = SandboxClient.form([("text", text), ("limit", "5000")])
            let list: List = try await client.send(.get, "/console/api/exchanges?\(query)").json()
            #expect(list.total == list.exchanges.count)
            return Set(list.exchanges.map(\.step))
        }
        // The texts are a title, a body, a code in a form, a field of a token in Base64, and a header, in any case.
        #expect(try await steps("authn TOKEN") == ["sessionDevice"])
        #expect(try await steps("DEMO-1").contains("authorizeDevice"))
        #expect(try await steps(code).isSuperset(of: ["makeCode", "sessionDevice"]))
        #expect(try await steps("\"software_id\"").contains("register"))
        #expect(try await steps("x-odd: header") == ["other"])
        #expect(try await steps("sendmail").isEmpty)
        let page = try await client.send(.get, "/?text=authn%20token&fragment=1")
        #expect(page.text.contains("1 of \(client.sandbox.exchanges.count) exchanges match the filter"))
        #expect(try await client.send(.get, "/?text=sendmail").text.contains("<section id=\"nothing\" class=\"card\">"))
    }

    /// An address may select a status that the menu does not have.
    @Test(arguments: ["404", "denied", "<b>"])
    func theMenuShows_whatTheAddressSelects(status: String) async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.get, "/nope")
        let page = try await client.send(.get, "/?\(SandboxClient.form([("status", status)]))").text
        let chosen = page.matches(of: /<option value="([^"]*)" selected>/).map { String($0.1) }
        #expect(chosen == [status.escapedForXML])
    }

    @Test func listsEveryExchange_pageByPage() async throws {
        let client = try await SandboxClient(pages: .console)
        for number in 0..<205 { _ = try await client.send(.get, "/nope/\(number)") }
        var path: String? = "/?fragment=1&text=nope"
        var seen: [Int] = []
        while let next = path {
            let text = try await client.send(.get, next).text
            seen += text.matches(of: /<tr data-id="([0-9]+)"/).compactMap { Int($0.1) }
            path = text.firstMatch(of: /rel="next" href="([^"]+)"/).map { "\($0.1)&fragment=1" }
        }
        #expect(seen == (1...205).reversed())
    }

    @Test func refusesAChange_thatIsMeantForAnotherVersion() async throws {
        let client = try await SandboxClient(pages: .console)
        let old = try await client.send(.get, "/console/api/world")
        let version = try #require(old.header("ETag"))
        let fault = "{\"kind\":\"throttled\",\"step\":\"config\"}"
        #expect(try await client.change(.post, "/console/api/faults", body: fault).status == 201)
        func put(_ match: String) async throws -> Int {
            try await client.send(
                .put, "/console/api/world", body: old.text,
                headers: ["X-Sandbox-Token": client.sandbox.changeToken, "If-Match": match]
            ).status
        }
        #expect(try await put(version) == 412)
        #expect(try await put("nonsense") == 412)
        #expect(client.sandbox.world.faults.count == 1, "The other window's fault is on.")
        // A change that names only the difference keeps the fault as well.
        let delta = "{\"behavior\":{\"denialStatus\":403}}"
        let changed = try await client.change(.patch, "/console/api/world", body: delta)
        #expect(changed.status == 204 && client.sandbox.world.behavior.denialStatus == 403)
        #expect(client.sandbox.world.faults.count == 1)
        for wrong in ["{\"behavior\":{\"denialStatus\":9}}", "{\"x\":1}", "[]", "{"] {
            #expect(try await client.change(.patch, "/console/api/world", body: wrong).status == 400, "\(wrong)")
        }
        #expect(try await put(try #require(changed.header("ETag"))) == 204)
        #expect(client.sandbox.world.faults.isEmpty)
    }

    @Test(arguments: [
        (#"{"behavior":{"denialStatus":403}}"#, "The behaviour of the service was changed."),
        (#"{"viewers":[]}"#, "The world was changed."),
        (#"{"behavior":{"denialStatus":403},"viewers":[]}"#, "The world was changed."),
    ])
    func aChange_isNamedByWhatItChanges(delta: String, sentence: String) async throws {
        let client = try await SandboxClient(pages: .console)
        let events = client.sandbox.events
        #expect(try await client.change(.patch, "/console/api/world", body: delta).status == 204)
        await client.sandbox.stop()
        var changes: [String] = []
        for await event in events { if case .change(let text) = event { changes.append(text) } }
        #expect(changes == [sentence])
    }

    @Test func showsAgainWhatWasRemoved() async throws {
        let client = try await SandboxClient(pages: .console)
        func total() async throws -> Int {
            try await client.send(.get, "/console/api/exchanges").json(List.self).total
        }
        for _ in 0..<2 { _ = try await client.send(.get, "/nope") }
        _ = try await client.change(.delete, "/console/api/exchanges")
        #expect(try await total() == 0)
        _ = try await client.send(.get, "/nope")
        #expect(try await total() == 1)
        _ = try await client.change(.post, "/console/api/exchanges/restore")
        #expect(try await total() == 3)
    }

    @Test func movesTheClock_andLoginsEnd() async throws {
        var client = try await SandboxClient(pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        struct Clock: Decodable { let now, moved: Int64 }
        let before: Clock = try await client.send(.get, "/console/api/clock").json()
        let month = Int64(client.sandbox.world.behavior.authenticationLifetime) * 1000
        let there: Clock = try await client.change(
            .post, "/console/api/clock", body: "{\"to\":\(before.now + month)}"
        ).json()
        #expect(there.moved == month && there.now == before.now + month)
        // The access token has expired by now as well.
        #expect(try await client.authorize(token, "DEMO-1", device: "tv").status == 401)
        try await client.register()
        #expect(try await client.authorize(token, "DEMO-1", device: "tv").text.contains("pendingLogout"))
        #expect(try await client.send(.get, "/").text.contains("The clock was moved ahead by"))
        for body in ["{}", "{\"by\":1,\"to\":1}", "{\"by\":1e99}", "{\"by\":\"1\"}", "[]"] {
            #expect(try await client.change(.post, "/console/api/clock", body: body).status == 400, "\(body)")
        }
        let back: Clock = try await client.change(.delete, "/console/api/clock").json()
        #expect(back.moved == 0)
        #expect(try await client.authorize(token, "DEMO-1", device: "tv").text.contains("authzToken"))
    }

    @Test func everyMoveOfTheClock_counts_whenSeveralTestersMoveIt() async throws {
        let client = try await SandboxClient(pages: .console)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await client.change(.post, "/console/api/clock", body: "{\"by\":1}").status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(client.sandbox.routes.clock.offset == 200)
    }

    @Test func sendsARequestAgain_asItWasOrEdited_andComparesBoth() async throws {
        let client = try await SandboxClient(pages: .console)
        struct Sent: Decodable { let id: Int }
        _ = try await client.send(.post, "/o/client/token", body: "a=1&b=2", headers: ["X-Odd": "one"])
        let same: Sent = try await client.change(.post, "/console/api/exchanges/1/replay").json()
        let headers = "[{\"name\":\"X-Odd\",\"value\":\"two\"}]"
        let edit = "{\"method\":\"GET\",\"target\":\"/nope?x=1\",\"body\":\"\",\"headers\":\(headers)}"
        let other: Sent = try await client.change(.post, "/console/api/exchanges/1/replay", body: edit).json()
        let exchanges = client.sandbox.exchanges
        #expect([same.id, other.id] == [2, 3] && exchanges.map(\.id) == [1, 2, 3])
        #expect(exchanges[1].request.body == exchanges[0].request.body && exchanges[1].path == "/o/client/token")
        #expect(exchanges[2].method == "GET" && exchanges[2].query == "x=1" && exchanges[2].request.body.isEmpty)
        #expect(exchanges[2].request.header("X-Odd") == "two" && exchanges.allSatisfy(\.isSent))
        for target in ["/", "/console/api/worlds/bad-day", "//console/x", "/sandbox/clients", "nope"] {
            let body = "{\"target\":\"\(target)\"}"
            #expect(try await client.change(.post, "/console/api/exchanges/1/replay", body: body).status == 400)
        }
        #expect(try await client.change(.post, "/console/api/exchanges/9/replay").status == 404)
        let page = try await client.send(.get, "/console/compare?left=1&right=3").text
        #expect(page.contains("<del>POST /o/client/token</del>") && page.contains("<ins>GET /nope?x=1</ins>"))
        #expect(page.contains("<del>X-Odd: one</del>") || page.contains("<del>x-odd: one</del>"))
        #expect(try await client.send(.get, "/console/compare?left=1&right=2").text.contains("<del>") == false)
        #expect(try await client.send(.get, "/console/compare?left=1&right=99").status == 404)
    }

    @Test func aRequestWhoseBodyIsNotStored_isSentAgainWithAnotherBodyAlone() async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.post, "/o/client/token", body: "a=" + String(repeating: "x", count: 70_000))
        let path = "/console/api/exchanges/1/replay"
        for body in [nil, "{}", "{\"method\":\"PUT\"}", "{\"body\":null}"] {
            let refused = try await client.change(.post, path, body: body)
            #expect(refused.status == 400 && refused.text.contains("whole body is not stored"), "\(body ?? "")")
        }
        #expect(client.sandbox.exchanges.map(\.request.length) == [70_002])
        let command = try await client.send(.get, "/console/api/exchanges/1/curl")
        #expect(command.status == 400 && command.text.contains("whole body is not stored"))
        let form = try await client.send(.get, "/console/exchanges/1?secrets=1").text
        #expect(form.contains("cannot be sent again") && !form.contains("<form data-replay"))
        #expect(try await client.change(.post, path, body: "{\"body\":\"a=1\"}").status == 201)
        #expect(client.sandbox.exchanges.last?.request.body == Data("a=1".utf8))
    }

    /// The server does not read such a body to its end.
    @Test(arguments: [
        ("Content-Length: 99999999\r\n\r\n", 99_999_999),
        ("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n7FFFFFFFFFFFFFFF\r\n", Int.max),
        ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", -1),
    ])
    func aRequestThatIsRefusedForItsLength_isNotTakenForOneWithoutABody(rest: String, length: Int) async throws {
        let client = try await SandboxClient(pages: .console)
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("POST /o/client/token HTTP/1.1\r\nHost: localhost\r\n\(rest)")
        #expect(await raw.readToEnd().hasPrefix("HTTP/1.1 \(length < 0 ? 411 : 413) "))
        let exchange = try #require(client.sandbox.exchanges.first)
        #expect(exchange.request.length == length && exchange.request.body.isEmpty)
        let nothing = length < 0 ? "The body was not read" : "was too long to be stored."
        #expect(try await client.send(.get, "/console/exchanges/1").text.contains(nothing))
        #expect(try await client.send(.get, "/console/api/exchanges/1/curl").status == 400)
        #expect(try await client.change(.post, "/console/api/exchanges/1/replay").status == 400)
    }

    /// The length of its body is known before it has an answer.
    @Test(arguments: [
        ("Content-Length: 99999999\r\n\r\n", 99_999_999), ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", -1),
    ])
    func aRequestWhoseAnswerIsHeld_isNotTakenForOneWithoutABody(rest: String, length: Int) async throws {
        let client = try await SandboxClient(pages: .console)
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"token\"}").status == 204)
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("POST /o/client/token HTTP/1.1\r\nHost: localhost\r\n\(rest)")
        let routes = client.sandbox.routes
        while routes.holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        let held = try #require(routes.holds.held.first)
        #expect(routes.log.all.map(\.request.length) == [length])
        #expect(routes.log.all.map(\.request.isWhole) == [false])
        #expect(routes.holds.release(held.id, .asItIs))
        #expect(await raw.readToEnd().hasPrefix("HTTP/1.1 4"))
    }

    /// The body is stored without its chunks.
    @Test func aRequestInChunks_isSentAgainWithItsLength() async throws {
        let client = try await SandboxClient(pages: .console)
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write(
            "POST /nope HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n")
        _ = await raw.read(until: "\r\n\r\n")
        let command = try await client.send(.get, "/console/api/exchanges/1/curl").text
        #expect(command.contains("--data-raw 'a=b'") && !command.contains("chunked"), "\(command)")
        #expect(try await client.change(.post, "/console/api/exchanges/1/replay").status == 201)
        let again = try #require(client.sandbox.exchanges.last).request
        #expect(again.header("Transfer-Encoding") == nil && again.header("Content-Length") == "3")
    }

    private struct Hold: Sendable {
        let order: String
        var status = 200
        var text = "ns2:config"
        var kinds: [SandboxWorld.Fault.Kind] = []
    }

    private static let holds = [
        Hold(order: "{}"), Hold(order: "{\"status\":200}"),
        Hold(order: "{\"status\":503}", status: 503, kinds: [.rewritten]),
        Hold(order: "{\"status\":201,\"body\":\"mine\"}", status: 201, text: "mine", kinds: [.rewritten]),
        Hold(
            order: "{\"fault\":{\"kind\":\"captivePortal\"}}", text: "Welcome to our network", kinds: [.captivePortal]),
        // The answer was made before, so it cannot be denied any more.
        Hold(order: "{\"fault\":{\"kind\":\"denied\"}}"),
    ]

    /// A held answer waits until the tester lets it go, unchanged or edited.
    @Test(arguments: holds.indices)
    func holdsTheNextAnswer_untilItIsLetGo(index: Int) async throws {
        let row = Self.holds[index]
        let client = try await SandboxClient(pages: .console).registered()
        for wrong in ["{\"step\":\"nope\"}", "{\"seconds\":0}", "[]"] {
            #expect(try await client.change(.post, "/console/api/holds", body: wrong).status == 400)
        }
        _ = try await client.change(.post, "/console/api/holds", body: "{\"step\":\"config\",\"seconds\":600}")
        // Answers at other steps are not held.
        #expect(try await client.send(.get, "/reggie/v1/DEMO/regcode/NOPE").status == 404)
        let sender = client
        async let answer = sender.send(.get, "/adobe-services/config/DEMO")
        struct Holds: Decodable {
            struct Held: Decodable {
                let id: Int
                let step: String
            }
            let held: [Held]
        }
        var held: [Holds.Held] = []
        while held.isEmpty, !Task.isCancelled {
            await Task.shortPause()
            held = try await client.send(.get, "/console/api/holds").json(Holds.self).held
        }
        let one = try #require(held.first)
        let path = "/console/api/holds/\(one.id)/release"
        #expect(client.sandbox.exchanges.allSatisfy { $0.id != one.id }, "It is in flight.")
        #expect(try await client.send(.get, "/console/faults").text.contains("id=\"held-\(one.id)\""))
        for wrong in ["{\"status\":99}", "{\"fault\":{\"kind\":\"status\",\"amount\":1}}", "[]"] {
            #expect(try await client.change(.post, path, body: wrong).status == 400, "\(wrong)")
        }
        #expect(try await client.change(.post, path, body: row.order).status == 204)
        let got = try await answer
        #expect(got.status == row.status && got.text.contains(row.text))
        let exchange = try #require(client.sandbox.exchanges.last)
        #expect(exchange.status == row.status && exchange.faults == row.kinds)
        let list = try await client.send(.get, "/").text
        #expect(list.matches(of: /<span class="fault"/).count == row.kinds.count + 1, "It is marked as held.")
        #expect(list.contains("title=\"Held\">Held</span>"))
        #expect(try await client.change(.post, path, body: row.order).status == 404)
    }

    /// A rule without a step means the requests of apps, not the pages of the viewer or of the tester.
    @Test func holdsNoPageOfAViewer_whenNoStepIsNamed() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"seconds\":600}").status == 204)
        #expect(try await client.send(.get, "/activate").status == 200)
        #expect(try await client.send(.get, "/console/faults").status == 200)
    }

    @Test func holdsTwentyAnswers_andRefusesToHoldMore() async throws {
        let client = try await SandboxClient(pages: .console)
        let rule = "{\"step\":\"config\"}"
        for _ in 0..<20 {
            #expect(try await client.change(.post, "/console/api/holds", body: rule).status == 204)
        }
        let refused = try await client.change(.post, "/console/api/holds", body: rule)
        #expect(refused.status == 400 && refused.text.contains("Too many answers are to be held already."))
    }

    @Test func savesAFilteredSession_withoutSecretsAndScripts() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        _ = try await client.send(.get, "/nope")
        let secret = try #require(client.headers["Authorization"]).dropFirst(7)
        _ = try await client.change(.put, "/console/api/notes", body: "{\"text\":\"Look <b>here\"}")
        let file = try await client.send(.get, "/console/api/session?text=client_credentials")
        #expect(file.header("Content-Disposition")?.contains("session.html") == true)
        #expect(file.text.contains("Look &lt;b&gt;here") && file.text.contains("Get an access token"))
        for absent in [String(secret), "<script", "<button", "src=", "/nope", client.sandbox.softwareStatement] {
            #expect(!file.text.contains(absent), "\(absent.prefix(20))")
        }
        #expect(try await client.send(.get, "/console/api/session?text=nope").text.contains(" · 1 exchange · "))
        let archive = try await client.send(.get, "/console/api/har?text=nope").text
        #expect(archive.contains("/nope") && !archive.contains("/o/client"))
    }
}
