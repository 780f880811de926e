import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import Testing

@testable import tve

@Suite(.fewAtATime, .timeLimit(.hanging))
struct DemoTests {
    @Test(arguments: ["demo-cable", "demo-fiber"], ["classic", "v2"])
    func endsWell_andShowsEveryStep(provider: String, dialect: String) async throws {
        let tool = try await Tool.run(["demo", "--provider", provider, "--dialect", dialect])
        #expect(tool.status == 0)
        #expect(tool.output.contains("All 12 steps ended as expected"))
        #expect(!tool.output.contains("\u{1B}"), "Colour belongs on terminals only.")
        #expect(!tool.output.contains("<signatureInfo>") && !tool.output.contains("reg_code"), "No secret is shown.")
        // A code would be the last component of a path, with seven characters.
        #expect(tool.output.firstMatch(of: /\/[A-Z0-9]{7}\b/) == nil, "No code is shown.")
    }

    @Test func showsBothDialects_RESTv2First() async throws {
        let tool = try await Tool.run(["demo"])
        #expect(tool.status == 0)
        let ends = tool.output.matches(of: /All 12 steps ended as expected \((.+)\)\./)
        #expect(ends.count == 2)
        let titles = ["REST API v2", "The classic services"].compactMap {
            tool.output.firstRange(of: "\n\($0)")?.lowerBound
        }
        #expect(titles.count == 2 && titles[0] < titles[1])
    }

    @Test func printsOneJSONObjectAStep() async throws {
        let tool = try await Tool.run(["demo", "--json"])
        struct Step: Decodable {
            struct Entry: Decodable { let kind, text: String }
            let dialect: String
            let number: Int
            let call: String
            let isGood: Bool
            let entries: [Entry]
        }
        let steps = try tool.output.split(separator: "\n").map {
            try JSONDecoder().decode(Step.self, from: Data($0.utf8))
        }
        #expect(steps.map(\.number) == Array(1...12) + Array(1...12))
        #expect(steps.map(\.dialect) == Array(repeating: "v2", count: 12) + Array(repeating: "classic", count: 12))
        #expect(steps.allSatisfy { $0.isGood })
        #expect(steps.first { $0.call == "getAuthentication()" }?.entries.contains { $0.kind == "browser" } == true)
    }

    @Test(arguments: [
        (["--password", "wrong"], ["Provider Not Selected Error", "The user name or password is not correct."]),
        (["--abandon"], ["N005", "Provider Not Selected Error"]), (["--requestor", "NOPE"], ["CFG400"]),
        (["--statement", "made up"], ["R400"]), (["--statement", "made.up.one"], ["R400"]),
        (["--service", "http://127.0.0.1:1"], ["CFG404"]), (["--service", "http://0.0.0.0:1"], ["CFG404"]),
        (["--denied", "DEMO-2"], ["setToken"]),
        (["--resource", "DEMO-PLUS"], ["Demo Plus is not part of your plan."]),
        (["--provider", "nope"], ["nope is none of the TV providers: demo-cable, demo-fiber"]),
    ])
    func saysInOneLineWhatFailed(arguments: [String], reasons: [String]) async throws {
        for dialect in ["classic", "v2"] {
            let tool = try await Tool.run(["demo", "--dialect", dialect] + arguments)
            // Nothing is known about a service that does not answer.
            #expect(tool.status == (arguments.first == "--service" ? 2 : 1))
            for reason in reasons {
                #expect(tool.failure?.contains(reason) == true, "\(dialect): \(tool.output)")
            }
        }
    }

    @Test(arguments: [
        (["demo", "--nope"], "Unknown option '--nope'"),
        (["demo-sso", "--dialect", "v2"], "Unknown option '--dialect'"),
        (["demo-sso", "--json"], "Unknown option '--json'"),
        (["demo", "--dialect", "v3"], "The value 'v3' is invalid for '--dialect <dialect>'"),
        (
            ["sandbox", "--host", "203.0.113.5"],
            "The sandbox cannot listen at 203.0.113.5:8080: this machine does not have the address."
        ),
        (["sandbox", "--key", "/dev/null/key"], "/dev/null/key cannot be read: "),
        (["sandbox", "--key", "a", "--state", "b"], "With --state, the sandbox keeps its key in that directory."),
    ])
    func refusesWrongArguments_inOneSentence(arguments: [String], reason: String) async throws {
        let tool = arguments[0] == "sandbox" ? try await Tool.run(arguments) : await Tool.refusal(of: arguments)
        #expect(tool.status != 0)
        #expect(tool.output.contains("Error: \(reason)"), "\(tool.output)")
    }

    @Test func aHostThatIsNoAddress_isAWrongCommandLine() async throws {
        let tool = try await Tool.run(["sandbox", "--host", "nowhere"])
        #expect(tool.status == 64, "\(tool.output)")
        #expect(tool.output.contains("Error: \"nowhere\" is not an IPv4 address."), "\(tool.output)")
        #expect(tool.output.contains("Usage: tve sandbox"), "\(tool.output)")
    }

    @Test func listsTheMistakesOfAWorld_oneALine() async throws {
        let folder = try Folder()
        let file = try folder.file("world.json", "{\"requestors\":1,\"strict\":true}")
        let tool = try await Tool.run(["sandbox", "--port", "0", "--world", file])
        let lines = """
            Error: \(file) does not describe a world, for 3 reasons. Documentation/Sandbox.md describes the fields of a \
            world.
              requestors has the wrong type. Use a list.
              strict is not a known field. Remove it.
              providers is missing. Add it, with a list as its value.

            """
        #expect(tool.status == 2 && tool.output == lines)
    }

    @Test(arguments: [
        ("[", "The document ends before its JSON is complete."),
        ("{\"providers\":[]}", "requestors is missing."),
        ("{\"requestors\":1,\"providers\":[]}", "requestors has the wrong type."),
        ("{\"requestors\":[],\"providers\":[{\"id\":\"a\",\"displayName\":\"A\"}]}", "providers[0].login is missing."),
        (
            "{\"requestors\":[],\"providers\":[{\"id\":\"a\",\"displayName\":\"A\",\"login\":\"x\"}]}",
            "providers[0].login has an unknown value."
        ),
    ])
    func saysWhatIsWrong_withAWorld(json: String, reason: String) async throws {
        let folder = try Folder()
        let file = try folder.file("world.json", json)
        let arguments = ["sandbox", "--port", "0", "--world", file]
        let tool = try await json == "[" ? Tool.run(arguments) : Tool.failure(of: arguments)
        #expect(tool.status == 2)
        #expect(tool.output.hasPrefix("Error: \(file) does not describe a world: \(reason) Documentation/Sandbox.md "))
    }

    @Test func saysThatAWorldCannotBeRead() async throws {
        let none = try Folder().path("none.json")
        #expect(try await Tool.run(["sandbox", "--world", none]).output.hasPrefix("Error: \(none) cannot be read: "))
    }

    @Test func signsWithTheKeyThatIsNamed() async throws {
        let folder = try Folder()
        let none = try folder.file("none.pem", "no key")
        #expect(
            try await Tool.run(["sandbox", "--key", none]).output.contains(
                "Error: \(none) cannot be used to sign tokens. It has no private RSA key."))
        let key = try SandboxKey(privateKeyPEM: TestKeys.first)
        let (process, output) = try Tool.start([
            "sandbox", "--port", "0", "--json", "--key", try folder.file("key.pem", key.privateKeyPEM),
        ])
        struct Line: Decodable { let baseURL: URL }
        let base = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1)).baseURL
        struct Facts: Decodable { let mediaTokenPublicKey: String }
        let (_, facts) = try await URLSessionTransport(timeout: .hanging).send(
            HTTPRequest(method: .get, url: base.appending(path: "sandbox/info")), body: nil)
        process.terminate()
        await process.ended()
        #expect(try JSONDecoder().decode(Facts.self, from: facts).mediaTokenPublicKey == key.publicKeyPEM)
    }

    /// Creates a directory for the state of a sandbox, with the key of this process, because a new one takes long.
    private static func makeState(in folder: Folder) throws {
        _ = try SandboxFolder(folder.path("state"), key: SandboxKey.ofThisProcess.get)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func storesTheStateOfASandbox_whateverEndsIt(number: Int32) async throws {
        let folder = try Folder()
        // Without a key, the sandbox creates one in the new directory.
        if number != SIGINT { try Self.makeState(in: folder) }
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json", "--state", folder.path("state")])
        _ = await output.read(lines: 1)
        kill(process.processIdentifier, number)
        await process.ended()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path("state/state")))
    }

    /// A reader stands still when it was suspended, or when its own reader takes nothing.
    @Test func storesTheStateOfASandbox_whoseReaderStandsStill() async throws {
        let folder = try Folder()
        try Self.makeState(in: folder)
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json", "--state", folder.path("state")])
        struct Line: Decodable { let baseURL: URL }
        let base = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1)).baseURL
        let transport = URLSessionTransport(timeout: .hanging)
        // The lines of these requests are together longer than a pipe's buffer.
        let request = HTTPRequest(method: .get, url: base.appending(path: String(repeating: "a", count: 200)))
        for _ in 0..<400 { _ = try await transport.send(request, body: nil) }
        process.terminate()
        await process.ended()
        #expect(process.terminationReason == .exit && process.terminationStatus == 2)
        #expect(FileManager.default.fileExists(atPath: folder.path("state/state")))
        withExtendedLifetime(output) {}
    }

    /// `tve sandbox --host` prints a command with this address, which is not that of the loopback network.
    @Test func endsWell_overPlainHTTPAtAnAddressInTheNetwork() async throws {
        // A machine without a network has no such address.
        guard let own = NetworkAddress.forPhones("0.0.0.0") else { return }
        let desk = try await Desk(host: own)
        let tool = try await Tool.run(["demo", "--service", desk.sandbox.baseURL.absoluteString])
        #expect(tool.status == 0, "\(tool.output)")
    }

    /// Demos that run at the same time are different devices, which do not log each other out.
    @Test func demosAtTheSameTime_leaveEachOtherAlone() async throws {
        let desk = try await Desk()
        let demo = [
            "XDG_DATA_HOME=\(desk.folder.url.path)", Tool.executable.path, "demo", "--service",
            desk.sandbox.baseURL.absoluteString,
        ]
        try await withThrowingTaskGroup(of: Tool.self) { group in
            for _ in 0..<4 { group.addTask { try await Tool.run(demo, of: URL(fileURLWithPath: "/usr/bin/env")) } }
            for try await demo in group { #expect(demo.status == 0, "\(demo.output)") }
        }
    }

    /// The permanent store is free for one demo, also if no demo has ever used it.
    @Test func oneDemoHasThePermanentStore_ofManyThatBeginAtOnce() throws {
        let folder = try Folder()
        for number in 0..<50 {
            let store = folder.url.appending(path: "\(number)")
            let locks = Guarded<[FileLock]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                guard let lock = DemoStore.lock(store) else { return }
                locks.withLock { $0.append(lock) }
            }
            #expect(locks.withLock(\.count) == 1)
        }
    }

    @Test func namesTheFolderForTemporaryFiles_whenItCannotBeUsed() async throws {
        let folder = try Folder()
        let place = try folder.file("file", "")
        let tool = try await Tool.run(
            ["TMPDIR=\(place)", Tool.executable.path, "demo"], of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.status == 2 && tool.output.hasPrefix("Error: \(place)"), "\(tool.status), \(tool.output)")
        #expect(tool.output.contains(" cannot be used: "), "\(tool.output)")
    }

    @Test(.row("T-28", "T-29", "T-30", "T-31", "T-32", "T-33", "T-34", "T-35"))
    func tellsTheSharingStoriesAsDocumented() async throws {
        let tool = try await Tool.run(["demo-sso"])
        #expect(tool.status == 0)
        let rows = tool.output.split(separator: "\n").filter { $0.contains("T-") }.map { row in
            row.split(separator: " ").filter { $0 == "yes" || $0 == "no" }.joined(separator: " ")
        }
        #expect(
            rows == [
                "yes yes yes yes", "yes no yes yes", "yes no yes yes", "yes no yes no", "yes yes yes yes",
            ])
    }
}
