import Foundation
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import Testing

@testable import tve

/// Tests that texts from a service cannot control a terminal, and that programs can read the facts.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct PrintingTests {
    /// A text with an escape sequence, a bell, a carriage return, reversed text, and a character like a space.
    private static let evil = "A\u{1B}[2J\u{7}\rB\u{202E}C\u{2028}D\u{9B}31mE\u{A0}F"
    private static let harmless = "A[2JBCD31mE F"

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n"
            case .format, .lineSeparator, .paragraphSeparator: false
            case .spaceSeparator: scalar == " "
            default: true
            }
        }
    }

    @Test(arguments: ["classic", "v2"])
    func dropsWhatATerminalObeys(dialect: String) async throws {
        let desk = try await Desk(dialect) { world in
            world.providers[0].displayName = Self.evil
            world.viewers[0].zip = Self.evil
            world.viewers[0].upsell = ["DEMO-PLUS": Self.evil]
        }
        try await desk.prepareLogin()
        let runs = [
            ["providers"], ["providers", "--json"], ["metadata", "zip"], ["metadata", "zip", "--json"],
            ["authorize", "DEMO-PLUS"], ["preauthorize", "DEMO-PLUS"], ["preauthorize", "DEMO-PLUS", "--json"],
            ["status", "--json"], ["stats", "--json", "--directory", desk.store],
        ]
        var outputs: [[String]: String] = [:]
        for arguments in runs {
            let tool = arguments[0] == "stats" ? try await Tool.run(arguments) : try await desk.run(arguments)
            #expect(Self.isHarmless(tool.output), "\(arguments): \(tool.output.debugDescription)")
            outputs[arguments] = tool.output
        }
        let list = try #require(outputs[["providers"]]).replacing("\u{FFFD}", with: "")
        #expect(list.contains("demo-cable  \(Self.harmless)\(dialect == "v2" ? "  (per requestor)" : "")\n"))
        let denial = try #require(outputs[["authorize", "DEMO-PLUS"]]).replacing("\u{FFFD}", with: "")
        #expect(denial.contains("Error: \(Self.harmless)"))
        // XML forbids most control characters, so the sandbox writes U+FFFD in their place.
        guard dialect == "v2" else { return }
        // JSON preserves the value, because control characters are escaped.
        let json = try #require(outputs[["providers", "--json"]])
        struct Provider: Decodable { let id, name: String }
        let providers = try JSONDecoder().decode([Provider].self, from: Data(json.utf8))
        #expect(providers.first?.name.unicodeScalars.elementsEqual(Self.evil.unicodeScalars) == true)
        #expect(try await desk.run("providers", "--trace", desk.folder.path("trace.html")).status == 0)
    }

    @Test func printsFacts_forPrograms() async throws {
        let desk = try await Desk()
        func output(_ arguments: String..., status: Int32 = 0) async throws -> String {
            let tool = try await desk.run(arguments)
            #expect(tool.status == status, "\(arguments): \(tool.output)")
            return tool.output
        }
        let nobody = try await output("status", "--json", status: 1)
        #expect(nobody.hasPrefix("{\"authenticated\":false,\"reason\":\""))
        let login = try await desk.logIn("--json").output
        #expect(
            login.contains("{\"authenticated\":true,\"expires\":\"")
                && login.hasSuffix("\"mvpd\":\"demo-cable\",\"requestor\":\"DEMO\"}\n"))
        #expect(
            try await output("metadata", "zip", "--json")
                == "{\"encrypted\":false,\"key\":\"zip\",\"value\":[\"12345\"]}\n")
        #expect(
            try await output("preauthorize", "DEMO-1", "--json") == "[{\"authorized\":true,\"resource\":\"DEMO-1\"}]\n")
        #expect(
            try await output("authorize", "DEMO-1", "--json").hasPrefix(
                "{\"resource\":\"DEMO-1\",\"token\":\"<signatureInfo>"))
        let doctor = try await output("doctor", "--json")
        for check in ["service", "statement", "requestor", "clock", "store", "redirect", "browser"] {
            #expect(doctor.contains("\"check\":\"\(check)\""), "\(check): \(doctor)")
        }
        #expect(!doctor.contains("\"bad\""))
        #expect(try await output("logout", "--json") == "{\"authenticated\":false}\n")
    }

    @Test(arguments: [
        (["--service", "http://127.0.0.1:1"], "bad   service   http://127.0.0.1:1 does not answer"),
        (["--statement", "made.up.one"], "bad   statement"),
        (["--statement", "\"a.b.c\""], "bad   statement The software statement is in quotation marks."),
        (["--requestor", "NOPE"], "bad   requestor"),
        (["--redirect", "javascript:x"], "bad   redirect"), (["--directory", "/dev/null"], "bad   store"),
    ])
    func doctorSaysWhatIsWrong_andWhatToDo(arguments: [String], finding: String) async throws {
        let desk = try await Desk()
        let doctor = desk.full(["doctor"] + arguments)
        let isAboutApplication = ["--statement", "--requestor"].contains(arguments[0])
        let tool = try await isAboutApplication ? Tool.serviceChecks(of: doctor) : Tool.run(doctor)
        #expect(tool.status == 1, "\(tool.output)")
        #expect(tool.output.contains(finding) && tool.output.contains("→"), "\(tool.output)")
    }

    @Test(arguments: [
        "http://a.example/", "http://127.0.0.1.example/", "http:a", "https:///x", "https:", "myapp:",
        "javascript:x", "JavaScript:x", "data:text/html,x", "file:///x", "about:blank", "blob:x", "no scheme", "",
    ])
    func aRedirectThatOthersRead_orThatNoLoginEndsAt_isBad(redirect: String) async {
        let finding = await Self.checks(redirect).redirection()
        #expect(finding.check == "redirect" && finding.state == .bad && finding.advice != nil, "\(finding)")
    }

    @Test(arguments: [
        "http://localhost:3000/cb", "HTTP://LOCALHOST/", "http://[::1]:3000/cb", "https://a.example/",
        "adbe.example://ios.app", "com.example.app:/back",
    ])
    func aRedirectThatNobodyElseReads_isGood(redirect: String) async {
        let finding = await Self.checks(redirect).redirection()
        #expect(finding.check == "redirect" && finding.state == .good, "\(finding)")
    }

    private static func checks(_ redirect: String) -> DoctorChecks {
        DoctorChecks(options: SessionOptions(), redirect: redirect, limit: .seconds(10))
    }

    @Test func doctorIsFine_withARedirectThatNobodyElseReads() async throws {
        let tool = try await Desk().run("doctor", "--redirect", "http://127.0.0.1:3000/cb")
        #expect(tool.status == 0 && tool.output.contains("ok    redirect"), "\(tool.output)")
    }

    @Test func doctorSeesARequestorWithoutProviders() async throws {
        let desk = try await Desk("v2") { $0.requestors[0].providers = [] }
        let tool = try await desk.run("doctor")
        let finding = "bad   requestor DEMO works with no TV provider."
        #expect(tool.status == 1 && tool.output.contains(finding), "\(tool.output)")
    }

    @Test func doctorSeesAWrongClock() async throws {
        let tool = try await Desk(now: { Date().addingTimeInterval(7_200) }).run("doctor")
        #expect(tool.status == 1 && tool.output.contains("behind the service [CFG100]"), "\(tool.output)")
    }

    @Test func writesTraces_forTheirOwner_withoutIDs() async throws {
        let desk = try await Desk()
        try await desk.prepareLogin()
        // The existing file is readable by others.
        let file = try desk.folder.file("trace.html", "<!DOCTYPE html>")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        for shows in [false, true] {
            let more = shows ? ["--trace-ids"] : []
            let resource = shows ? "DEMO-2" : "DEMO-1"
            #expect(try await desk.run(["authorize", resource, "--trace", file] + more).status == 0)
            let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(rights == 0o600)
            let page = try String(contentsOfFile: file, encoding: .utf8)
            #expect(page.contains("class=\"sequence of-5\"") && page.contains("put …") || shows)
            #expect((page.firstMatch(of: /[0-9a-f]{32}/) != nil) == shows, "A fingerprint is a hash.")
            #expect(page.contains(resource) == shows)
        }
    }

    /// The path is that of an input by mistake, such as the software statement.
    @Test func aTrace_replacesOnlyAPage() async throws {
        let desk = try await Desk()
        let file = try desk.folder.file("statement.txt", desk.sandbox.softwareStatement)
        let tool = try await desk.run(["providers", "--statement", "@\(file)", "--trace", file])
        #expect(tool.status == 0 && tool.output.contains("statement.txt exists, and is not a page."), "\(tool.output)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == desk.sandbox.softwareStatement)
    }

    @Test func tellsEvents_asLines() async throws {
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json"])
        struct Line: Decodable {
            struct Exchange: Decodable { let id: Int; let step: String }
            let event: String
            let baseURL: String?
            let exchange: Exchange?
        }
        let first = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1))
        let base = try #require(first.baseURL)
        let folder = try Folder()
        _ = try await Tool.run(["providers", "--service", base, "--directory", folder.path("store")])
        // A line comes while the sandbox runs, and a sandbox that is stopped tells the rest before it ends.
        var text = await output.read(lines: 1)
        #expect(!text.isEmpty)
        process.terminate()
        text += await output.read(lines: .max)
        await process.ended()
        let lines = try text.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Line.self, from: $0) }
        // The line of an exchange is printed when its answer is sent, so the client's next exchange may be printed
        // before it.
        let steps = lines.compactMap(\.exchange).sorted { $0.id < $1.id }.map(\.step)
        #expect(steps.prefix(3) == ["sandbox", "register", "token"])
        // The client sends these two requests at the same time, and needs the answer to one of them.
        #expect(steps.contains("configuration"))
        #expect(Set(steps.dropFirst(3)).isSubset(of: ["profiles", "configuration"]))
    }

    @Test(arguments: [["--listen"], ["--host", "0.0.0.0"]])
    func tellsTheAddressForOtherDevices_whenEachNetworkReachesIt(options: [String]) async throws {
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json"] + options)
        struct Line: Decodable {
            let baseURL: URL
            let networkURL: URL?
        }
        let line = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1))
        process.terminate()
        await process.ended()
        #expect(line.baseURL.host() == "127.0.0.1")
        // A machine without a network has no such address.
        let own = NetworkAddress.forPhones("0.0.0.0")
        #expect(line.networkURL?.host() == own)
        #expect(own == nil || line.networkURL?.port == line.baseURL.port)
    }

    /// The option that names an address of this machine's network, or another one if there is no network.
    private static let network = NetworkAddress.forPhones("0.0.0.0").map { ["--host", $0] } ?? ["--listen"]

    @Test(arguments: [[], ["--host", "127.0.0.1"], ["--listen"], ["--host", "0.0.0.0"], network])
    func warns_whenOtherMachinesReachTheSandbox(options: [String]) async throws {
        let isOpen = !options.isEmpty && options.last != "127.0.0.1"
        let console = try Console()
        let process = try console.start(["sandbox", "--port", "0"] + options)
        let start = await console.text(upTo: "run a flow")
        process.terminate()
        // The warning is written even if the sandbox is ended at once.
        let text = start + (await console.everything())
        await process.ended()
        #expect(text.contains("do not type a real password") == isOpen, "\(text)")
        let base = try #require(text.split(separator: " ").first { $0.hasPrefix("http") })
        #expect(text.contains("  classic calls      \(base)/adobe-services"), "\(text)")
        #expect(text.contains("  async core         \(base)"), "\(text)")
    }

    @Test func saysItsVersion_andGeneratesCompletions() async throws {
        #expect(try await Tool.run(["--version"]).output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        for shell in ["bash", "zsh", "fish"] {
            let script = try await Tool.run(["--generate-completion-script", shell])
            #expect(script.status == 0 && script.output.contains("doctor") && script.output.contains("sandbox"))
        }
        let both = try await Tool.run(["sandbox", "--listen", "--host", "127.0.0.1"])
        #expect(both.status == 64 && both.output.contains("--host and --listen cannot be used together."))
    }
}
