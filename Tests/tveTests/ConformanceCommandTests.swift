import Foundation
import TVESandbox
import TVETestTraits
import Testing

/// Tests of `tve conformance` as people and build servers use it.
///
/// The findings themselves are tested in TVEConformanceTests.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ConformanceCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Logs in at the sandbox whose address the guide has printed.
    private func logIn(_ guide: String) async throws {
        let address = try #require(guide.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
        let login = try await Tool.run([
            "login", "--service", String(address), "--dialect", "v2", "--directory", folder.path("store"),
            "--provider", "demo-cable", "--headless", "viewer", "--password", "secret",
        ])
        #expect(login.status == 0, "\(login.output)")
    }

    /// Returns the path of a world that expects a logout, which this tool never does by itself.
    private func expectedLogout() throws -> String {
        var world = SandboxWorld.demo
        world.expectations = [SandboxWorld.Expectation("logs out", step: "logout", atLeast: 1)]
        return try folder.file("world.json", world.json)
    }

    // MARK: - With a person

    @Test func guideSeesAStep_andLeavesOneOutAtReturn() async throws {
        let console = try Console()
        let process = try console.start(["conformance", "--steps", "login,play", "--expect", try expectedLogout()])
        let guide = await console.text(upTo: "Step 1 of 2, login: ")
        #expect(guide.contains("  eyJ") && guide.contains("use --host ") && !guide.contains("▄"), "\(guide)")
        try await logIn(guide)
        #expect(await console.text(upTo: "Step 2 of 2, play: ").contains("seen, in "))
        console.type("\n")
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 0 && end.contains("skipped"), "\(end)")
        #expect(
            end.contains("CL1   pass ") && end.contains("CL13  not observed") && end.contains(" 0 failed"), "\(end)")
        // The guide did not ask for a logout.
        #expect(end.contains("not observed logs out"), "\(end)")
    }

    /// A client that has sent nothing at a step can only be led on with Return.
    @Test func aStepThatIsMissing_isBroken_afterTheWholeGuide() async throws {
        let console = try Console()
        let process = try console.start(["conformance", "--expect", try expectedLogout()])
        try await logIn(await console.text(upTo: "Step 1 of 7"))
        for number in 2...7 {
            _ = await console.text(upTo: "Step \(number) of 7")
            console.type("\n")
        }
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 1 && end.contains("FAIL         logs out"), "\(end)")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalEndsTheGuide_withWhatWasSeen(number: Int32) async throws {
        let console = try Console()
        let process = try console.start(["conformance", "--expect", try expectedLogout()])
        try await logIn(await console.text(upTo: "Step 1 of 7"))
        _ = await console.text(upTo: "Step 2 of 7")
        kill(process.processIdentifier, number)
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(end)")
        #expect(end.contains("CL1   pass ") && end.contains("does not replace Adobe's own certification"), "\(end)")
    }

    /// A program that `nohup` starts goes on when its terminal is closed.
    @Test func aClosedTerminalDoesNotEndTheGuide_whereItsSignalIsIgnored() async throws {
        let console = try Console()
        let process = try console.start(
            ["-c", "trap '' HUP; exec \"$0\" \"$@\"", Tool.executable.path, "conformance", "--steps", "login,play"],
            of: URL(fileURLWithPath: "/bin/sh"))
        _ = await console.text(upTo: "Step 1 of 2")
        kill(process.processIdentifier, SIGHUP)
        console.type("\n")
        let guide = await console.text(upTo: "Step 2 of 2")
        #expect(guide.contains("skipped"), "\(guide)")
        kill(process.processIdentifier, SIGINT)
        _ = await console.everything()
        await process.ended()
        #expect(process.terminationReason == .exit)
    }

    @Test func controlDEndsTheGuide_andNothingSeenIsNoSuccess() async throws {
        let console = try Console()
        let process = try console.start(["conformance"])
        _ = await console.text(upTo: "Step 1 of 7")
        console.type("\u{4}")
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 2 && end.contains("There is no request of REST API v2"), "\(end)")
    }

    @Test func guideSaysWhatTheSandboxRefuses() async throws {
        let console = try Console()
        let process = try console.start(["conformance"])
        let guide = await console.text(upTo: "Step 1 of 7")
        let address = try #require(guide.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
        #expect(
            try await Tool.run(["conformance-viewer", "\(address)/api/v2/authenticate/DEMO/ABC?more=1"]).status == 0)
        let said = await console.text(upTo: "  refused, ")
        kill(process.processIdentifier, SIGINT)
        let end = said + (await console.everything())
        await process.ended()
        #expect(end.contains("refused, GET /api/v2/authenticate/DEMO/ABC: "), "\(end)")
    }

    @Test(arguments: [
        (["--steps", "nope"], "There is no step \"nope\"."), (["--steps", ""], "There is no step \"\"."),
        (["--steps", "login,"], "There is no step \"\"."),
        (["--limit", "0"], "Give a number of seconds from 1 to 86400."),
        (["--host", "nowhere"], "\"nowhere\" is not an IPv4 address."),
        (["--har", "a", "--run", "b"], "--har and --run cannot be used together."),
        (["--run", "b", "--steps", "login"], "--steps and --run cannot be used together."),
        (["--har", "a", "--steps", "login"], "--steps and --har cannot be used together."),
    ])
    func refusesOptions_thatMeanNothing(options: [String], reason: String) async throws {
        let arguments = ["conformance"] + options
        // Only a sandbox that starts reads the address.
        let tool = options.contains("--host") ? try await Tool.run(arguments) : await Tool.refusal(of: arguments)
        #expect(tool.status == 64 && tool.output.contains(reason), "\(tool.output)")
    }

    @Test(arguments: [("127.0.0.1", false), ("0.0.0.0", true)])
    func warnsOfOthers_whoCanReachTheSandbox(host: String, isWarned: Bool) async throws {
        let tool = try await Tool.run(["conformance", "--run", "true", "--host", host])
        #expect(tool.output.contains("do not type a real password") == isWarned, "\(tool.output)")
    }

    @Test func aReport_doesNotReplaceTheOther() async throws {
        let folder = try Folder()
        let paths = [folder.path("result"), folder.url.path + "/./result"]
        let recording = try folder.file("recording.har", "{}")
        let tool = await Tool.refusal(
            of: ["conformance", "--har", recording, "--junit", paths[0], "--report", paths[1]])
        #expect(tool.status == 64 && tool.output.contains("--report and --junit name the same file."))
    }

    /// A file may be known by several names, and what was recorded once cannot always be recorded again.
    @Test(arguments: ["input", "./input", "symbolic", "hard"], ["--junit", "--report"])
    func neverWrites_overWhatItReads(name: String, output: String) async throws {
        let text = Self.recording("GET", "/api/v2/DEMO/profiles")
        let input = try folder.file("input", text)
        try FileManager.default.createSymbolicLink(atPath: folder.path("symbolic"), withDestinationPath: "input")
        try FileManager.default.linkItem(atPath: input, toPath: folder.path("hard"))
        for option in [["--har"], ["--run", "true", "--expect"]] {
            let written = "\(folder.url.path)/\(name)"
            let arguments = ["conformance"] + option + [input, output, written]
            let isStarted = name == "input" && output == "--junit"
            let tool = isStarted ? try await Tool.run(arguments) : await Tool.refusal(of: arguments)
            let reason = "\(output) and \(option.last ?? "") name the same file."
            #expect(tool.status == 64 && tool.output.contains(reason), "\(tool.output)")
            #expect(try String(contentsOfFile: written, encoding: .utf8) == text)
        }
    }

    @Test func neverWrites_overTheFileOnStandardInput() async throws {
        let text = Self.recording("GET", "/api/v2/DEMO/profiles")
        let file = try folder.file("input", text)
        let line = #"exec "$0" conformance --har - --report "$1" < "$1""#
        let tool = try await Tool.run(
            ["-c", line, Tool.executable.path, file], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.status == 64 && tool.output.contains("--report and --har name the same file."), "\(tool.output)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    /// A report that cannot be written after a long test would be lost.
    @Test(
        arguments: [
            ("none/report", "No such file or directory"), ("input/report", "Not a directory"), (".", "Is a directory"),
        ], ["--junit", "--report"])
    func refusesAPlaceForAReport_beforeTheTest(place: (String, String), output: String) async throws {
        _ = try folder.file("input", "")
        let path = "\(folder.url.path)/\(place.0)"
        let mark = folder.path("mark")
        let tool = try await Tool.failure(of: ["conformance", "--run", "touch \(mark)", output, path])
        #expect(tool.status == 2 && tool.output.contains("\(path) cannot be written: \(place.1)"), "\(tool.output)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    // MARK: - A command

    @Test(arguments: [
        // This request lacks the headers that every request must have.
        ("\"$TVE\" conformance-viewer $TVE_SERVICE/api/v2/$TVE_REQUESTOR/profiles", 1, "CL21  FAIL"),
        // As `xdg-open` does, the command takes the words of the variable as they are.
        ("$(printf \"$BROWSER\" $TVE_SERVICE/api/v2/$TVE_REQUESTOR/profiles)", 1, "CL21  FAIL"),
        (
            "exit 3", 2,
            "the exit code 3. Look for the reason in its own output. What it did until then is judged below.\n"
        ),
        ("kill -9 $$", 2, "The command of --run was ended by a signal."),
        // The process that the shell started must end too; otherwise the test would wait for it.
        ("sleep 3600; true", 2, "The command of --run did not end within 1 second."),
        // The shell ends at the first signal, and the process that it started ignores this signal.
        ("(trap '' TERM; exec sleep 3600) & wait", 2, "The command of --run did not end within 1 second."),
        // The command cannot read from the terminal.
        ("read -r line; exit 5", 2, "The command of --run failed: it ended with the exit code 5."),
    ])
    func judgesACommand_andSaysHowItEnded(command: String, status: Int32, text: String) async throws {
        // A busy machine may need longer than this for a command that ends by itself.
        let limit = text.contains("within 1 second") ? ["--limit", "1"] : []
        let tool = try await Tool.run(
            ["TVE=\(Tool.executable.path)", Tool.executable.path, "conformance"] + limit + ["--run", command],
            of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.status == status && tool.output.contains(text), "\(tool.output)")
    }

    /// This command satisfies the vendor's rows, so only the tester's own expectation decides.
    ///
    /// The command requests the configuration once, and never logs out.
    @Test(arguments: [
        (SandboxWorld.Expectation("asks seldom", step: "configuration", atMost: 0), "broken"),
        (SandboxWorld.Expectation("asks seldom", step: "configuration", atMost: 1), "kept"),
        (SandboxWorld.Expectation("logs out", step: "logout", atLeast: 1), "broken"),
        (SandboxWorld.Expectation("logs out late", step: "logout", follows: "authorize"), "notSeen"),
    ])
    func aBrokenExpectationIsNotAcceptable_inJSON(
        expectation: SandboxWorld.Expectation, result: String
    ) async throws {
        var world = SandboxWorld.demo
        world.expectations = [expectation]
        let file = try folder.file("world.json", String(decoding: try JSONEncoder().encode(world), as: UTF8.self))
        let page = folder.path("report.html")
        let command =
            "'\(Tool.executable.path)' providers --dialect v2 --service $TVE_SERVICE "
            + "--directory '\(folder.path("store"))'"
        let tool = try await Tool.run(
            [
                "-c", "exec \"$0\" \"$@\" 2>/dev/null", Tool.executable.path, "conformance", "--expect", file, "--json",
                "--report", page, "--run", "\(command) > /dev/null",
            ], of: URL(fileURLWithPath: "/bin/sh"))
        struct Document: Decodable {
            struct Expectation: Decodable { let result: String }
            let isAcceptable: Bool
            let expectations: [Expectation]
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(tool.output.utf8))
        #expect(document.expectations.map(\.result) == [result])
        let isAcceptable = result != "broken"
        #expect(document.isAcceptable == isAcceptable && tool.status == (isAcceptable ? 0 : 1), "\(tool.output)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        let verdict =
            isAcceptable
            ? "good\">No mandatory row fails."
            : "bad\">No mandatory row fails, but one of your own expectations is not met."
        #expect(html.contains("<p class=\"verdict \(verdict)</p>"))
    }

    /// The client might have taken the step later.
    @Test(arguments: [
        ("exit 3", 2),
        // The command takes the signal that the tool passes on for an ordinary end.
        ("trap 'exit 0' TERM; kill -TERM $PPID; sleep 3600 & wait", 0),
    ])
    func aStepThatIsMissing_isNotObserved_whenTheCommandWasCutShort(end: String, status: Int32) async throws {
        let client =
            "'\(Tool.executable.path)' providers --dialect v2 --service $TVE_SERVICE "
            + "--directory '\(folder.path("store"))'"
        let tool = try await Tool.run([
            "conformance", "--expect", try expectedLogout(), "--run", "\(client) > /dev/null; \(end)",
        ])
        #expect(tool.status == status && tool.output.contains("not observed logs out"), "\(tool.output)")
    }

    @Test(arguments: [SIGINT, SIGHUP])
    func aSignalEndsTheCommandToo_andWhatWasSeenIsJudged(number: Int32) async throws {
        let console = try Console()
        let command =
            "'\(Tool.executable.path)' conformance-viewer $TVE_SERVICE/o/client/token; echo ready; sleep 60; true"
        let process = try console.start(["conformance", "--run", command])
        _ = await console.text(upTo: "ready")
        kill(process.processIdentifier, number)
        // The terminal's text ends when the tool, the shell and the command have all ended.
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 1 && end.contains("was ended by a signal."), "\(end)")
        #expect(end.contains("in 1 exchange"), "\(end)")
    }

    // MARK: - A recording

    @Test(arguments: [
        ("", "The recording is empty."), ("hello", "is not in the HTTP Archive format"),
        ("PK\u{3}\u{4}", "The recording is compressed"), (#"{"log":{"entries":[{"#, "The recording is incomplete"),
        (#"{"log":{"entries":[{}]}}"#, "Not judged, because it has no request: entry 1."),
        (#"{"log":{"entries":[]}}"#, "There is no request of REST API v2"),
        (recording("GET", "/else"), "There is no request of REST API v2"),
        (
            recording("GET", "/api/v2/DEMO/profiles", "/else").replacing("000Z", with: "000"),
            "to judge: the only entry with a documented path was left out."
        ),
        (
            recording("GET", "/api/v2/DEMO/profiles", "/api/v2/DEMO/profiles/a", "/api/v2/DEMO/profiles/b")
                .replacing(/2026-11-24T04:00:0\d.000Z/, with: "0001-01-01T00:00:00Z"),
            "Not judged, because the requests of the recording have no times of their own: entries 1, 2, 3."
        ),
        (
            recording("GET", "/adobe-services/config/DEMO", "/api/v1/tokens/media"),
            "/adobe-services/config/{requestor}, 1 time: GET /api/v2/{serviceProvider}/configuration"
        ),
    ])
    func refusesAFile_thatShowsNothing(content: String, reason: String) async throws {
        let arguments = ["conformance", "--har", try folder.file("recording.har", content)]
        // About an archive that can be read, the command prints something before it fails.
        let isStarted = content.isEmpty || content.hasSuffix("}")
        let tool = try await isStarted ? Tool.run(arguments) : Tool.failure(of: arguments)
        #expect(tool.status == 2 && tool.output.contains(reason), "\(tool.output)")
    }

    @Test func refusesWhatCannotBeRead_withTheSystemsReason() async throws {
        let nothing = try await Tool.run(["conformance", "--har", folder.path("none")])
        #expect(nothing.status == 2 && nothing.output.contains("cannot be read: No such file or directory"))
        let directory = try await Tool.run(["conformance", "--har", folder.url.path])
        #expect(directory.status == 2 && directory.output.contains("cannot be read: Is a directory"))
    }

    @Test(arguments: ["/dev/stdin", "-"])
    func readsARecording_fromAPipe(file: String) async throws {
        let text = Self.recording("POST", "/o/client/register")
        let tool = try await Tool.run(["conformance", "--har", file], input: text)
        #expect(tool.output.contains("in 1 exchange of 1 client."), "\(tool.output)")
    }

    /// A row whose evidence is in a missing or unreadable body never passes.
    @Test(
        arguments: [
            (#"{"size":40}"#, "a body is missing"),
            (#"{"size":2,"text":"//79AA==","encoding":"base64"}"#, "a body is still compressed or is not in UTF-8"),
            (#"{"size":2,"text":"!","encoding":"base64"}"#, "the Base64 of a body is damaged"),
            (#"{"size":2,"text":"e30=","encoding":"rot13"}"#, "a body is not written as it was sent"),
            (#"{"size":3,"text":"\u0000\u0001{"}"#, nil),
        ] as [(String, String?)])
    func unreadableBodiesAreNoEvidence(content: String, reason: String?) async throws {
        let text = Self.recording("POST", "/o/client/token", "/o/client/token", content: content)
        let tool = try await Tool.run(["conformance", "--har", try folder.file("recording.har", text)])
        #expect(tool.output.contains("CL2   not observed") && tool.output.contains("in 2 exchanges"), "\(tool.output)")
        #expect(!tool.output.contains("CL2   pass"))
        let note = reason.map { "Judged in part, because \($0): entries 1, 2." }
        #expect(tool.output.contains(note ?? "Judged in part") == (note != nil), "\(tool.output)")
    }

    // MARK: - Forms of a report

    @Test func reportsHaveEveryRow_andNoSecret() async throws {
        let text = Self.recording("GET", "/api/v2/DEMO/profiles/code/CODE77?more=VALUE9", "/api/v1/config/DEMO")
        let junit = folder.path("junit.xml")
        let page = folder.path("report.html")
        let tool = try await Tool.run(
            [
                "-c", "exec \"$0\" \"$@\" 2>/dev/null", Tool.executable.path, "conformance", "--har",
                try folder.file("recording.har", text), "--json", "--junit", junit, "--report", page,
            ], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.status == 1)
        struct Document: Decodable {
            struct Report: Decodable {
                struct Finding: Decodable {
                    struct Row: Decodable { let id: String }
                    let row: Row
                    let outcome: String
                }
                let findings: [Finding]
            }
            let isAcceptable: Bool
            let disclaimer: String
            let report: Report
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(tool.output.utf8))
        #expect(!document.isAcceptable && document.disclaimer.contains("does not replace"))
        #expect(document.report.findings.map(\.row.id) == (1...30).map { "CL\($0)" } + ["HH1", "HH2"])
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        let failed = document.report.findings.filter { $0.outcome == "fail" }
        #expect(failed.contains { $0.row.id == "CL21" })
        #expect(xml.contains(#"tests="32" failures="\#(xml.split(separator: "<failure ").count - 1)""#), "\(xml)")
        #expect(xml.split(separator: "<testcase ").count == 33)
        for row in document.report.findings {
            #expect(xml.contains(" name=\"\(row.row.id): ") && html.contains("class=\"id\">\(row.row.id)<"))
        }
        #expect(html.contains("In REST API v2") && html.contains("profiles/code/{code}"))
        #expect(!html.contains("<script") && !html.contains("src=") && !html.contains("http-equiv"), "self-contained")
        for secret in ["CODE77", "VALUE9", "opaque-token", "opaque-answer", folder.url.path] {
            #expect(!tool.output.contains(secret) && !xml.contains(secret) && !html.contains(secret), "\(secret)")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// A build server may read the tests alone, and not the exit code.
    @Test(arguments: [
        (["--har", "RECORDING"], "There is no request of REST API v2 to judge"),
        (["--run", "exit 3"], "The command of --run failed"),
    ])
    func testsOfNoVerdict_haveAnError(arguments: [String], reason: String) async throws {
        let recording = try folder.file("recording.har", #"{"log":{"entries":[]}}"#)
        let junit = folder.path("junit.xml")
        let tool = try await Tool.run(
            ["conformance", "--junit", junit] + arguments.map { $0 == "RECORDING" ? recording : $0 })
        #expect(tool.status == 2, "\(tool.output)")
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(
            xml.contains(#"tests="33" failures="0" errors="1" "#) && xml.contains("<error message=\"\(reason)"),
            "\(xml)")
        #expect(xml.split(separator: "<testcase ").count == 34)
    }

    /// Returns an HTTP Archive with a request for each path, at intervals of a second.
    private static func recording(
        _ method: String, _ paths: String..., content: String = #"{"size":2,"text":"{\"a\":\"opaque-answer\"}"}"#
    ) -> String {
        let entries = paths.enumerated().map { number, path in
            #"""
            {"startedDateTime":"2026-11-24T04:00:0\#(number).000Z","time":3,\#
            "request":{"method":"\#(method)","url":"https://sp.example\#(path)",\#
            "headers":[{"name":"Authorization","value":"Basic opaque-token"}]},\#
            "response":{"status":200,"headers":[],"content":\#(content)}}
            """#
        }
        return #"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#
    }
}
