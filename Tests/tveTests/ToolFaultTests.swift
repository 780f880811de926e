import Foundation
import TVETestTraits
import Testing

/// The texts of faults are those that the page lists, and the exit code depends on the fault alone.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ToolFaultTests {
    @Test(arguments: [
        (["household", "join"], "There is neither a code nor an account. Give the code"),
        (["household", "join", "--account", "a", "ABC"], "A code and --account do not go together. Leave one"),
        (["household", "join", "..."], "The code has no letters or digits. Type it"),
        (["household", "join", "--account", ""], "The id of the account is empty. Give the id"),
        (["household", "link", "--page", "nowhere"], "nowhere is not a URL. Give a whole address"),
        (["conformance", "--expect", "a", "--har", "b"], "--expect and --har do not go together. Leave one"),
        (["storage", "reseal", "new.key", "--unsealed"], "A store that is not sealed has no key. Leave"),
    ])
    func aWrongCommandLine_endsWith64(arguments: [String], text: String) async throws {
        let folder = try Folder()
        // The commands end before they use a store.
        let home = "XDG_DATA_HOME=\(folder.url.path)"
        let tool = try await Tool.run(
            [home, Tool.executable.path] + arguments, of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.status == 64 && tool.output.contains("Error: \(text)"), "\(tool.output)")
    }

    @Test(arguments: [
        ("TVE_TIMEOUT=soon", "TVE_TIMEOUT is soon, which is no time limit. Set it to a number of seconds"),
        ("TVE_TIMEOUT=0", "TVE_TIMEOUT is 0, which is no time limit. Set it to a number of seconds"),
        ("TVE_DIALECT=v3", "TVE_DIALECT is v3, which is neither classic nor v2. Set it"),
    ])
    func aWrongVariable_endsWith64(variable: String, text: String) async throws {
        let folder = try Folder()
        let tool = try await Tool.run(
            [
                variable, Tool.executable.path, "status", "--statement", "a.b.c", "--directory", folder.path("store"),
                "--service", "http://127.0.0.1:1",
            ], of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.status == 64 && tool.output.contains("Error: \(text)"), "\(tool.output)")
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
