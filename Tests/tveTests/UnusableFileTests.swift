import Foundation
import TVESandbox
import TVEStorage
import TVETestTraits
import Testing

@testable import tve

/// Every command that takes a file ends with the same exit code if it cannot use the file.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct UnusableFileTests {
    /// A file that a command cannot use, or may not be able to use.
    enum Content: CaseIterable { case missing, folder, wrongFormat, empty }

    /// A command in whose arguments `FILE` stands for the file, and `STORE` for a store with one entry.
    struct Row: Sendable {
        let arguments: [String]
        /// The exit code for a file in the wrong format.
        var wrongFormat: Int32 = 2
        /// The exit code for an empty file.
        var empty: Int32 = 2

        func code(_ content: Content) -> Int32 {
            switch content {
            case .missing, .folder: 2
            case .wrongFormat: wrongFormat
            case .empty: empty
            }
        }

        /// Returns a Boolean value that indicates whether the row starts the program.
        ///
        /// One row of each command does so, and every row of the two commands that print before they fail.
        func isStarted(_ content: Content) -> Bool {
            content == .wrongFormat || arguments[0] == "doctor" || arguments[1] == "verify"
        }
    }

    private static let nowhere = ["--service", "http://127.0.0.1:1", "--directory", "STORE"]

    static let rows = [
        // The content of a token is what these two commands judge.
        Row(arguments: ["token", "inspect", "FILE"], wrongFormat: 1, empty: 1),
        Row(arguments: ["token", "verify", "--key", "KEY", "FILE"], wrongFormat: 1, empty: 1),
        Row(arguments: ["token", "verify", "--key", "FILE", "KEY"]),
        Row(arguments: ["conformance", "--har", "FILE"]),
        Row(arguments: ["conformance", "--expect", "FILE", "--run", "true"]),
        Row(arguments: ["sandbox", "--port", "0", "--world", "FILE"]),
        Row(arguments: ["sandbox", "--port", "0", "--key", "FILE"]),
        // An export of an empty store is an empty file.
        Row(arguments: ["storage", "import", "FILE", "--directory", "STORE"], empty: 0),
        Row(arguments: ["storage", "get", "a", "--directory", "STORE", "--key-file", "FILE"]),
        // An empty statement and one with a space are refused without a request.
        Row(arguments: ["status", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
        Row(arguments: ["providers", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
        Row(arguments: ["doctor", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
    ]

    @Test(arguments: rows, Content.allCases)
    func aFileThatCannotBeUsed_endsWith2(row: Row, content: Content) async throws {
        let folder = try Folder()
        let file = folder.path("file")
        switch content {
        case .missing: break
        case .folder:
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: file), withIntermediateDirectories: false)
        case .wrongFormat: _ = try folder.file("file", "no such format")
        case .empty: _ = try folder.file("file", "")
        }
        let store = folder.path("store")
        if row.arguments.contains("--key-file") {
            try folder.sealedStore().apply([.put(StorageKey("a"), Data("x".utf8))])
        }
        let key = try folder.file("key", try SandboxKey.ofThisProcess.get().publicKeyPEM)
        let values = ["FILE": file, "@FILE": "@\(file)", "STORE": store, "KEY": key]
        let arguments = row.arguments.map { values[$0] ?? $0 }
        let tool = try await row.isStarted(content) ? Tool.run(arguments) : Tool.failure(of: arguments)
        #expect(tool.status == row.code(content), "\(row.arguments), \(content): \(tool.status), \(tool.output)")
        #expect(!tool.output.contains("Usage:"), "\(row.arguments), \(content): \(tool.output)")
    }

    /// Otherwise `tve` would read and search the whole of a file that was named by mistake.
    @Test(arguments: [(1 << 16, false), ((1 << 16) + 1, true)])
    func aFileThatIsTooLongForAStatement_isRefused(bytes: Int, isTooLong: Bool) async throws {
        let folder = try Folder()
        let file = try folder.file("file", String(repeating: "a", count: bytes))
        let place = ["--service", "http://127.0.0.1:1", "--directory", folder.path("store")]
        let tool = try await Tool.failure(of: ["status", "--statement", "@\(file)"] + place)
        #expect(tool.status == (isTooLong ? 2 : 1), "\(tool.status)")
        #expect(tool.output.contains("\(file) is too long for a software statement. ") == isTooLong, "\(tool.output)")
    }

    /// A secret that is written where the name of a file with it is expected.
    enum Secret: CaseIterable {
        case key, keyWithoutLines, wrappedKey, statement, token, wrappedToken

        func text() throws -> String {
            let key = try SandboxKey.ofThisProcess.get().privateKeyPEM
            let long = String(repeating: "c2VjcmV0/", count: 60)
            let token = "<signatureInfo>\(long)<signatureInfo><simpleAuthenticationToken/>"
            return switch self {
            case .key: key
            case .keyWithoutLines: key.split(separator: "\n").dropFirst().dropLast().joined()
            case .wrappedKey: Data(key.utf8).base64EncodedString()
            case .statement: "eyJhbGciOiJSUzI1NiJ9.eyJ\(long).\(long)"
            case .token: token
            case .wrappedToken: Data(token.utf8).base64EncodedString()
            }
        }
    }

    /// Arguments in which `VALUE` stands for the secret; those with an equals sign in front are variables.
    static let secretRows: [[String]] = [
        ["TVE_SANDBOX_KEY=VALUE", "TVE", "sandbox", "--port", "0"],
        ["TVE", "sandbox", "--port", "0", "--key=VALUE"],
        ["TVE", "sandbox", "--port", "0", "--world", "VALUE"],
        ["TVE", "conformance", "--har", "VALUE"],
        ["TVE", "token", "inspect", "VALUE"],
        ["TVE", "token", "verify", "--key=VALUE", "STORE"],
        ["TVE", "storage", "import", "VALUE", "--directory", "STORE"],
        ["TVE", "storage", "ls", "--directory=VALUE"],
        ["TVE", "status", "--statement", "@VALUE"] + nowhere,
        ["TVE_STATEMENT=@VALUE", "TVE", "doctor"] + nowhere,
        // The parser of the command line repeats what it does not expect.
        ["TVE", "status", "VALUE"] + nowhere,
        ["TVE", "status", "--dialect", "VALUE"] + nowhere,
        ["TVE_DIALECT=VALUE", "TVE", "status", "--statement", "a.b.c"] + nowhere,
        ["TVE", "VALUE"],
    ]

    /// A third of the secrets for each row, which differs between rows, and all of them with `TVE_LONG_TESTS=1`.
    private static let secretPairs: [([String], Secret)] = secretRows.enumerated().flatMap { row, arguments in
        Secret.allCases.enumerated().compactMap { kind, secret in
            LongTests.areOn || (row + kind) % 3 == 0 ? (arguments, secret) : nil
        }
    }

    @Test(arguments: secretPairs)
    func aSecretInPlaceOfAName_isNotPrinted(arguments: [String], secret: Secret) async throws {
        let folder = try Folder()
        let text = try secret.text()
        let store = try folder.file("token", "no such token")
        let line = arguments.map { argument in
            let filled = argument.replacingOccurrences(of: "VALUE", with: text)
            return ["TVE": Tool.executable.path, "STORE": store][argument] ?? filled
        }
        let tool =
            Self.isStarted(arguments, secret)
            ? try await Tool.run(line, of: URL(fileURLWithPath: "/usr/bin/env"))
            : try await Tool.failure(of: Array(line.dropFirst()))
        #expect(tool.status == 2 || tool.status == 64, "\(arguments): \(tool.status)")
        #expect(
            tool.output.contains("looks like a key, a software statement or a token"), "\(arguments), \(secret)")
        let shown = Self.parts(of: tool.output)
        #expect(shown.isDisjoint(with: Self.parts(of: text)), "\(arguments), \(secret)")
    }

    /// Returns a Boolean value that indicates whether a row starts the program with this secret.
    ///
    /// The first three secrets start it, of which each row has one. So does each row with a variable, each that could
    /// use the store of the person at the machine, and each whose command prints its error as a verdict.
    private static func isStarted(_ arguments: [String], _ secret: Secret) -> Bool {
        let isSafe = arguments.contains("--directory") || ["sandbox", "conformance", "token"].contains(arguments[1])
        return arguments[0] != "TVE" || !isSafe || arguments.contains("verify")
            || [.key, .keyWithoutLines, .wrappedKey].contains(secret)
    }

    /// A command that expects no file gives no advice about one.
    @Test(arguments: [
        (["token", "inspect"], "The name of a file is expected, but the value looks like a key"),
        (["providers"], "The error is not printed, because it repeats a value that looks like a key"),
    ])
    func aSecret_isCalledAName_onlyWhereOneIsExpected(command: [String], beginning: String) async throws {
        let tool = try await Tool.run(command + [Self.statement])
        #expect(tool.output.hasPrefix("Error: \(beginning)"), "\(command)")
        #expect(!tool.output.contains(Self.statement), "\(command)")
    }

    /// Most rows run the code of the tool in the process of the tests, which has a command line of its own.
    @Test func aSecret_isNotPrinted_withinTheTests() async throws {
        let folder = try Folder()
        let place = ["--directory", folder.path("store")]
        let failure = try await Tool.failure(of: ["providers", Self.statement] + place)
        for tool in await [Tool.refusal(of: ["providers", Self.statement]), failure] {
            #expect(tool.output.hasPrefix("Error: The error is not printed, because it repeats"), "\(tool.output)")
            #expect(tool.status == 64)
        }
    }

    private static let statement = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJkZW1vIn0.c2lnbmF0dXJl"

    /// Returns all parts of a text that are long enough to reveal something.
    private static func parts(of text: String) -> Set<ArraySlice<UInt8>> {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return [] }
        return Set((0...bytes.count - 20).map { bytes[$0..<$0 + 20] })
    }

    /// Without its `@`, a name of two words is an incomplete statement, and one of three would be sent to the service.
    @Test(arguments: ["statement.jwt", "my.app.statement", "statement"])
    func theNameOfAFile_isNotTakenForItsStatement(name: String) async throws {
        let folder = try Folder()
        let file = try folder.file(name, "a.b.c")
        let options = ["--service", "http://127.0.0.1:1", "--directory", folder.path("store")]
        let fault = "\(file) is the name of a file, and not a software statement. Write @ before the name"
        for command in ["status", "doctor"] {
            let arguments = [command, "--statement", file] + options
            let tool = try await name == "statement.jwt" ? Tool.run(arguments) : Tool.failure(of: arguments)
            #expect(tool.status == 2 && tool.output.contains("Error: \(fault)"), "\(tool.output)")
        }
        let variable = try await Tool.run(
            ["TVE_STATEMENT=\(file)", Tool.executable.path, "status"] + options,
            of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(variable.status == 2 && variable.output.contains("Error: \(fault)"), "\(variable.output)")
        // A folder may have the name of a statement.
        let other = try await Tool.run(["status", "--statement", folder.path("")] + options)
        #expect(!other.output.contains("is the name of a file"), "\(other.output)")
    }

    /// A script with the line ends of Windows passes names with a carriage return.
    @Test(arguments: [["providers", "--statement", "@st.txt\r"], ["sandbox", "--port", "0", "--key", "k.pem\r"]])
    func aNameWithALineBreak_isNotCalledASecret(arguments: [String]) async throws {
        let tool = try await Tool.run(arguments)
        #expect(tool.output.hasPrefix("Error: The name of a file has a line break."), "\(tool.output)")
        #expect(tool.status == 2)
    }

    /// `--statement @FILE` is written so, and shells do not replace a tilde after an equals sign.
    @Test func aNameWithASignThatWasMeantForSomethingElse_isExplained() async throws {
        let folder = try Folder()
        // The folder is removed with its last use.
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("token", "x")
        for (arguments, text) in [
            (["token", "inspect", "@\(file)"], "@\(file) is not the name of a file. Leave the @ out"),
            (["token", "inspect", "@\(file)2"], "@\(file)2 cannot be read: "),
            (["conformance", "--har=~/."], "~/. cannot be opened, because the shell has left the tilde"),
            (["conformance", "--har=~/none-\(UInt64.random(in: 0 ... .max))"], "~/none-"),
        ] {
            let tool = try await Tool.run(arguments)
            #expect(tool.output.contains("Error: \(text)"), "\(tool.output)")
            #expect(tool.status == 2, "\(tool.output)")
        }
    }

    /// The folder `@token` is the name of something, though of no file.
    @Test func aNameOfAFolder_isExplainedByTheSystemAlone() async throws {
        let folder = try Folder()
        // The folder is removed with its last use.
        defer { withExtendedLifetime(folder) {} }
        _ = try folder.file("token", "x")
        try FileManager.default.createDirectory(atPath: folder.path("@token"), withIntermediateDirectories: false)
        let command = "cd '\(folder.url.path)' && '\(Tool.executable.path)' token inspect @token"
        let tool = try await Tool.run(["-c", command], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.output.contains("Error: @token cannot be read: "), "\(tool.output)")
        #expect(tool.status == 2, "\(tool.output)")
    }

    /// The file itself need not exist before it is written.
    @Test func aTildeBeforeANewFile_isExplained() {
        let name = "\(UInt64.random(in: 0 ... .max))"
        for (path, text) in [
            ("~/\(name)", "~/\(name) cannot be opened, because the shell has left the tilde"),
            ("~/\(name)/report", "~/\(name)/report cannot be written: "),
            ("/\(name)/report", "/\(name)/report cannot be written: "),
        ] {
            let failure = #expect(throws: ToolFailure.self) { try PrivateFile.replace(path, Data()) }
            #expect(failure?.description.hasPrefix(text) == true, "\(String(describing: failure))")
        }
    }

    @Test func theDoctor_repeatsNoSecretEither() async throws {
        let tool = try await Tool.run(["doctor", "--service", "http://127.0.0.1:1", "--redirect", Self.statement])
        #expect(!tool.output.contains("eyJpc3MiOiJkZW1vIn0") && tool.status == 1, "\(tool.output)")
        #expect(tool.output.contains("bad   redirect  The error is not printed, because"), "\(tool.output)")
    }

    /// For example, the directory for temporary files may be missing.
    @Test func anErrorOfTheSystem_namesItsFile() throws {
        let folder = try Folder()
        let url = URL(fileURLWithPath: try folder.file("file", "")).appendingPathComponent("folder")
        let error = #expect(throws: CocoaError.self) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        }
        let failure = TVE.Failure(error: try #require(error), arguments: [])
        #expect(failure.status == 2)
        let advice = "Check that it exists, and its permissions."
        #expect(failure.text == "Error: \(url.path) cannot be used: \(systemText(ENOTDIR)). \(advice)")
        // Some calls throw an error without a type of its own.
        let plain = TVE.Failure(error: NSError(domain: NSPOSIXErrorDomain, code: Int(EACCES)), arguments: [])
        #expect(plain.status == 2)
        #expect(plain.text == "Error: A file or a folder cannot be used: \(systemText(EACCES)). \(advice)")
    }

    @Test func anEmptyNameOfANewFile_isCalledEmpty() {
        for write in [PrivateFile.create, PrivateFile.replace] {
            let failure = #expect(throws: ToolFailure.self) { try write("", Data()) }
            #expect(failure?.description == "The name of a file is empty. Write the name in its place.")
        }
    }

    @Test(arguments: [["status", "--statement", "@"], ["sandbox", "--port", "0", "--key", ""]])
    func anEmptyName_isCalledEmpty(arguments: [String]) async throws {
        let tool = try await Tool.run(arguments)
        #expect(tool.status == 2)
        #expect(tool.output == "Error: The name of a file is empty. Write the name in its place.\n", "\(tool.output)")
    }
}
