import Foundation
import TVEFlowEngine
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import TVETracking
import Testing

@testable import tve

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

    @Test(arguments: [true, false])
    func aSession_endsWithItsCommand(fails: Bool) async throws {
        let desk = try await Desk("v2")
        let command = try await TVE.command(in: desk.full(["status"]))
        let options = try #require(command as? StatusCommand).options
        let session = Guarded<EntitlementSession?>(nil)
        do {
            try await SessionRun.with(options, command: "status") { run in
                session.withLock { $0 = run.session }
                if fails { throw CancellationError() }
            }
            #expect(!fails)
        } catch is CancellationError {
            #expect(fails)
        }
        let kept = session.withLock { $0 }
        let ended = try #require(kept)
        let requests = desk.sandbox.exchanges.count
        await #expect(throws: TVEError(.requestorNotConfigured)) { _ = try await ended.configuration() }
        #expect(desk.sandbox.exchanges.count == requests)
    }

    @Test(arguments: ["0", "-1", "3601"])
    func refusesATimeLimit_thatIsNone(seconds: String) async throws {
        let folder = try Folder()
        let arguments = ["status", "--timeout=\(seconds)", "--directory", folder.path("store")]
        let refused = try await seconds == "0" ? Tool.run(arguments) : Tool.failure(of: arguments)
        #expect(
            refused.status == 64 && refused.output.contains("Give a number of seconds from 1 to 3600."),
            "\(refused.output)")
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
        try await desk.prepareLogin()
        // Only REST API v2 returns the provider's reason.
        let reason =
            dialect == "v2"
            ? "  (Demo Plus is not part of your plan. Add it for 5 a month.)"
            : "  (Your TV provider does not allow you to watch this.)"
        #expect(
            try await desk.run("preauthorize", "DEMO-PLUS", "DEMO-1").output
                == "no   DEMO-PLUS\(reason)\nyes  DEMO-1\n")
        #expect(try await desk.run("metadata", "zip").output == "[\"12345\"]\n")
        let expiry = try await desk.run("metadata", "authn").output
        #expect(expiry.wholeMatch(of: /\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d GMT \+0000\n/) != nil)
        let nothing = try await desk.run("metadata", "authz:DEMO-1")
        #expect(nothing.status == 1 && nothing.output.hasPrefix("There is no value for authz:DEMO-1. "))
    }

    @Test func usesTheLoginWithAnotherProvider() async throws {
        let desk = try await Desk("v2") { world in
            var pass = SandboxWorld.Provider(id: "Promo", displayName: "Promotion", login: .none)
            pass.temporaryAccess = .init(seconds: 600, identityKey: "email")
            world.providers.append(pass)
            world.requestors[0].providers.append("Promo")
        }
        try await desk.prepareLogin()
        for data in [[], ["--data", "mail=0f3c"]] {
            let authorize = ["authorize", "DEMO-PLUS", "--as", "Promo"] + data
            let nobody = try await data.isEmpty ? desk.run(authorize) : desk.failure(of: authorize)
            #expect(nobody.status == 1 && nobody.output.contains("needs the viewer's id. ["), "\(nobody.output)")
            #expect(nobody.output.contains(" Give it to \"tve login\" or"), "\(nobody.output)")
        }
        // This command has no such option, and uses the id that one of the others has stored.
        let early = try await desk.failure(of: ["preauthorize", "DEMO-PLUS", "--as", "Promo"])
        #expect(early.status == 1 && early.output.contains(" Give it to \"tve login\" or"), "\(early.output)")
        let token = try await desk.run("authorize", "DEMO-PLUS", "--as", "Promo", "--data", "email=0f3c")
        #expect(token.status == 0 && token.output.hasPrefix("<signatureInfo>"), "\(token.output)")
        #expect(
            try await desk.run("preauthorize", "DEMO-PLUS", "--as", "demo-cable").output.hasPrefix("no   DEMO-PLUS"))
        let wrong = try await desk.failure(of: ["authorize", "DEMO-PLUS", "--as", "Promo", "--data", "email"])
        #expect(wrong.status == 64 && wrong.output.contains("Give a name, an equals sign and a value"))
        let promo = try await desk.run("logout", "--as", "Promo")
        #expect(promo.output == "Logged out of Promo.\n", "\(promo.output)")
        #expect(try await desk.run("status").status == 0)
        #expect(try await desk.exitCode(of: "logout", "--as", "demo-cable") == 0)
        #expect(try await desk.exitCode(of: "status") == 1)
    }

    @Test func theDoctorWritesOneFileForSupport_withoutSecrets() async throws {
        let desk = try await Desk("v2")
        let path = desk.folder.path("support.har")
        let tool = try await desk.run("doctor", "--bundle", path)
        #expect(tool.output.contains("The file for support is \(path)."), "\(tool.output)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("/o/client/register") && text.contains("The service accepts the statement."))
        var secrets = [desk.sandbox.softwareStatement]
        for exchange in desk.sandbox.exchanges {
            secrets += exchange.request.headers.filter { $0.name.lowercased() == "authorization" }
                .map { $0.value.replacingOccurrences(of: "Bearer ", with: "") }
            let answer = String(decoding: exchange.answer.body, as: UTF8.self)
            secrets += answer.matches(of: /"(?:client_secret|client_id|access_token)":"([^"]+)"/).map { String($0.1) }
        }
        #expect(secrets.count >= 4)
        for secret in secrets { #expect(!text.contains(secret)) }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await desk.run("doctor", "--bundle", path)
        #expect(again.status == 64 && again.output.contains("exists already, and is not replaced."), "\(again.output)")
    }

    @Test func saysWhatFailed_inOneLine() async throws {
        let desk = try await Desk()
        let wrong = try await desk.logIn(password: "wrong")
        #expect(wrong.status == 1)
        #expect(
            wrong.output
                == "Error: The login page was shown again. Check the name and the password; the page says: "
                + "The user name or password is not correct.\n")
        try await desk.prepareLogin()
        let denied = try await desk.run("authorize", "DEMO-PLUS")
        #expect(denied.status == 1)
        #expect(denied.output == "Error: Demo Plus is not part of your plan. Add it for 5 a month. [Z100]\n")
        let nowhere = try await desk.failure(of: ["status", "--service", "http://127.0.0.1:1"])
        #expect(nowhere.status == 2 && nowhere.output.hasPrefix("Error: No sandbox answers at http://127.0.0.1:1. "))
        let ways = try await desk.logIn("--second-screen")
        #expect(ways.status == 64 && ways.output.contains("Choose one of --browser, --headless and --second-screen."))
    }

    @Test(arguments: ["classic", "v2"])
    func logsInWithTheProviderThatWasAskedFor_whileAnotherIsRemembered(dialect: String) async throws {
        let desk = try await Desk(dialect)
        func logIn(_ provider: String, _ more: String...) async throws -> Tool {
            try await desk.run(
                ["login", "--provider", provider, "--headless", "viewer", "--password", "secret"] + more)
        }
        #expect(try await logIn("demo-cable").output.contains("Logged in with demo-cable until "))
        let other = try await logIn("demo-fiber")
        #expect(other.status == 0 && other.output.contains("Logged in with demo-fiber until "), "\(other.output)")
        #expect(try await desk.run("status").output.contains("demo-fiber"))
        let again = try await logIn("demo-fiber")
        #expect(again.status == 0 && again.output.contains("No login page was shown"), "\(again.output)")
        // The login with the first provider is still valid, and a forced login uses the provider on the command line.
        #expect(try await logIn("demo-cable", "--force").output.contains("Logged in with demo-cable until "))
    }

    @Test(arguments: ["classic", "v2"])
    func failedLoginWithAnotherProvider_changesNothing(dialect: String) async throws {
        let desk = try await Desk(dialect)
        try await desk.prepareLogin()
        for (provider, password, reason) in [
            ("demo-fiber", "wrong", "The user name or password is not correct."),
            ("nope", "secret", "Error: There is no TV provider \"nope\" here. Name another with --provider. "),
        ] {
            let tool = try await desk.run(
                "login", "--provider", provider, "--headless", "viewer", "--password", password)
            #expect(tool.status == 1 && tool.output.contains(reason), "\(tool.output)")
            #expect(try await desk.run("status").output.contains("Logged in with demo-cable"))
        }
    }

    @Test func pickerSaysWhyNoProviderWasChosen() async throws {
        let desk = try await Desk()
        let login = desk.full(["login", "--headless", "viewer", "--password", "secret"])
        let piped = try await Tool.run(login, input: "")
        #expect(piped.status == 1 && piped.output.contains("works with: demo-cable, demo-fiber."))
        for (typed, reason) in [
            ("7\n", "\"7\" is not a number from 1 to 2."), ("x\n", "\"x\" is not a number from 1 to 2."),
            ("\u{4}", "No TV provider was chosen."),
        ] {
            let console = try Console()
            let process = try console.start(login)
            let question = await console.text(upTo: "The number of your TV provider: ")
            #expect(question.contains("1  Demo Cable  (demo-cable)"))
            console.type(typed)
            let end = await console.everything()
            await process.ended()
            #expect(process.terminationStatus == 1 && end.contains("Error: \(reason)"), "\(end)")
        }
    }

    @Test(arguments: ["classic", "v2"])
    func namesTheNextStep(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let isStarted = dialect == "classic"
        for command in [["authorize", "DEMO-1"], ["preauthorize", "DEMO-1"]] {
            let tool = try await isStarted ? desk.run(command) : desk.failure(of: command)
            #expect(tool.status == 1 && tool.output.contains("\"tve login\" logs a viewer in."), "\(tool.output)")
        }
        let question = ["providers", "--requestor", "NOPE"]
        let unknown = try await isStarted ? desk.run(question) : desk.failure(of: question)
        #expect(unknown.status == 1)
        #expect(
            unknown.output
                == "Error: The service does not know the requestor NOPE. [CFG400] Name yours with --requestor.\n")
    }

    @Test func takesAnAddressOfThisMachineWithoutAScheme_forHTTP() async throws {
        let desk = try await Desk()
        let address = desk.sandbox.baseURL.absoluteString.replacing("http://", with: "")
        #expect(try await desk.run("providers", "--service", address).status == 0)
        #expect(try await desk.run("doctor", "--service", address).status == 0)
        #expect(try await Tool.run(["demo", "--service", address]).status == 0)
    }

    /// A client that speaks TLS learns at once that the sandbox does not.
    @Test func wrongSchemeEndsAtOnce_andTheSandboxShowsIt() async throws {
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json"])
        struct Line: Decodable {
            let event: String
            let baseURL, change: String?
        }
        let started = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1))
        let address = try #require(started.baseURL).replacing("http://", with: "https://")
        let tool = try await Tool.run(["status", "--service", address])
        #expect(
            tool.status == 2 && tool.output.contains("A sandbox speaks HTTP: use http://127.0.0.1:"), "\(tool.output)")
        let line = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1))
        #expect(line.change?.contains("its address begins with http://") == true)
        process.terminate()
        await process.ended()
    }

    @Test(arguments: ["classic", "v2"])
    func logsIn_onASecondScreen(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let (process, output) = try Tool.start(desk.full(["login", "--provider", "demo-cable", "--second-screen"]))
        let line = String(decoding: await output.read(lines: 1), as: UTF8.self)
        #expect(line.wholeMatch(of: /Code: [A-Z0-9]{7}\n/) != nil, "\(line)")
        // The library polls every five seconds. The viewer never types the code, so the test ends here.
        process.interrupt()
        await process.ended()
    }

    /// With `--statement`, the service is not the sandbox, so only the caller knows its activation page.
    @Test(arguments: [
        // A phone cannot reach a sandbox that listens only to this machine.
        ([], false, "activate"), (["--json"], false, "activate"),
        (["--statement"], false, nil),
        (["--statement", "--activation-page", "https://example.com/tv"], true, "https://example.com/tv"),
    ])
    func drawsThePageOfACode_onATerminalAlone(more: [String], isDrawn: Bool, page: String?) async throws {
        let desk = try await Desk("v2")
        var more = more
        if let index = more.firstIndex(of: "--statement") {
            more.insert(desk.sandbox.softwareStatement, at: index + 1)
        }
        let console = try Console()
        // On a dumb terminal, no line shows the seconds of a wait.
        let process = try console.start(
            desk.full(["login", "--provider", "demo-cable", "--second-screen"] + more), environment: ["TERM": "dumb"])
        // A terminal adds a carriage return to the end of each line.
        let lines = await console.text(upTo: " before ").components(separatedBy: "\r\n")
        process.interrupt()
        await process.ended()
        let code = try #require(lines.first?.firstMatch(of: /^Code: ([A-Z0-9]{7})$/)?.1)
        let address = page.flatMap { URL(string: $0, relativeTo: desk.sandbox.baseURL)?.absoluteString }
        let sentence = "Type it at \(address ?? "the activation page of the programmer") before "
        #expect(lines.contains { $0.hasPrefix(sentence) }, "\(lines)")
        let drawing = isDrawn ? try #require(QRCode("\(address ?? "")?code=\(code)")).terminalLines : []
        #expect(lines.filter { $0.contains(/[█▀▄]/) } == drawing)
    }

    @Test func refusesAnActivationPage_thatNoBrowserOpens() async throws {
        let desk = try await Desk()
        let refused = try await desk.run("login", "--second-screen", "--activation-page", "example.com/tv")
        #expect(refused.status == 64 && refused.output.contains("example.com/tv is not the address of a page."))
    }

    /// Another page in the browser must not be able to end the login.
    @Test func comesBackToAPath_thatNobodyCanGuess() async throws {
        let desk = try await Desk()
        var paths: Set<String> = []
        for _ in 0..<2 {
            let console = try Console()
            let process = try console.start(
                ["BROWSER=true", Tool.executable.path] + desk.full(["login", "--provider", "demo-cable"]),
                of: URL(fileURLWithPath: "/usr/bin/env"), environment: ["TERM": "dumb"])
            let begin = await console.text(upTo: "%2Fdone%2F")
            process.interrupt()
            await process.ended()
            let text = await begin + console.everything()
            let path = try #require(text.firstMatch(of: /%2Fdone%2F([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/)?.1)
            paths.insert(String(path))
        }
        #expect(paths.count == 2)
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
        let path = URL(fileURLWithPath: desk.store).appendingPathComponent("statistics.json").path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let table = try await stats()
        #expect(table.output.contains("authorize") && table.output.contains("1 notAuthorized"))
        let lines = table.output.split(separator: "\n")
        for title in ["attempts", "successes", "median", "95 %"] {
            // A number ends below the end of its title.
            let place = try #require(lines.first?.firstRange(of: title)).upperBound.utf16Offset(in: table.output)
            let ends = lines.map { $0.dropFirst(place - 1).prefix(2) }
            #expect(ends.allSatisfy { !$0.hasPrefix(" ") && $0.hasSuffix(" ") }, "\(title): \(table.output)")
        }
        // An unreadable file is neither treated as empty nor overwritten.
        let file = URL(fileURLWithPath: desk.store).appendingPathComponent("statistics.json")
        let kept = try Data(contentsOf: file)
        try Data("{\"calls\":7}".utf8).write(to: file)
        _ = try await desk.run("authorize", "DEMO-1")
        #expect(try Data(contentsOf: file) == Data("{\"calls\":7}".utf8))
        #expect(try await stats().output.contains("cannot be read"))
        // The durations of the longest calls have no upper bound.
        let durations = Array(repeating: "0", count: 20) + ["1"]
        let calls = "{\"successes\":1,\"failures\":{},\"latency\":[\(durations.joined(separator: ","))]}"
        // Of twelve calls, six took less than 4 ms and six less than 16.4 s.
        let buckets = (0..<21).map { [2, 14].contains($0) ? "6" : "0" }.joined(separator: ",")
        let more = "{\"successes\":3,\"failures\":{\"b\":2,\"a\":2,\"c\":5},\"latency\":[\(buckets)]}"
        try Data("{\"calls\":{\"authorize\":\(more),\"authenticate\":\(calls)}}".utf8).write(to: file)
        #expect(
            try await stats().output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == [
                "call           attempts  successes   median     95 % failures",
                "authenticate          1          1   ≥524 s   ≥524 s",
                "authorize            12          3    <4 ms    <16 s 5 c, 2 a, 2 b",
            ])
        try kept.write(to: file)
        _ = try await stats("--reset")
        #expect(try await stats().output.split(separator: "\n").count == 1)
    }

    /// While another run adds its statistics, this one waits for a second and then leaves the file unchanged.
    @Test func countsNothing_whileAnotherRunCounts() async throws {
        let desk = try await Desk()
        try await desk.prepareLogin()
        let file = URL(fileURLWithPath: desk.store).appendingPathComponent("statistics.json")
        let before = try Data(contentsOf: file)
        let lock = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
        #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(try await desk.run("authorize", "DEMO-1").status == 0)
        #expect(try Data(contentsOf: file) == before)
        // A program that another test is starting has a copy of the descriptor, and would keep the lock.
        #expect(flock(lock, LOCK_UN) == 0)
        close(lock)
        #expect(try await desk.run("authorize", "DEMO-1").status == 0)
        #expect(try Data(contentsOf: file) != before)
    }

    /// A run that is adding its statistics has read the earlier ones, and would write them again after the reset.
    @Test func deletesNoStatistics_whileAnotherRunCounts() async throws {
        let store = try Folder()
        let file = StatisticsFile(directory: store.url)
        let path = store.url.appendingPathComponent("statistics.json").path
        file.add(Statistics())
        let lock = unsafe open(path + ".lock", O_RDWR | O_CLOEXEC)
        #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: ToolFailure.self) { try file.remove() }
        #expect(FileManager.default.fileExists(atPath: path))
        // A program that another test is starting has a copy of the descriptor, and would keep the lock.
        #expect(flock(lock, LOCK_UN) == 0)
        close(lock)
        try file.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [("wrong", "secret", 0), ("secret", "wrong", 1), ("secret", nil, 0), ("wrong", nil, 1)])
    func takesThePassword_thatWasTyped_beforeThatOfTheEnvironment(
        environment: String, typed: String?, status: Int32
    ) async throws {
        let desk = try await Desk()
        let login = desk.full(
            ["login", "--provider", "demo-cable", "--headless", "viewer"] + (typed.map { ["--password", $0] } ?? []))
        let arguments = ["TVE_PASSWORD=\(environment)", Tool.executable.path] + login
        let found = try await Tool.run(arguments, of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(found.status == status, "\(found.output)")
    }

    /// A resource is hidden regardless of its content, because the text of a call marks its ids.
    @Test(arguments: ["a secret title\nin two lines", ")\u{301} a secret title (", "\", \"a secret title"])
    func hidesAResourceInATrace(resource: String) async throws {
        let folder = try Folder()
        let file = folder.path("trace.html")
        for shows in [false, true] {
            let more = shows ? ["--trace-ids"] : []
            // The demo ends at the step in which the resource is denied.
            #expect(try await Tool.run(["demo", "--resource", resource, "--trace", file] + more).status == 1)
            let page = try String(contentsOfFile: file, encoding: .utf8)
            #expect(page.contains("secret title") == shows)
            #expect(page.contains("getAuthorization(&quot;…&quot;)") == !shows)
            #expect(page.contains("tokenRequestFailed("))
        }
    }

    // The test contains lists of what a trace must show and what it must not show.
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
        // The page names its date, its service and the version of the tool, because a ticket may contain only the page.
        #expect(page.contains(#/<p>20[0-9]{2}-[0-9]{2}-[0-9]{2}T[^<]*, (?:http:|a sandbox)[^<]*, tve [0-9.]+\. /#))
        #expect(!page.contains("http-equiv") && !page.contains("src=") && !page.contains("<script"), "self-contained")
        for secret in [
            "signatureInfo", "client_secret=", "Bearer", "reg_code=", ">secret<", "=secret", "SAMLResponse=",
        ] {
            #expect(!page.contains(secret), "\(secret)")
        }
    }

    @Test func aTraceThatCannotBeWritten_isNoFailure_andNoneReplacesADevice() async throws {
        let desk = try await Desk()
        let nowhere = desk.folder.path("none/trace.html")
        let refused = try await desk.run("providers", "--trace", nowhere)
        #expect(refused.status == 0)
        #expect(
            refused.output.contains(
                "The trace was not written. \(nowhere) cannot be written: No such file or directory"),
            "\(refused.output)")
        // The bytes are written into a device, which is not replaced by a file.
        let device = desk.folder.path("device")
        try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/null")
        #expect(
            try await desk.run("providers", "--trace", device).output.contains("The trace is in \(device)."))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: device) == "/dev/null")
    }
}
