import Foundation
import TVEModels
import TVESandbox
import TVETestTraits
import Testing

/// The logout of one TV provider.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LogoutCommandTests {
    @Test(arguments: ["classic", "v2"])
    func refusesAProviderThatTheRequestorDoesNotHave(dialect: String) async throws {
        let desk = try await Desk(dialect)
        try await desk.prepareLogin()
        for id in ["demo-cabel", "", ".."] {
            let logout = ["logout", "--as", id]
            let typo = try await id == "demo-cabel" ? desk.run(logout) : desk.failure(of: logout)
            #expect(typo.status == 1, "\(typo.output)")
            #expect(
                typo.output.contains(
                    "Error: There is no TV provider \"\(id)\" here. Name another with --as. "
                        + "The requestor works with: demo-cable, demo-fiber."), "\(typo.output)")
            #expect(try await desk.exitCode(of: "status") == 0, "\(id)")
        }
    }

    /// No request can contain such an id, so this is no outage.
    @Test func aPermissionAsNobody_isRefused() async throws {
        let desk = try await Desk("v2")
        for id in ["", "."] {
            let authorize = ["authorize", "--as", id, "DEMO-1"]
            let tool = try await id.isEmpty ? desk.run(authorize) : desk.failure(of: authorize)
            #expect(tool.status == 1 && tool.output.contains("works with: demo-cable, demo-fiber."), "\(tool.output)")
        }
    }

    @Test func says_whetherAnotherLoginStays() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        let other = ["login", "--provider", "demo-fiber", "--headless", "viewer", "--password", "secret"]
        #expect(try await desk.run(other).status == 0)
        let first = try await desk.run("logout", "--as", "demo-cable", "--json")
        #expect(first.output == "{\"authenticated\":true}\n", "\(first.output)")
        let second = try await desk.run("logout", "--as", "demo-fiber", "--json")
        #expect(second.output == "{\"authenticated\":false}\n", "\(second.output)")
    }

    @Test func endsALogin_whoseProviderIsGone() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        try desk.change { $0.requestors[0].providers = ["demo-fiber"] }
        let logout = try await desk.run("logout", "--as", "demo-cable")
        #expect(logout.status == 0 && logout.output.hasPrefix("Logged out of demo-cable"), "\(logout.output)")
        #expect(try await desk.exitCode(of: "status") == 1)
    }

    /// The logout is sent later, and only the service can refuse it.
    @Test func endsALogin_whileTheServiceDoesNotAnswer() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        let nowhere = ["--service", "http://127.0.0.1:1"]
        let logout = try await desk.run(["logout", "--as", "demo-cable"] + nowhere)
        #expect(
            logout.status == 0 && logout.output.contains("Logged out of demo-cable on this device.\n"),
            "\(logout.output)")
        #expect(try await desk.exitCode(of: "status") == 1)
    }
}
