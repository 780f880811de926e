import Foundation
import TVETestTraits
import Testing

/// The prompt for a password, at which the terminal does not show what is typed.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct PasswordPromptTests {
    private static let login = ["login", "--provider", "demo-cable", "--headless", "viewer"]

    @Test func controlCEndsThePasswordPrompt() async throws {
        let desk = try await Desk()
        let login = desk.full(Self.login)
        let ended = try Console()
        let process = try ended.start(login)
        _ = await ended.text(upTo: "Password: ")
        // A function that reads a line would treat the byte as a part of it.
        ended.type("se\u{3}\n")
        _ = await ended.everything()
        await process.ended()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        let console = try Console()
        let other = try console.start(login)
        _ = await console.text(upTo: "Password: ")
        // The viewer deletes a character of two bytes and one of one byte.
        console.type("secré\u{7F}eX\u{7F}t\n")
        let text = await console.everything()
        await other.ended()
        #expect(other.terminationStatus == 0 && text.contains("Logged in with demo-cable"), "\(text)")
        #expect(!text.contains("secr"), "A password is not shown.")
    }

    /// Another program may end this one, for example a shell that logs out.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignal_leavesTheTerminalAsItWas(number: Int32) async throws {
        let desk = try await Desk()
        let console = try Console()
        let process = try console.start(desk.full(Self.login))
        _ = await console.text(upTo: "Password: ")
        #expect(!console.echoes)
        kill(process.processIdentifier, number)
        _ = await console.everything()
        await process.ended()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        #expect(console.echoes)
    }
}
