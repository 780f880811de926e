import Foundation
import TVEStorage
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct StorageCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var store: URL { folder.url.appendingPathComponent("store") }

    private func run(_ arguments: String..., input: String? = nil) async throws -> Tool {
        try await Tool.run(["storage"] + arguments + ["--directory", store.path], input: input)
    }

    /// Runs a command in this process, for a test whose other steps start the program.
    private func inThisProcess(_ arguments: String...) async throws -> Tool {
        try await Tool.failure(of: ["storage"] + arguments + ["--directory", store.path])
    }

    private func sealed() throws -> SealedStorage {
        SealedStorage(FileStorage(directory: store), key: try SealingKey.file(FileStorage.sealingKey(in: store)))
    }

    @Test func putsListsGetsAndRemoves() async throws {
        #expect(try await run("put", "a/b", input: "a secret value").status == 0)
        #expect(try sealed().value(for: StorageKey("a", "b")) == Data("a secret value".utf8))
        let list = try await run("ls")
        #expect(list.status == 0 && list.output.contains("a/b") && !list.output.contains("secret"))
        let hidden = try await run("get", "a/b")
        #expect(hidden.output == "14 bytes (hidden; --show-secrets shows them)\n")
        #expect(try await run("get", "a/b", "--show-secrets").output == "a secret value")
        let unknown = try await run("get", "a/c")
        #expect(unknown.status == 1, "\(unknown.output)")
        #expect(unknown.output == "Error: There is no entry a/c. \"tve storage ls\" lists the keys.\n")
        #expect(try await run("rm", "a", "-r").status == 0)
        #expect(try await inThisProcess("get", "a/b").status == 1)
        #expect(try await run("path").output.hasPrefix(store.path))
    }

    @Test func checks_andSaysWhatIsWrong() async throws {
        try sealed().apply([.put(StorageKey("device", "seed"), Data("x".utf8))])
        let good = try await run("check")
        #expect(good.status == 0 && good.output.contains("1 value checked"))
        try sealed().apply([.put(StorageKey("requestor", "P", "f", "mvpd", "M", "authn"), Data("rubbish".utf8))])
        let found = try await run("check")
        #expect(
            found.status == 1 && found.output.contains("\"tve storage check --mode repair\" moves aside"),
            "\(found.output)")
        let repaired = try await run("check", "--mode", "repair")
        #expect(repaired.status == 1)
        #expect(repaired.output.contains("requestor/P/f/mvpd/M/authn: The value is not valid for this entry."))
        #expect(!repaired.output.contains("rubbish") && !repaired.output.contains("moves aside"))
        #expect(try await inThisProcess("check").status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.path)
        #expect(try await inThisProcess("check").status == 2)
    }

    @Test(arguments: [false, true]) func repairsTheFile_andKeepsItsEntries(isHeader: Bool) async throws {
        try sealed().apply([.put(StorageKey("device", "seed"), Data("x".utf8))])
        let file = store.appendingPathComponent("entitlements.store")
        let handle = try FileHandle(forUpdating: file)
        if !isHeader { _ = try handle.seekToEnd() }
        try handle.write(contentsOf: Data(repeating: 0xAA, count: isHeader ? 8 : 4_096))
        try handle.close()
        let bad = try Data(contentsOf: file)
        #expect(try await inThisProcess("check").status == 1)
        let repaired = try await run("check", "--mode", "repair")
        #expect(repaired.status == 1 && repaired.output.contains("0 of 1 value moved aside"), "\(repaired.output)")
        #expect(try await inThisProcess("check").status == 0)
        #expect(try sealed().value(for: StorageKey("device", "seed")) == Data("x".utf8))
        #expect(try Data(contentsOf: store.appendingPathComponent("entitlements.damaged")) == bad)
    }

    @Test func resealsWithANewKey_andTheOldOneOpensNothing() async throws {
        for name in ["a", "b"] { try sealed().apply([.put(StorageKey(name), Data("value \(name)".utf8))]) }
        let new = folder.path("new.key")
        let resealed = try await run("reseal", new)
        #expect(resealed.status == 0 && resealed.output == "2 values resealed with \(new).\n")
        #expect(try await run("get", "a", "--show-secrets").status != 0)
        #expect(try await run("get", "b", "--show-secrets", "--key-file", new).output == "value b")
        // The command can be repeated, but nothing is left to reseal.
        #expect(try await run("reseal", new, "--key-file", new).output.hasPrefix("0 values"))
        #expect(try await run("reseal", new, "--unsealed").status != 0)
    }

    /// The new key is in an ordinary folder, to which others have access.
    @Test func resealsWithAKey_inAnyFolder() async throws {
        try sealed().apply([.put(StorageKey("a"), Data("value".utf8))])
        let ordinary = folder.url.appendingPathComponent("ordinary")
        try FileManager.default.createDirectory(
            at: ordinary, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let new = ordinary.appendingPathComponent("new.key").path
        let tool = try await run("reseal", new)
        #expect(tool.status == 0, "\(tool.output)")
        #expect(try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int == 0o600)
        #expect(try await run("get", "a", "--show-secrets", "--key-file", new).output == "value")
        let wrong = try await run("reseal", ordinary.path, "--key-file", new)
        #expect(wrong.status == 2 && wrong.output.contains(ordinary.path), "\(wrong.output)")
    }

    /// Each command that uses the store explains the fault, names the path and the next step, and exits with 2.
    @Test(arguments: [
        ("open", "Other users may read or write STORE,", "chmod go-rwx", [["put", "a"]]),
        ("open key", "Other users may read or write STORE/sealing.key,", "chmod go-rwx", users),
        ("short key", "STORE/sealing.key is not a sealing key: it must have 32 bytes.", "Put the right file", users),
        (
            "other key", "The sealing key at STORE/sealing.key is missing or is not the key of the store at STORE.",
            "Put the right file", users + [["get", "a"], ["import", "-"]]
        ),
        ("file", "STORE cannot be part of a store", "Move it away", users + [["ls"], ["import", "-"]]),
        ("pipe", "STORE/entitlements.store cannot be part of a store", "Move it away", users + [["ls"]]),
    ])
    func saysWhatIsWrongWithAStore_andWhatToDo(
        fault: String, cause: String, nextStep: String, commands: [[String]]
    ) async throws {
        let desk = try await Desk()
        let store = desk.store
        let key = store + "/sealing.key"
        let files = FileManager.default
        if fault != "open" { try await desk.prepareLogin() }
        switch fault {
        case "open":
            try files.createDirectory(
                atPath: store, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        case "open key": try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        case "other key": try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: key))
        case "short key": try FileHandle(forWritingTo: URL(fileURLWithPath: key)).truncate(atOffset: 7)
        case "file":
            try files.removeItem(atPath: store)
            _ = try desk.folder.file("store", "text")
        default:
            try files.removeItem(atPath: store + "/entitlements.store")
            unsafe #expect(mkfifo(store + "/entitlements.store", 0o600) == 0)
        }
        let cause = cause.replacing("STORE", with: store)
        let file = try? Data(contentsOf: URL(fileURLWithPath: store + "/entitlements.store"))
        for command in [
            ["status"], ["login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret"],
            ["authorize", "DEMO-1"], ["logout"],
        ] {
            // The first fault starts the program, and so does a pipe, for whose other end a tool could wait for ever.
            // The others run the tool's code in this process.
            let tool = try await ["open", "pipe"].contains(fault) ? desk.run(command) : desk.failure(of: command)
            #expect(tool.status == 2, "\(command): \(tool.output)")
            #expect(tool.output.contains(cause) && tool.output.contains(nextStep), "\(command): \(tool.output)")
        }
        let doctor = try await desk.run("doctor")
        #expect(doctor.status == 1 && doctor.output.contains("bad   store     \(cause)"), "\(doctor.output)")
        for command in commands {
            let tool = try await Tool.run(["storage"] + command + ["--directory", store], input: "")
            #expect(tool.status == 2, "\(command): \(tool.output)")
            #expect(tool.output.contains(cause) && tool.output.contains(nextStep), "\(command): \(tool.output)")
        }
        // With the right key the viewer is still logged in.
        guard fault == "other key" else { return }
        #expect(try file == Data(contentsOf: URL(fileURLWithPath: store + "/entitlements.store")))
    }

    /// The commands that need the key.
    private static let users = [["put", "a"], ["export", "-"], ["check"]]

    @Test func doctorRefusesAStore_thatCannotBeMade() async throws {
        let file = try folder.file("file", "")
        let desk = try await Desk()
        for place in ["\(file)/store", "\(file)/a/b"] {
            let tool = try await desk.run("doctor", "--directory", place)
            #expect(tool.status == 1 && tool.output.contains("bad   store     The store at \(place) cannot be written"))
            let status = ["status", "--directory", place]
            let login = try await place.hasSuffix("/store") ? desk.run(status) : desk.failure(of: status)
            #expect(login.status == 2 && login.output.contains("Not a directory"), "\(login.output)")
        }
        #expect(try await inThisProcess("check").status == 2, "There is no store.")
    }

    @Test func importsInFewSteps_andRefusesWhatCannotBeRead() async throws {
        let count = 1_000
        let lines = (0..<count).map { "{\"key\":\"k/\($0)\",\"value\":\"AA==\"}\n" }.joined()
        let file = try folder.file("lines", lines)
        #expect(try await run("import", file).status == 0)
        #expect(try sealed().keys(under: StorageKey("k")).count == count)
        // Each step is a separate record, so a thousand steps need more space.
        let size = { (store: String) in
            try FileManager.default.attributesOfItem(atPath: "\(store)/entitlements.store")[.size] as? Int ?? 0
        }
        let other = folder.path("one by one")
        let verbose = try await Tool.run(["storage", "import", file, "--verbose", "--directory", other])
        #expect(verbose.status == 0 && verbose.output.split(separator: "\n").count == count)
        #expect(try size(store.path) < size(other))
        let directory = try await run("import", folder.url.path)
        #expect(directory.status == 2 && directory.output.contains("Is a directory"), "\(directory.output)")
        let none = try await inThisProcess("import", folder.path("none"))
        #expect(none.status == 2 && none.output.contains("No such file"), "\(none.output)")
    }

    @Test func saysOnATerminal_howManyEntriesItHasImported() async throws {
        let lines = (0..<100).map { "{\"key\":\"k/\($0)\",\"value\":\"AA==\"}\n" }.joined()
        let console = try Console()
        let process = try console.start(
            ["storage", "import", try folder.file("lines", lines), "--directory", store.path],
            environment: ["TERM": "xterm"])
        let text = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 0 && text.contains("imported 100 entries"), "\(text)")
    }

    @Test func usesTheHomeOfItsEnvironment() async throws {
        let tool = try await Tool.run(
            ["-c", "unset XDG_DATA_HOME; HOME='\(folder.url.path)' exec '\(Tool.executable.path)' storage path"],
            of: URL(fileURLWithPath: "/bin/sh"))
        #if !canImport(Darwin)
        #expect(tool.output.hasPrefix("\(folder.url.path)/.local/share/swift-access-enabler/tve\n"), "\(tool.output)")
        #endif
    }

    @Test func makesNoStoreAndNoKey_byMistake() async throws {
        #expect(try await run("ls").status != 0)
        #expect(try await inThisProcess("check").status != 0)
        #expect(!FileManager.default.fileExists(atPath: store.path))
        try sealed().apply([.put(StorageKey("device", "seed"), Data("x".utf8))])
        let other = folder.path("other.key")
        for command in [["check", "--mode", "all"], ["ls"], ["get", "device/seed"]] {
            let arguments = ["storage"] + command + ["--directory", store.path, "--key-file", other]
            let tool = try await command[0] == "check" ? Tool.run(arguments) : Tool.failure(of: arguments)
            #expect(tool.status != 0 && tool.output.contains("no sealing key"))
        }
        #expect(!FileManager.default.fileExists(atPath: other))
        #expect(try sealed().value(for: StorageKey("device", "seed")) == Data("x".utf8))
    }

    @Test func exportsForTheOwnerAlone_andImportsAgain() async throws {
        try sealed().apply([.put(StorageKey("a", "b/c"), Data([0, 255])), .put(StorageKey("d"), Data())])
        let file = folder.path("export")
        #expect(try await run("export", file).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await inThisProcess("export", file).status != 0)
        try sealed().removeEverything()
        #expect(try await run("import", file, "--verbose").output == "a/b%2Fc\nd\n")
        #expect(try sealed().value(for: StorageKey("a", "b/c")) == Data([0, 255]))
        #expect(try sealed().value(for: StorageKey("d")) == Data())
        // An editor on Windows has added empty lines, and a second one after the last entry.
        let entries = "\r\n{\"key\":\"e\",\"value\":\"AA==\"}\r\n \t\r\n{\"key\":\"f\",\"value\":\"AQ==\"}\r\n\n"
        #expect(try await run("import", "-", input: entries).status == 0)
        #expect(try sealed().value(for: StorageKey("f")) == Data([1]))
        let broken = try await run("import", "-", input: "\n{\"key\":\"e\",\"value\":\"AA==\"}\nrubbish\n")
        #expect(broken.status != 0 && broken.output.contains("Line 3"))
        #expect(try sealed().value(for: StorageKey("e")) == Data([0]))
    }

    /// The last two encodings write no byte order mark.
    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func importsNothing_ofAFileInUTF16(encoding: String.Encoding) async throws {
        let entries = "{\"key\":\"e\",\"value\":\"AA==\"}\r\n{\"key\":\"f\",\"value\":\"AQ==\"}\r\n"
        let file = folder.path("wide")
        try #require(entries.data(using: encoding)).write(to: URL(fileURLWithPath: file))
        let refused = try await Tool.failure(of: ["storage", "import", file, "--directory", store.path])
        #expect(refused.status == 2)
        #expect(refused.output.contains("\(file) is text in UTF-16 instead of UTF-8; nothing was stored."))
        #expect(!FileManager.default.fileExists(atPath: "\(store.path)/entitlements.store"))
    }

    /// Some shells append text in UTF-16 to a file in UTF-8.
    @Test func importsNoLineInUTF16_afterOthers() async throws {
        var lines = Data("{\"key\":\"e\",\"value\":\"AA==\"}\n".utf8)
        lines += try #require("{\"key\":\"f\",\"value\":\"AQ==\"}\n".data(using: .utf16LittleEndian))
        let file = folder.path("joined")
        try lines.write(to: URL(fileURLWithPath: file))
        let refused = try await Tool.failure(of: ["storage", "import", file, "--directory", store.path])
        #expect(refused.status == 2 && refused.output.contains("Line 2 is not an entry"), "\(refused.output)")
        #expect(try sealed().keys(under: .everything) == [StorageKey("e")])
    }

    /// The number of rounds, which is large with `TVE_LONG_TESTS=1`.
    private static let rounds = LongTests.areOn ? 1_000 : 8

    /// A writing process is killed at random moments, after which no acknowledged value is lost and no incomplete value
    /// is visible.
    @Test func losesNothingAcknowledged_whenAWriterIsKilled() async throws {
        var acknowledged = 0
        for round in 0..<Self.rounds {
            let lines = (0..<400).map { number in
                let value = Data("\(round)-\(number)-".utf8) + Data(repeating: UInt8(number & 255), count: number * 7)
                return "{\"key\":\"k/\(number % 40)\",\"value\":\"\(value.base64EncodedString())\"}\n"
            }
            // A file, because a pipe to a process that has ended would send this one the signal SIGPIPE.
            let file = try folder.file("input", lines.joined())
            let (writer, output) = try Tool.start(
                ["storage", "import", "-", "--verbose", "--directory", store.path],
                input: FileHandle(forReadingFrom: URL(fileURLWithPath: file)))
            // The process is killed after a number of acknowledgements, and not after a time.
            var text = await output.read(lines: Int.random(in: 0...350))
            kill(writer.processIdentifier, SIGKILL)
            text += await output.read(lines: .max)
            await writer.ended()
            let count = text.count { $0 == UInt8(ascii: "\n") }
            acknowledged += count
            try check(round, acknowledged: count)
        }
        #expect(acknowledged > 0)
    }

    /// Checks that every key with an acknowledged value has a complete value of this round that is at least as new.
    private func check(_ round: Int, acknowledged: Int) throws {
        let storage = try sealed()
        for slot in 0..<min(40, acknowledged) {
            let newest = (slot..<acknowledged).last { $0 % 40 == slot } ?? slot
            let value = try #require(try storage.value(for: StorageKey("k", "\(slot)")))
            let parts = String(decoding: value.prefix(16), as: UTF8.self).split(separator: "-").compactMap { Int($0) }
            let number = try #require(parts.dropFirst().first)
            #expect(parts.first == round && number % 40 == slot && number >= newest)
            let expected = Data("\(round)-\(number)-".utf8) + Data(repeating: UInt8(number & 255), count: number * 7)
            #expect(value == expected)
        }
        if let damage = try storage.damage() { #expect(damage == .truncated) }
    }

    /// If there is no space left, the write fails and nothing has changed.
    @Test func losesNothing_whenTheFileMayNotGrow() async throws {
        try sealed().apply([.put(StorageKey("a"), Data("first".utf8))])
        let large = try folder.file("large", String(repeating: " ", count: 1 << 20))
        let command =
            "trap '' XFSZ; ulimit -f 64; "
            + "exec '\(Tool.executable.path)' storage put b --directory '\(store.path)' < '\(large)'"
        let failed = try await Tool.run(["-c", command], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(failed.status != 0 && failed.output.contains("\(EFBIG)"))
        #expect(try sealed().value(for: StorageKey("a")) == Data("first".utf8))
        #expect(try sealed().value(for: StorageKey("b")) == nil)
        #expect(try sealed().damage() == nil)
        #expect(try await run("put", "b", input: "second").status == 0)
        #expect(try sealed().value(for: StorageKey("b")) == Data("second".utf8))
    }

    /// A line for which there is no memory must not look like the end of the file.
    @Test func importFails_ifALineDoesNotFitIntoMemory() async throws {
        func limited(_ arguments: [String]) async throws -> Tool {
            let command = "ulimit -v 400000 || exit 9; exec \"$0\" \"$@\""
            return try await Tool.run(
                ["-c", command, Tool.executable.path] + arguments, of: URL(fileURLWithPath: "/bin/sh"))
        }
        // Some systems have no such limit, and a program with a sanitizer does not start below it.
        guard try await limited(["--version"]).status == 0 else { return }
        let file = try folder.file("long", #"{"key":"a","value":"MQ=="}"# + "\n")
        // The rest is a hole, which takes no space on the disk.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.truncate(atOffset: 600 << 20)
        try handle.close()
        let failed = try await limited(["storage", "import", file, "--directory", store.path])
        #expect(failed.status == 2 && failed.output.contains("\(file) cannot be read: "), "\(failed.output)")
        #expect(try sealed().value(for: StorageKey("a")) == Data("1".utf8))
    }

    /// If two processes write at the same time, all values of both are stored.
    @Test func losesNothing_ofTwoProcessesThatWriteAtOnce() async throws {
        let count = LongTests.areOn ? 2_000 : 200
        func lines(_ name: String) -> String {
            (0..<count).map { "{\"key\":\"\(name)/\($0)\",\"value\":\"AA==\"}\n" }.joined()
        }
        let arguments = ["storage", "import", "-", "--directory", store.path]
        let one = lines("first")
        let other = lines("second")
        async let first = Tool.run(arguments, input: one)
        async let second = Tool.run(arguments, input: other)
        #expect(try await first.status == 0)
        #expect(try await second.status == 0)
        let storage = try sealed()
        for name in ["first", "second"] { #expect(try storage.keys(under: StorageKey(name)).count == count) }
        #expect(try storage.damage() == nil)
    }
}
