import Foundation
import TVESandbox
import TVETestTraits
import Testing

/// Tests of every command that the tool lists, each in surroundings in which something is wrong.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct EveryCommandTests {
    /// A fault in the surroundings of a command.
    enum Surrounding: CaseIterable {
        case nothing, fullOutput, closedOutput, fullErrors, closedErrors, noNetwork, wrongScheme, narrowDumbTerminal

        /// A Boolean value that indicates whether this system can put a command into these surroundings.
        var isPossible: Bool { FullDevice.isThere || ![.fullOutput, .fullErrors].contains(self) }
    }

    /// A command with the arguments that it needs, in a folder with a store, a token and the token's key.
    struct Row: Sendable {
        let command: String
        var more: [String] = []
        /// A Boolean value that indicates whether the command prints facts.
        var prints = true
        /// A Boolean value that indicates whether the command writes messages for a person.
        var notes = false
        /// The exit code, which is 1 if the answer is no.
        var answer: Int32 = 0
        /// The exit code without a network.
        var offline: Int32 = 2
        /// A Boolean value that indicates whether the command prints facts without a network too, such as the step that
        /// fails.
        var printsOffline = false
        /// A Boolean value that indicates whether the command runs until a signal ends it.
        var isEndless = false
        var surroundings = Surrounding.allCases

        var arguments: [String] { command.split(separator: " ").map(String.init) + more }
    }

    private static let lostOutput: [Surrounding] = [.fullOutput, .closedOutput]

    static let rows = [
        // This command runs twenty programs one after the other, so it begins first.
        Row(
            command: "demo-sso",
            surroundings: LongTests.areOn ? Surrounding.allCases : [.fullOutput, .narrowDumbTerminal]),
        Row(command: "demo-household"), Row(command: "demo", printsOffline: true),
        Row(command: "demo", more: ["--json"], surroundings: lostOutput),
        Row(command: "sandbox", more: ["--port", "0"], isEndless: true),
        Row(command: "sandbox", more: ["--port", "0", "--json"], isEndless: true),
        Row(command: "conformance", more: ["--har", "recording"]),
        Row(command: "conformance", more: ["--har", "recording", "--json"], surroundings: lostOutput),
        Row(command: "conformance-viewer", more: ["http://127.0.0.1:1/"], prints: false),
        Row(command: "doctor", notes: true, offline: 1, printsOffline: true),
        Row(
            command: "login",
            more: ["--provider", "demo-cable", "--headless", "viewer", "--password", "secret", "--force"]),
        Row(command: "status"), Row(command: "providers"), Row(command: "authorize", more: ["DEMO-1"]),
        Row(command: "preauthorize", more: ["DEMO-1"]), Row(command: "metadata", more: ["zip"]),
        Row(command: "logout", offline: 0, printsOffline: true),
        Row(command: "household"), Row(command: "household status", offline: 0, printsOffline: true),
        Row(command: "household link", notes: true),
        Row(command: "household devices"),
        Row(command: "household join", more: ["--account", "a"]),
        Row(command: "household unlink", more: ["id"], answer: 1),
        Row(command: "household leave", offline: 0, printsOffline: true),
        Row(command: "stats"), Row(command: "token"), Row(command: "token inspect", more: ["token"]),
        Row(command: "token verify", more: ["--key", "key", "token"]), Row(command: "storage"),
        Row(command: "storage path"), Row(command: "storage ls"),
        Row(command: "storage ls", more: ["--json"], surroundings: lostOutput),
        Row(command: "storage get", more: ["a"]),
        Row(command: "storage get", more: ["a", "--show-secrets"], surroundings: lostOutput),
        Row(command: "storage put", more: ["b"], prints: false), Row(command: "storage rm", more: ["a"], prints: false),
        Row(command: "storage check"), Row(command: "storage import", more: ["lines"], prints: false),
        Row(command: "storage export", more: ["-"]), Row(command: "storage reseal", more: ["new.key"]),
        Row(
            command: "sharing-app",
            more: ["--statement", "STATEMENT", "--bundle", "a", "--team", "b", "--boards", "boards"]),
        Row(command: "help"), Row(command: ""), Row(command: "", more: ["--version"], surroundings: lostOutput),
        Row(command: "", more: ["--generate-completion-script", "bash"], surroundings: lostOutput),
    ]

    @Test func keepsItsPromises_whateverIsWrongAroundIt() async throws {
        let commands = try await ListedCommand.all()
        #expect(Set(commands.keys) == Set(Self.rows.map(\.command)), "Each command needs a row here.")
        let desk = try await Desk("v2")
        let model = desk.folder.url.appendingPathComponent("model")
        try await prepare(model, desk)
        let work = Self.rows.map { row in
            Work(
                row: row, options: commands[row.command] ?? [], model: model,
                service: desk.sandbox.baseURL.absoluteString,
                statement: desk.sandbox.softwareStatement)
        }
        // These commands run last, because they end the login or the membership in the household for all copies.
        let enders = ["login", "logout", "household leave"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, work) in work.enumerated() where !enders.contains(work.row.command) {
                if number >= 4 { try await group.next() }
                group.addTask { try await work.check(number) }
            }
            try await group.waitForAll()
        }
        for work in work where enders.contains(work.row.command) { try await work.check(0) }
    }

    private func prepare(_ model: URL, _ desk: Desk) async throws {
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: false)
        let store = ["--directory", model.appendingPathComponent("store").path]
        #expect(try await desk.logIn(store[0], store[1]).status == 0)
        #expect(try await desk.run(["household", "join", "--account", "a"] + store).status == 0)
        let token = try await desk.run(["authorize", "DEMO-1"] + store).output
        #expect(try await Tool.run(["storage", "put", "a"] + store, input: "value").status == 0)
        let recording = #"""
            {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-11-24T04:00:00.000Z","time":3,\#
            "request":{"method":"POST","url":"https://sp.example/o/client/register","headers":[]},\#
            "response":{"status":200,"headers":[],"content":{"size":2,"text":"{}"}}}]}}
            """#
        for (name, text) in [
            ("token", token), ("key", try SandboxKey.ofThisProcess.get().publicKeyPEM), ("recording", recording),
            ("lines", "{\"key\":\"c\",\"value\":\"AA==\"}\n"),
        ] { try Data(text.utf8).write(to: model.appendingPathComponent(name)) }
    }
}

/// A command in the tool's own description, with the names of its options and its subcommands.
private struct ListedCommand: Decodable {
    private struct Description: Decodable { let command: ListedCommand }
    private struct Argument: Decodable {
        struct Name: Decodable { let name: String }
        let preferredName: Name?
    }

    private let commandName: String
    private let subcommands: [ListedCommand]?
    private let arguments: [Argument]?

    static func all() async throws -> [String: Set<String>] {
        let description = try await Tool.run(["--experimental-dump-help"]).output
        let root = try JSONDecoder().decode(Description.self, from: Data(description.utf8)).command
        return Dictionary(uniqueKeysWithValues: root.commands(below: []))
    }

    private func commands(below path: [String]) -> [(String, Set<String>)] {
        let options = Set((arguments ?? []).compactMap(\.preferredName?.name))
        return [(path.joined(separator: " "), options)]
            + (subcommands ?? []).flatMap { $0.commands(below: path + [$0.commandName]) }
    }
}

/// The test of one command in its surroundings.
private struct Work: Sendable {
    let row: EveryCommandTests.Row
    let options: Set<String>
    let model: URL
    let service: String
    let statement: String

    private struct End {
        /// The exit code, or the negative number of the signal that ended the command.
        let code: Int32
        let output, errors: String
    }

    /// Tests the command in its surroundings.
    ///
    /// With `TVE_LONG_TESTS=1` these are all surroundings of the row that this system has. Otherwise they are a third
    /// of them or one of two, and differ between commands.
    func check(_ number: Int) async throws {
        let surroundings = row.surroundings.filter(\.isPossible)
        let share = min(3, surroundings.count)
        for (place, surrounding) in surroundings.enumerated()
        where LongTests.areOn || (number + place) % share == 0 {
            try await check(surrounding)
        }
    }

    private func check(_ surrounding: EveryCommandTests.Surrounding) async throws {
        switch surrounding {
        case .nothing:
            let end = try await run()
            expect(end, code: row.answer, in: surrounding)
            #expect(end.errors.isEmpty == !row.notes, "\(row.arguments): \(end.errors)")
        case .fullOutput, .closedOutput:
            let end = try await run(surrounding == .fullOutput ? "> \(FullDevice.path)" : ">&-")
            expect(end, code: row.prints ? 2 : 0, in: surrounding, prints: false)
            let reason = surrounding == .fullOutput ? "No space left on device" : "Bad file descriptor"
            let says = end.errors.contains("Error: Standard output cannot be written: \(reason) (error ")
            #expect(says == row.prints, "\(row.arguments), \(surrounding): \(end.errors)")
        case .fullErrors, .closedErrors:
            let end = try await run(surrounding == .fullErrors ? "2> \(FullDevice.path)" : "2>&-")
            expect(end, code: row.notes ? 2 : row.answer, in: surrounding)
        case .noNetwork:
            guard options.contains("service") else { return }
            let end = try await run(service: "http://127.0.0.1:1")
            expect(end, code: row.offline, in: surrounding, prints: row.printsOffline)
        case .wrongScheme:
            guard options.contains("service") else { return }
            let end = try await run(service: "ftp://127.0.0.1:1")
            expect(end, code: 64, in: surrounding, prints: false)
            #expect(end.errors.contains("Error: ftp://127.0.0.1:1 is not a service URL."), "\(end.errors)")
        case .narrowDumbTerminal: try await checkTerminal()
        }
    }

    private func expect(
        _ end: End, code: Int32, in surrounding: EveryCommandTests.Surrounding, prints: Bool? = nil
    ) {
        let text = "\(row.arguments), \(surrounding): \(end.code), \(end.output.prefix(2_000)), \(end.errors)"
        #expect(end.code == code && end.output.isEmpty == !(prints ?? row.prints), "\(text)")
        #expect(!end.errors.contains("Fatal error") && !end.output.contains("\u{1B}"), "\(text)")
    }

    private func checkTerminal() async throws {
        let console = try Console()
        let process = try console.start(
            ["-c", try script("", "unset NO_COLOR; COLUMNS=40 TERM=dumb"), Tool.executable.path] + arguments(service),
            of: URL(fileURLWithPath: "/bin/sh"))
        if row.isEndless {
            _ = await console.text(upTo: "\n")
            process.terminate()
        }
        let text = await console.everything()
        await process.ended()
        #expect(
            process.terminationReason == .exit && process.terminationStatus == row.answer,
            "\(row.arguments): \(text)")
        #expect(!text.contains("\u{1B}"), "\(row.arguments): \(text.debugDescription)")
        // JSON, tokens and long words are not broken.
        for line in text.components(separatedBy: "\r\n") where line.count > 40 && !"{<".contains(line.prefix(1)) {
            #expect(line.split(separator: " ").count == 1, "\(row.arguments): \(line)")
        }
    }

    private func run(_ redirection: String = "", service: String? = nil) async throws -> End {
        let errors = model.deletingLastPathComponent().appendingPathComponent("errors-\(UUID().uuidString)")
        let process = Process()
        let output = Tool.pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = try script("2> '\(errors.path)' \(redirection)")
        process.arguments = ["-c", script, Tool.executable.path] + arguments(service ?? self.service)
        process.standardOutput = output
        process.environment = Tool.environment
        try Tool.launch(process)
        var text = Data()
        if row.isEndless {
            text = await output.read(lines: 1)
            if !text.isEmpty { process.terminate() }
        }
        text += await output.read(lines: .max)
        await process.ended()
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return End(
            code: code, output: String(decoding: text, as: UTF8.self),
            errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
    }

    /// Returns a shell script that runs a command in a new copy of the folder.
    private func script(_ redirection: String, _ variables: String = "") throws -> String {
        let place = model.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: model, to: place)
        return "cd '\(place.path)'; \(variables) exec \"$0\" \"$@\" </dev/null \(redirection)"
    }

    private func arguments(_ service: String) -> [String] {
        row.arguments.map { $0 == "STATEMENT" ? statement : $0 }
            + (options.contains("service") ? ["--service", service] : [])
            + (options.contains("directory") ? ["--directory", "store"] : [])
    }
}
