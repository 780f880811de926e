import Foundation
import TVETestTraits
import Testing

/// Tests of the tool's messages about a wrong command line and about the input for which it waits.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct CommandNameTests {
    @Test(arguments: [
        (["nope"], "There is no command \"tve nope\". \"tve help\" lists them."),
        (["help", "nope"], "There is no command \"tve nope\". \"tve help\" lists them."),
        (
            ["authoriz", "X"],
            "There is no command \"tve authoriz\". Did you mean \"tve authorize\"? \"tve help\" lists them."
        ),
        (["lgoin"], "There is no command \"tve lgoin\". Did you mean \"tve login\"? \"tve help\" lists them."),
        (
            ["token", "verfy"],
            "There is no command \"tve token verfy\". Did you mean \"tve token verify\"? \"tve help token\" lists them."
        ),
        (
            ["help", "storage", "lst"],
            "There is no command \"tve storage lst\". Did you mean \"tve storage ls\"? \"tve help storage\" lists them."
        ),
        // A hidden command is never suggested.
        (["conformance-viewr"], "There is no command \"tve conformance-viewr\". \"tve help\" lists them."),
    ])
    func namesTheCommandThatWasMeant(arguments: [String], sentence: String) async throws {
        let tool = arguments == ["lgoin"] ? try await Tool.run(arguments) : await Tool.refusal(of: arguments)
        #expect(tool.status == 64 && tool.output == "Error: \(sentence)\n", "\(tool.output)")
    }

    @Test(arguments: [["help"], ["help", "token", "verify"], ["help", "login"], ["--version"], ["token", "--help"]])
    func isSilentAboutCommandsThatExist(arguments: [String]) async throws {
        let tool = try await Tool.run(arguments)
        #expect(tool.status == 0 && !tool.output.contains("no command"), "\(tool.output)")
    }

    /// A command that rejects its arguments while it runs prints its own usage.
    @Test func namesTheHelpOfTheCommand_thatRan() async throws {
        let tool = try await Tool.run(["login", "--headless", "viewer"], input: "")
        #expect(tool.status == 64, "\(tool.output)")
        #expect(tool.output.contains("Give it with --password or TVE_PASSWORD."), "\(tool.output)")
        #expect(
            tool.output.contains("Usage: tve login") && tool.output.contains("See 'tve login --help'"), "\(tool.output)"
        )
    }

    @Test func anUnknownProvider_isAnsweredWithTheKnownOnes() async throws {
        let desk = try await Desk("v2")
        let known = "The requestor works with: demo-cable, demo-fiber."
        let login = try await desk.run("login", "--provider", "nope", "--headless", "viewer", "--password", "secret")
        #expect(
            login.status == 1 && login.output.contains("no TV provider \"nope\"") && login.output.contains(known),
            "\(login.output)")
        try await desk.prepareLogin()
        // The sentence is the same whoever finds the mistake: the picker, the session or the service.
        for (option, arguments) in [
            ("--provider", ["login", "--provider", "nope", "--headless", "viewer", "--password", "secret"]),
            ("--as", ["authorize", "DEMO-1", "--as", "nope"]), ("--as", ["preauthorize", "DEMO-1", "--as", "nope"]),
        ] {
            let tool = try await desk.run(arguments)
            let sentence = "Error: There is no TV provider \"nope\" here. Name another with \(option). \(known)\n"
            #expect(tool.status == 1 && tool.output == sentence, "\(tool.output)")
        }
    }

    @Test func aTerminalIsTold_thatTheToolWaitsForAToken() async throws {
        let console = try Console()
        let process = try console.start(["token", "inspect"])
        #expect(await console.text(upTo: "Ctrl-D.").contains("Waiting for a token on standard input."))
        console.type("no token\n\u{4}")
        await process.ended()
    }
}
