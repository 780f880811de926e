import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestTraits
import Testing

@testable import tve

/// The texts of faults are those that the page lists, and the exit code depends on the fault alone.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ToolFaultTests {
    @Test(arguments: [
        (["household", "join"], "There is neither a code nor an account. Give the code"),
        (["household", "join", "--account", "a", "ABC"], "A code and --account cannot be used together. Leave one"),
        (["household", "join", "..."], "The code has no letters or digits. Type it"),
        (["household", "join", "--account", ""], "The id of the account is empty. Give the id"),
        (["status", "--service", "http://127.0.0.1:99999"], "There is no port 99999. Give a port from 1 to 65535."),
        (["status", "--service", "ftp://sp.invalid \r\n"], "ftp://sp.invalid is not a service URL."),
        (["status", "--service", "http:/127.0.0.1:1"], "http:/127.0.0.1:1 is not a service URL. The address has no"),
        (["providers", "--service", "127.0.0.1:0"], "There is no port 0. Give a port from 1 to 65535."),
        (["status", "--requestor", "\"DEMO\""], "\"DEMO\" is in quotation marks. Give the id without them"),
        (["login", "--provider", "'cable'"], "'cable' is in quotation marks. Give the id without them"),
        (["logout", "--as", "\u{201C}cable\u{201D}"], "\u{201C}cable\u{201D} is in quotation marks. Give"),
        (["authorize", "A", "--as", "\"cable\""], "\"cable\" is in quotation marks. Give the id without them"),
        (["authorize", "A\n"], "A resource has a line break before or after its id. Remove it."),
        (["preauthorize", "A", "\r\nB"], "A resource has a line break before or after its id. Remove it."),
        (["metadata", "authz:A\r"], "A resource has a line break before or after its id. Remove it."),
        (["status", "--requestor", " "], "The id of the requestor is empty. Give the id, or leave --requestor out."),
        (["token", "verify", "--key", "a", "--requestor", ""], "The id of the requestor is empty. Give the id, or"),
        (["status", "--service", ""], "An empty text is not a service URL. The address has no host."),
        (["household", "link", "--page", ""], "An empty text is not a URL. Give a complete address"),
        (
            ["status", "--timeout", "30s"],
            "The value '30s' is invalid for '--timeout <seconds>': This option takes a whole number of seconds. Give it"
        ),
        (
            ["token", "verify", "--key", "a", "--tolerance", "5s"],
            "The value '5s' is invalid for '--tolerance <tolerance>': This option takes a number of seconds. Give it"
        ),
        (
            ["sandbox", "--port", "80x"],
            "The value '80x' is invalid for '--port <port>': This option takes the number of a port. Give one from 0"
        ),
        (
            ["conformance", "--port", "99999"],
            "The value '99999' is invalid for '--port <port>': This option takes the number of a port. Give one from 0"
        ),
        (["metadata", ""], "The name of a fact is empty. \"tve metadata --help\" explains"),
        (["metadata", " "], "The name of a fact is empty. \"tve metadata --help\" explains"),
        (["household", "link", "--page", "nowhere"], "nowhere is not a URL. Give a complete address"),
        (["conformance", "--expect", "a", "--har", "b"], "--expect and --har cannot be used together. Leave one"),
        (["storage", "reseal", "new.key", "--unsealed"], "A store that is not sealed has no key to replace. Leave"),
    ])
    func aWrongCommandLine_endsWith64(arguments: [String], text: String) async throws {
        let folder = try Folder()
        let all = arguments + (Self.withoutStore.contains(arguments[0]) ? [] : ["--directory", folder.path("store")])
        // One line is refused when it is read, and one when its command runs.
        let isStarted = [["household", "join"], ["status", "--service", "http://127.0.0.1:99999"]].contains(arguments)
        let tool = try await isStarted ? Tool.run(all) : Tool.failure(of: all)
        #expect(tool.status == 64 && tool.output.contains("Error: \(text)"), "\(tool.output)")
    }

    @Test(arguments: ["", " "])
    func aDemoWithoutARequestor_isRefused(id: String) async {
        let tool = await Tool.refusal(of: ["demo", "--requestor", id])
        #expect(tool.status == 64 && tool.output.contains("Error: The id of the requestor is empty. Give the id"))
    }

    @Test func aDemo_ignoresWhiteSpaceAroundIDs() async throws {
        let command = try await TVE.command(in: ["demo", "--requestor", " DEMO2\r", "--provider", "demo-cable\n"])
        let demo = try #require(command as? DemoCommand)
        #expect(demo.requestor == "DEMO2" && demo.provider == "demo-cable")
    }

    /// A developer's text of the service often says only what is wrong.
    @Test(
        arguments: [
            (.retry, "No. [Z100] Try again later."),
            (
                .fixConfiguration,
                "No. [Z100] Check the values of the command; \"tve doctor\" checks the service, the statement "
                    + "and the requestor."
            ),
            (.logIn, "No. [Z100]"),
        ] as [(TVEError.Recovery, String)])
    func theWordsOfTheService_areFollowedByAdvice(recovery: TVEError.Recovery, text: String) async throws {
        let command = try await TVE.command(in: ["status"])
        let options = try #require(command as? StatusCommand).options
        let refusal = ServiceError.refused(EnhancedError(message: "No."))
        let error = TVEError(
            .authorizationFailed, status: .denied, message: "No.", recovery: recovery, underlying: refusal)
        #expect(ToolFailure(error, options).description == text)
    }

    private static let withoutStore = ["conformance", "sandbox", "token"]

    /// A script that has unset a variable must not get a store in the folder in which it runs.
    @Test(arguments: [
        ["status", "--directory", ""], ["stats", "--directory", ""], ["doctor", "--directory", ""],
        ["storage", "ls", "--directory", ""], ["sandbox", "--port", "0", "--state", ""],
    ])
    func anEmptyNameOfADirectory_endsWith64(arguments: [String]) async throws {
        let tool = try await Tool.failure(of: arguments)
        #expect(tool.status == 64 && tool.output.contains("Error: The name of a directory is empty. Write the name"))
    }

    @Test(arguments: [
        ("TVE_TIMEOUT=soon", "TVE_TIMEOUT is soon, which is not a time limit. Set it to a number of seconds"),
        ("TVE_TIMEOUT=0", "TVE_TIMEOUT is 0, which is not a time limit. Set it to a number of seconds"),
        ("TVE_DIALECT=v3", "TVE_DIALECT is v3, which is neither classic nor v2. Set it"),
        ("TVE_REQUESTOR='DEMO'", "'DEMO' is in quotation marks. Give the id without them"),
    ])
    func aWrongVariable_endsWith64(variable: String, text: String) async throws {
        let folder = try Folder()
        // The variable is read before anything is sent.
        for command in [["status", "--statement", "a.b.c"], ["status"], ["doctor"]] {
            let place = ["--directory", folder.path("store"), "--service", "http://127.0.0.1:1"]
            let tool = try await Tool.run(
                [variable, Tool.executable.path] + command + place, of: URL(fileURLWithPath: "/usr/bin/env"))
            #expect(tool.status == 64 && tool.output.contains("Error: \(text)"), "\(command): \(tool.output)")
        }
    }

    /// The file of a secret and a script with the line ends of Windows add white space to an id.
    @Test func whiteSpaceAroundAnID_isIgnored() async throws {
        let desk = try await Desk("v2")
        let login = try await desk.run(
            "login", "--provider", "demo-cable\r\n", "--requestor", " DEMO\n", "--headless", "viewer", "--password",
            "secret")
        #expect(login.status == 0 && login.output.contains("Logged in with demo-cable until "), "\(login.output)")
        let question = desk.full(["preauthorize", "DEMO-1", "--as", "\tdemo-cable"])
        let tool = try await Tool.run(
            ["TVE_REQUESTOR=DEMO\r\n", "TVE_TIMEOUT=600\r", Tool.executable.path] + question,
            of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.status == 0 && tool.output.hasPrefix("yes  DEMO-1"), "\(tool.output)")
        let service = desk.sandbox.baseURL.absoluteString
        let place = ["TVE_DIALECT=v2\r", "TVE_SERVICE=\(service)\r\n", "TVE_REQUESTOR=\r\n"]
        let providers = try await Tool.run(
            place + [Tool.executable.path, "providers", "--directory", desk.store],
            of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(providers.status == 0 && providers.output.contains("demo-cable"), "\(providers.output)")
    }

    /// Build servers write a secret that they do not have as an empty variable.
    @Test func anEmptyVariable_isNotSet() async throws {
        let desk = try await Desk("v2")
        let names = ["SERVICE", "REQUESTOR", "STATEMENT", "DIALECT", "PASSWORD", "TIMEOUT", "SANDBOX_KEY"]
        func run(_ arguments: [String]) async throws -> Tool {
            try await Tool.run(
                names.map { "TVE_\($0)=" } + [Tool.executable.path] + arguments, input: "",
                of: URL(fileURLWithPath: "/usr/bin/env"))
        }
        let place = ["--service", desk.sandbox.baseURL.absoluteString, "--directory", desk.store]
        let providers = try await run(["providers"] + place)
        #expect(providers.status == 0, "\(providers.output)")
        let login = try await run(["login", "--provider", "demo-cable", "--headless", "viewer"] + place)
        #expect(login.status == 64 && login.output.contains("--headless needs a password"), "\(login.output)")
        let conformance = try await run(["conformance", "--run", "true"])
        #expect(conformance.status == 2 && conformance.output.contains("to judge"), "\(conformance.output)")
        // The address of a sandbox that may run on this machine.
        let usual = try await run(["doctor", "--directory", desk.store])
        #expect(usual.output.contains("http://127.0.0.1:8080"), "\(usual.output)")
    }

    /// A pipe has neither a size nor a name of its own.
    @Test func aFile_mayBeAPipe_andOnlyAFile() async throws {
        let folder = try Folder()
        let shell = URL(fileURLWithPath: "/bin/sh")
        let tve = Tool.executable.path
        let world = try await Tool.run(
            ["-c", "echo '{}' | \(tve) sandbox --port 0 --host nowhere --world /dev/stdin"], of: shell)
        #expect(!world.output.contains("cannot be read"), "\(world.output)")
        let statement = try await Tool.run(
            [
                "-c",
                "echo a.b.c | \(tve) status --statement @/dev/stdin --service http://127.0.0.1:1 "
                    + "--directory \(folder.path("store"))",
            ], of: shell)
        #expect(statement.output.contains("Nobody is logged in") || statement.status == 2, "\(statement.output)")
        #expect(!statement.output.contains("cannot be read"), "\(statement.output)")
        try Data([0xFF, 0xFE, 0x41, 0]).write(to: URL(fileURLWithPath: folder.path("utf16")))
        for (name, reason) in [("utf16", "is not UTF-8 text. Save it as UTF-8."), (".", "Is a directory")] {
            let failed = try await Tool.run(["status", "--statement", "@\(folder.path(name))"])
            #expect(failed.status == 2 && failed.output.contains(reason), "\(failed.output)")
        }
    }

    @Test func aSandboxThatCannotStart_isNoVerdict() async throws {
        let tool = try await Tool.run(["conformance", "--host", "192.0.2.1", "--run", "true"])
        #expect(tool.status == 2 && tool.output.contains("192.0.2.1"), "\(tool.output)")
    }

    @Test func aPasswordInAnAddress_isNotPrinted() async throws {
        for (address, status) in [
            ("ftp://user:s3cret@h/", Int32(64)), ("http://user:s3cret@127.0.0.1:1/?t=s3cret", 2),
            ("ftp://user:s3cret?@h/", 64), ("ftp://h/?mail=a@s3cret", 64),
        ] {
            let tool = try await Tool.run(["demo", "--service", address])
            #expect(tool.status == status && !tool.output.contains("s3cret"), "\(tool.output)")
        }
    }

    /// A first command without an answer of the service leaves a store without values, whose key comes with the first.
    @Test func aStoreWithoutValues_needsNoKey() async throws {
        let folder = try Folder()
        let store = folder.path("store")
        _ = try await Tool.run([
            "status", "--statement", "a.b.c", "--directory", store, "--service", "http://127.0.0.1:1",
        ])
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let list = try await Tool.run(["storage", "ls", "--directory", store])
        #expect(list.status == 0, "\(list.output)")
        let doctor = try await Tool.run(["doctor", "--directory", store, "--service", "http://127.0.0.1:1"])
        #expect(!doctor.output.contains("bad   store") && !doctor.output.contains("sealing key at"), "\(doctor.output)")
    }

    @Test func aTokenThatIsNoText_isNamed() async throws {
        let folder = try Folder()
        let file = folder.path("token")
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: file))
        let named = try await Tool.run(["token", "inspect", file])
        #expect(
            named.status == 2 && named.output.hasPrefix("Error: \(file) is not UTF-8 text. Give"), "\(named.output)")
        let long = try await Tool.run(["token", "inspect"], input: String(repeating: "x", count: (1 << 20) + 1))
        #expect(
            long.status == 2 && long.output.hasPrefix("Error: Standard input is too long for a token. Give"),
            "\(long.output)")
    }
}
