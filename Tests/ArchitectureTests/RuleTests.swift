import Foundation
import Testing

/// Rules about sources, each with its exceptions and their reasons.
struct RuleTests {
    @Test(arguments: Rule.all)
    func onlyTheExceptionsBreakARule(rule: Rule) throws {
        let files = try Repository.files(rule.folder)
        #expect(files.count > 20, "The reader of sources finds nothing.")
        let broken = try files.filter { file in
            try rule.isFoundBroken(in: Repository.code(in: file))
        }
        #expect(Set(broken) == Set(rule.exceptions.keys.map { "\(rule.folder)/\($0)" }))
    }

    @Test(arguments: Rule.all)
    func findsWhatBreaksARule(rule: Rule) {
        for (source, isBroken) in rule.samples {
            #expect(rule.isFoundBroken(in: Repository.code(of: source)) == isBroken, "\(source)")
        }
    }

    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let folder: String
        /// The files that may break the rule, with the reasons.
        let exceptions: [String: String]
        /// The texts of which each source that breaks the rule contains at least one; empty to look closer at every
        /// source.
        ///
        /// A search for a text takes much less time than an expression, and excludes nearly every source. There is a
        /// broken sample with each of the texts.
        var hints: [String] = []
        let isBroken: @Sendable (_ code: String) -> Bool
        let samples: [(String, isBroken: Bool)]

        /// Returns a Boolean value that indicates whether a source breaks the rule.
        func isFoundBroken(in code: String) -> Bool {
            (hints.isEmpty || hints.contains(where: code.hasText)) && isBroken(code)
        }

        static let all = [
            untrustedJSON, printing, faults, blindWrites, taskLocals, locks, forgivingSandboxes, fullDevices,
            hostNames, machines,
        ]
    }
}

extension RuleTests.Rule {
    private static let forgivingSandboxes = Self(
        testDescription: "Tests use a strict sandbox: one that forgives hides what a client does wrong",
        folder: "Tests",
        exceptions: [
            "ArchitectureTests/RuleTests.swift": "has the samples",
            "TVEConformanceTests/Flow/FlowRunner.swift": "runs clients that break what the judge must notice",
            "TVESandboxTests/RESTv2/StrictTests.swift": "shows what a forgiving one accepts",
            "TVESandboxTests/Server/SlowClientTests.swift": "measures the server",
            "tveTests/Tool.swift": "is strict, but not throttled",
        ],
        hints: ["Sandbox(", "SandboxRoutes(", "sandbox.apply("],
        isBroken: { code in
            code.matches(of: /(?:\bSandbox|\bSandboxRoutes|sandbox\.apply)\(([^)]*)/).contains { match in
                !match.1.contains(".strict")
            }
        },
        samples: [
            ("try await Sandbox()", true), ("Sandbox(world: world, now: now)", true),
            ("SandboxRoutes(world: .demo)", true),
            ("try sandbox.apply(world)", true), ("Sandbox(world: world.strict)", false),
            ("SandboxRoutes(\n    world: .demo.strict, key: key)", false), ("sandbox.apply(world.strict)", false),
            ("// Sandbox()", false), ("func withSandbox(x: Int) {}", false), ("var world = SandboxWorld()", false),
        ])

    private static let fullDevices = Self(
        testDescription: "A test of a full device takes it from FullDevice, which knows whether the system has one",
        folder: "Tests",
        exceptions: [
            "ArchitectureTests/RuleTests.swift": "has the samples",
            "TVETestTraits/FullDevice.swift": "is the place",
        ],
        isBroken: { $0.hasText("/dev/full") },
        samples: [
            ("run(arguments, \"2> /dev/full\")", true), ("URL(fileURLWithPath: \"/dev/full\")", true),
            ("URL(fileURLWithPath: FullDevice.path)", false), ("run(arguments, \"2< /dev/null\")", false),
            ("// This fails like /dev/full.", false),
        ])

    private static let hostNames = Self(
        testDescription: "Nobody asks for this machine's names, for which macOS waits until name servers answer",
        folder: "Modules",
        exceptions: [:],
        hints: ["Host.current(", "processInfo.hostName"],
        isBroken: { $0.contains(/\bHost\.current\(|processInfo\.hostName\b/) },
        samples: [
            ("Host.current().addresses", true), ("let host = Host.current()", true),
            ("ProcessInfo.processInfo.hostName", true), ("InterfaceAddress.all", false),
            ("// Host.current() waits", false), ("request.host", false),
        ])

    private static let machines = Self(
        testDescription: "No test reads the values of the login machine, whose decisions a session's calls show",
        folder: "Tests",
        exceptions: ["ArchitectureTests/RuleTests.swift": "has the samples"],
        isBroken: { $0.hasText("LoginMachine()") || $0.hasText("LoginPoll(") },
        samples: [
            ("var machine = LoginMachine()", true), ("LoginPoll(page: page, place: place)", true),
            ("extension LoginMachine {}", false), ("// LoginMachine() has no screen", false),
        ])

    private static let untrustedJSON = Self(
        testDescription: "JSON from outside is read by UntrustedJSON, which checks its size and depth first",
        folder: "Modules",
        exceptions: [
            "TVEModels/UntrustedJSON/UntrustedJSON.swift": "is the place",
            "tve/Session/StatsCommand.swift": "a file that this tool wrote",
            "tve/Storage/StorageTransferCommands.swift": "a file that whoever runs the tool names",
        ],
        isBroken: { $0.hasText("JSONDecoder") || $0.hasText("JSONSerialization") },
        samples: [
            ("try JSONDecoder().decode(X.self, from: y)", true), ("let a = JSONDecoder()", true),
            ("  JSONSerialization.jsonObject(with: x)", true), ("/// JSONDecoder is not used here", false),
            ("JSONEncoder().encode(x)", false), ("try UntrustedJSON.decode(X.self, from: y)", false),
        ])

    private static let printing = Self(
        testDescription: "All output of tve goes through Printer, which removes control characters",
        folder: "Modules/tve",
        exceptions: [
            "Terminal/Printer.swift": "is the place",
            "Terminal/Terminal.swift": "moves the cursor for lines that count",
            "TVE.swift": "prints help and errors, cleaned line by line",
            "Demo/Timeline.swift": "colours, around texts that are clean",
        ],
        hints: ["fputs(", ".standardOutput", ".standardError", "print("],
        isBroken: { code in
            code.contains("fputs(") || code.contains(/(?:FileHandle|Output)\.standard(?:Output|Error)/)
                || code.contains(/(?m)(?:^|[^.\w])print\((?:"|String|\w+\.\w|\w+\))/)
        },
        samples: [
            ("print(\"x\")", true), ("        print(token.text)", true), ("if x { print(text) }", true),
            ("// print(\"x\")", false), ("Printer.line(text)", false), ("FileHandle.standardError.write(x)", true),
            ("FileHandle.standardInput.read()", false), ("try Output.standardOutput.write(x)", true),
            ("process.standardOutput = pipe", false), ("try LoginReport(x).print(asJSON: y)", false),
            ("func print(asJSON: Bool) {", false), ("fputs(text, stderr)", true),
        ])

    private static let faults = Self(
        testDescription: "What tve says of a fault is a case of a ToolFault, which the page of texts lists",
        folder: "Modules/tve",
        exceptions: [
            "Sandbox/SandboxCommand.swift": "prints an error of the sandbox, which the page lists",
            "Session/SessionRun.swift": "adds the known TV providers to an error of the session",
        ],
        hints: ["ToolFailure(", "ValidationError(", ".bad(\"", ".note(\""],
        isBroken: { $0.contains(/(?:ToolFailure|ValidationError)\(\s*"|\.(?:bad|note)\("\w+", "/) },
        samples: [
            ("throw ToolFailure(\"x\")", true), ("ValidationError(\n    \"x\")", true),
            (".bad(\"store\", \"x\", advice: y)", true), ("// ToolFailure(\"x\")", false),
            (".note(\"proxy\", \"x\")", true),
            ("throw ToolFailure(FileFault.exists(path))", false), ("trace.note(\"x\", from: .app)", false),
        ])

    private static let blindWrites = Self(
        testDescription: "Reading, deciding and writing happen in one step: only update and change change a store",
        folder: "Modules",
        // The changes in these files depend on no stored value.
        exceptions: [
            "TVETestSupport/Conformance/StorageConformance.swift": "tries the calls of a backend",
            "TVETestSupport/Conformance/StorageConformance+Ancestors.swift": "tries the calls of a backend",
            "TVETestSupport/Conformance/StorageConformance+Readings.swift": "sets the stage",
            "TVETestSupport/Conformance/StorageConformance+Updates.swift": "sets the stage",
            "tve/Storage/StorageEntryCommands.swift": "stores and removes what whoever runs the tool names",
            "tve/Storage/StorageTransferCommands.swift": "stores what whoever runs the tool names",
        ],
        hints: ["apply("],
        isBroken: { code in
            code.contains(
                /[^A-Za-z](?:backend|storage|store|installation|file|log|next|open\(\)|openWithKey\([^)]*\))\.apply\(/)
                || code.contains(/\btry apply\(/)
        },
        samples: [
            ("try backend.apply([.remove(key)])", true), ("    try apply(changes)", true),
            ("// store.apply(changes)", false), ("try store.update { _ in changes }", false),
            ("expected.apply(change)", false),
        ])

    /// The rule that a task-local variable has no closure as its value.
    ///
    /// Swift 6.3 compiles it without a diagnostic, and the tests pass, but an optimized program crashes when it sets
    /// the variable.
    private static let taskLocals = Self(
        testDescription: "No task-local variable has a closure as its value",
        folder: "Modules",
        exceptions: [:],
        hints: ["TaskLocal"],
        isBroken: { code in code.contains(/TaskLocal<[^>\n]*->|@TaskLocal[^\n=]*->/) },
        samples: [
            ("let check = TaskLocal<(@Sendable () -> Bool)?>(wrappedValue: nil)", true),
            ("@TaskLocal static var check: (@Sendable () -> Bool)?", true),
            ("let limit = TaskLocal<Duration?>(wrappedValue: nil)", false),
        ])

    /// The rule that no code of others runs under a lock.
    ///
    /// Resuming or cancelling a task takes the runtime's lock of that task, which another thread may hold while its
    /// cancellation handler waits for our lock.
    private static let locks = Self(
        testDescription: "Nobody else's code runs under a lock",
        folder: "Modules",
        // The reasons state why no handler waits for these locks.
        exceptions: [
            "TVEModels/Sharing/Broadcast.swift": "the end of a stream takes another lock, under which nothing happens",
            "AccessEnabler/Calls/CallQueue.swift": "nothing cancels the task that reads the line",
        ],
        hints: ["withLock", "withPresent", "withTables"],
        isBroken: { code in
            // Creating an expression takes as long as a search in a source.
            let call = /\.(?:resume|yield|finish|cancel|cancelAll)\(/
            return lockedCode(in: code).contains { $0.contains(call) }
        },
        samples: [
            ("state.withLock { $0.caller?.resume() }", true), ("withPresent { $0.finish() }", true),
            ("withTables { tables, _ in tables.caller?.cancel() }", true),
            ("state.withLock { state in\n    if a { b() }\n    state.task.cancel()\n}", true),
            ("let caller = state.withLock { $0.caller }\ncaller?.resume()", false),
            ("state.withLock { $0.take() }?.resume()", false),
        ])

    /// Returns the bodies of all closures that run under a lock.
    private static func lockedCode(in source: String) -> [Substring] {
        source.matches(of: /with(?:Lock|Present|Tables)\b *\(? *\{/).map { match in
            var depth = 1
            var end = match.range.upperBound
            while depth > 0, end < source.endIndex {
                if source.utf8[end] == UInt8(ascii: "{") { depth += 1 }
                if source.utf8[end] == UInt8(ascii: "}") { depth -= 1 }
                end = source.utf8.index(after: end)
            }
            return source[match.range.upperBound..<end]
        }
    }
}
