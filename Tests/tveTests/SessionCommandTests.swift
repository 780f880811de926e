import Foundation
import TVESandbox
import TestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct SessionCommandTests {
    @Test(arguments: ["classic", "v2"])
    func keepsALogin_betweenRuns(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let before = try await desk.run("status")
        #expect(before.status == 1 && before.output.contains("Nobody is logged in."), "\(before.output)")
        let login = try await desk.logIn()
        #expect(login.status == 0 && login.output.contains("Logged in with demo-cable until "))
        #expect(try await desk.run("status").status == 0)
        let token = try await desk.run("authorize", "DEMO-1")
        #expect(token.status == 0 && token.output.hasPrefix("<signatureInfo>"))
        let logout = try await desk.run("logout")
        #expect(logout.status == 0 && logout.output == "Logged out.\n")
        #expect(try await desk.run("status").status == 1)
    }

    @Test(arguments: ["0", "-1", "3601"])
    func refusesATimeLimit_thatIsNone(seconds: String) async throws {
        let desk = try await Desk()
        let refused = try await desk.run("status", "--timeout=\(seconds)")
        #expect(
            refused.status == 64 && refused.output.contains("--timeout takes 1 to 3600 seconds."), "\(refused.output)")
    }

    @Test func listsProviders_withTheirTraits() async throws {
        let desk = try await Desk { world in
            world.providers[1].authenticatesPerRequestor = true
            world.providers[1].usesSafari = true
        }
        #expect(
            try await desk.run("providers").output
                == "demo-cable  Demo Cable\ndemo-fiber  Demo Fiber  (per requestor, Safari)\n")
    }

    @Test(arguments: ["classic", "v2"])
    func answersQuestions(dialect: String) async throws {
        let desk = try await Desk(dialect)
        _ = try await desk.logIn()
        // REST API v2 gives the reason.
        let reason = dialect == "v2" ? "  (Demo Plus is not part of your plan. Add it for 5 a month.)" : ""
        #expect(
            try await desk.run("preauthorize", "DEMO-PLUS", "DEMO-1").output
                == "no   DEMO-PLUS\(reason)\nyes  DEMO-1\n")
        #expect(try await desk.run("metadata", "zip").output == "[\"12345\"]\n")
        let expiry = try await desk.run("metadata", "authn").output
        #expect(expiry.wholeMatch(of: /\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d GMT \+0000\n/) != nil)
        let nothing = try await desk.run("metadata", "authz:DEMO-1")
        #expect(nothing.status == 1 && nothing.output == "Nothing is known.\n")
    }

    @Test func saysWhatFailed_inOneLine() async throws {
        let desk = try await Desk()
        let wrong = try await desk.logIn(password: "wrong")
        #expect(wrong.status == 1 && wrong.output.contains("It says: The user name or password is not correct."))
        #expect(wrong.output.hasSuffix("Error: The viewer chose no TV provider or left. [N005]\n"))
        _ = try await desk.logIn()
        let denied = try await desk.run("authorize", "DEMO-PLUS")
        #expect(denied.status == 1)
        #expect(denied.output == "Error: Demo Plus is not part of your plan. Add it for 5 a month. [Z100]\n")
        let nowhere = try await desk.run("status", "--service", "http://127.0.0.1:1")
        #expect(nowhere.status == 1 && nowhere.output.hasPrefix("Error: No sandbox answers at http://127.0.0.1:1;"))
        let ways = try await desk.logIn("--second-screen")
        #expect(ways.status == 64 && ways.output.contains("Choose one of --browser, --headless and --second-screen."))
    }

    @Test(arguments: ["classic", "v2"])
    func logsIn_onASecondScreen(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let (process, output) = try Tool.start(desk.full(["login", "--provider", "demo-cable", "--second-screen"]))
        let line = String(decoding: await output.read(lines: 1), as: UTF8.self)
        #expect(line.wholeMatch(of: /Code: [A-Z0-9]{7}\n/) != nil, "\(line)")
        // The library asks every five seconds; the viewer never types the code, so the test ends here.
        process.interrupt()
        await process.ended()
    }

    @Test func countsTheCallsOfAllRuns() async throws {
        let desk = try await Desk()
        _ = try await desk.logIn()
        _ = try await desk.run("authorize", "DEMO-1")
        _ = try await desk.run("authorize", "DEMO-PLUS")
        struct Counts: Decodable {
            struct Calls: Decodable {
                let successes: Int
                let failures: [String: Int]
            }
            let calls: [String: Calls]
        }
        func stats(_ more: String...) async throws -> Tool { try await Tool.run(["stats", "-d", desk.store] + more) }
        let json = try await stats("--json")
        let counts = try JSONDecoder().decode(Counts.self, from: Data(json.output.utf8)).calls
        #expect(counts["start"]?.successes == 3 && counts["authenticate"]?.successes == 1)
        #expect(counts["authorize"]?.successes == 1 && counts["authorize"]?.failures == ["notAuthorized": 1])
        let table = try await stats()
        #expect(table.output.contains("authorize") && table.output.contains("1 notAuthorized"))
        // An unreadable file is neither counted as empty nor overwritten.
        let file = URL(fileURLWithPath: desk.store).appendingPathComponent("statistics.json")
        let kept = try Data(contentsOf: file)
        try Data("{\"calls\":7}".utf8).write(to: file)
        _ = try await desk.run("authorize", "DEMO-1")
        #expect(try Data(contentsOf: file) == Data("{\"calls\":7}".utf8))
        #expect(try await stats().output.contains("cannot be read"))
        try kept.write(to: file)
        _ = try await stats("--reset")
        #expect(try await stats().output.split(separator: "\n").count == 1)
    }

    // What a trace must show, and what it must not.
    @Test(arguments: [["demo"], ["login"]])
    func writesATrace_withoutSecrets(command: [String]) async throws {
        let desk = try await Desk()
        let file = desk.folder.path("trace.html")
        let tool =
            command == ["login"]
            ? try await desk.logIn("--trace", file) : try await Tool.run(["demo", "--trace", file])
        #expect(tool.status == 0)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        for text in [
            "POST /adobe-services/sessionDevice", "POST /idp/demo-cable/login", "put …/pending", "device_info",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("http-equiv") && !page.contains("src=") && !page.contains("<script"), "self-contained")
        for secret in [
            "signatureInfo", "client_secret=", "Bearer", "reg_code=", ">secret<", "=secret", "SAMLResponse=",
        ] {
            #expect(!page.contains(secret), "\(secret)")
        }
        let nowhere = desk.folder.path("none/trace.html")
        let refused = try await Tool.run(["demo", "--trace", nowhere])
        #expect(refused.status == 0 && refused.output.contains("The trace cannot be written to \(nowhere):"))
    }
}
