import Foundation
import TVETestTraits
import Testing

/// A login on the command line after a forced one that has failed.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ForcedLoginCommandTests {
    @Test func aLoginAfterARefusedOne_isNew() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        #expect(try await desk.logIn("--force", password: "wrong").status == 1)
        let login = try await desk.logIn()
        #expect(login.status == 0 && login.output.contains("Logged in with demo-cable until "), "\(login.output)")
        #expect(!login.output.contains("No login page was shown"), "\(login.output)")
        #expect(try await desk.run("authorize", "DEMO-1").status == 0)
    }
}
