import Foundation
import TVEModels
import TVESandbox
import TVETestTraits
import Testing

@testable import tve

/// The commands about households, above all the texts with which they say no.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HouseholdCommandTests {
    private struct Status: Decodable {
        let member: Bool
        let joinedWith: String?
        let devices: Int?
        let tokenExpires: String?
        let reason: String?
    }

    private func status(_ desk: Desk, _ more: String..., code: Int32) async throws -> Status {
        let tool = try await desk.run(["household", "status", "--json"] + more)
        #expect(tool.status == code, "\(tool.output)")
        return try JSONDecoder().decode(Status.self, from: Data(tool.output.utf8))
    }

    /// Makes a household in the usual store, and returns a link code.
    private func linkCode(_ desk: Desk) async throws -> String {
        let tool = try await desk.run("household", "link")
        return String(try #require(tool.output.firstMatch(of: /Code: ([0-9]{6})\n/)?.1, "\(tool.output)"))
    }

    /// A plus sign in a query stands for a space.
    @Test(arguments: [
        ("https://tv.example/link", "https://tv.example/link?code=123456"),
        ("https://tv.example/link?next=a%2Bb+c&x#top", "https://tv.example/link?next=a%2Bb+c&x&code=123456#top"),
    ])
    func theAddressOfAPage_getsTheCode_andKeepsItsParameters(page: String, address: String) {
        #expect(HouseholdLinkCommand.address(of: page, code: "123456") == address)
    }

    // MARK: - The status

    @Test func statusSaysHowTheDeviceHasJoined_andNeverTheAccount() async throws {
        let desk = try await Desk("v2")
        let none = try await status(desk, code: 1)
        #expect(!none.member && none.joinedWith == nil && none.tokenExpires == nil)
        #expect(none.reason?.contains("\"tve household link\" creates one") == true)
        let code = try await linkCode(desk)
        let own = try await status(desk, code: 0)
        #expect(own.member && own.joinedWith == "thisDevice" && own.devices == 1 && own.reason == nil)
        let end = try Date(try #require(own.tokenExpires), strategy: .iso8601)
        #expect((3_000...3_600).contains(end.timeIntervalSinceNow))
        let other = desk.folder.path("other")
        _ = try await desk.run("household", "join", code, "--directory", other)
        #expect(try await status(desk, "--directory", other, code: 0).joinedWith == "code")
        _ = try await desk.run("household", "join", "--account", "viewer@example.com", "--directory", other)
        #expect(try await status(desk, "--directory", other, code: 0).joinedWith == "account")
        let text = try await desk.run("household", "status", "--directory", other)
        #expect(text.status == 0 && !text.output.contains("viewer@example.com"), "\(text.output)")
        #expect(text.output.contains("joined with an account of the programmer."), "\(text.output)")
        #expect(text.output.contains("The household has 1 device.\nThe service token is valid until "))
        #expect(try await desk.exitCode(of: "household", "leave") == 0)
        #expect(try await !status(desk, code: 1).member)
    }

    static let faults: [SandboxWorld.Fault] = [
        .init(.status, amount: 503), .init(.dropped), .init(.status, amount: 500, step: "householdDevices"),
    ]

    @Test(arguments: faults)
    func statusAnswersFromTheStore_whenTheServiceDoesNot(fault: SandboxWorld.Fault) async throws {
        let desk = try await Desk("v2")
        _ = try await desk.prepareHousehold()
        try desk.change { $0.faults = [fault] }
        let tool = try await desk.run("household", "status")
        let text = "This device is a member of a household, which it made itself."
        #expect(tool.status == 0 && tool.output.hasPrefix(text), "\(tool.output)")
        #expect(!tool.output.contains("The household has"), "\(tool.output)")
        #expect(tool.output.contains("The number of devices is unknown. "), "\(tool.output)")
    }

    @Test func joiningDoesNotGuess_whenTheServiceCannotSayWhetherTheHouseholdHasALogin() async throws {
        let desk = try await Desk("v2")
        let none = try await desk.run("household", "join", "--account", "a")
        #expect(none.status == 1 && none.output.hasPrefix("Joined. The household has no login yet"), "\(none.output)")
        try desk.change { $0.faults = [.init(.status, amount: 503, step: "profiles")] }
        let unknown = try await desk.run("household", "join", "--account", "b")
        #expect(unknown.status == 2, "\(unknown.output)")
        #expect(unknown.output.hasPrefix("Error: Joined, but the service could not be asked for the login"))
        #expect(try await status(desk, code: 0).member)
    }

    @Test func leavingSaysThatTheServiceWasNotTold() async throws {
        let desk = try await Desk("v2")
        _ = try await desk.prepareHousehold()
        try desk.change { $0.faults = [.init(.status, amount: 503, step: "unlink")] }
        let left = try await desk.run("household", "leave")
        #expect(left.status == 0 && left.output.hasPrefix("This device has left its household.\n"), "\(left.output)")
        #expect(left.output.contains("The service has not received this."), "\(left.output)")
    }

    /// Only the sandbox could supply its statement, and these commands need none.
    @Test func leavingAndStatusNeedNoStatement_whenNoSandboxAnswers() async throws {
        let desk = try await Desk("v2")
        let service = ["--service", "http://127.0.0.1:1"]
        #expect(try await desk.failure(of: ["household", "leave"] + service).status == 2, "There is no store.")
        _ = try await desk.prepareHousehold()
        let reason = "http://127.0.0.1:1 does not answer: "
        let member = try await desk.run(["household", "status"] + service)
        #expect(member.status == 0 && member.output.hasPrefix("This device is a member of a household, which it made"))
        #expect(member.output.contains("The number of devices is unknown. \(reason)"), "\(member.output)")
        let left = try await desk.run(["household", "leave"] + service)
        #expect(left.status == 0 && left.output.hasPrefix("This device has left its household.\n"), "\(left.output)")
        #expect(left.output.contains("The service has not received this. \(reason)"), "\(left.output)")
        #expect(try await desk.failure(of: ["household", "status"] + service).status == 1)
    }

    // MARK: - Refusals

    @Test func aCode_isUnknownOrUsed() async throws {
        let desk = try await Desk("v2")
        let code = try await desk.prepareHousehold()
        let other = ["--directory", desk.folder.path("other")]
        let unknown = try await desk.run(["household", "join", "000000"] + other)
        #expect(unknown.status == 1 && unknown.output.hasPrefix("Error: The service does not know this code. "))
        #expect(unknown.output.contains("tve household link"), "\(unknown.output)")
        #expect(try await desk.run(["household", "join", code] + other).output.hasPrefix("Joined. "))
        let used = try await desk.failure(of: ["household", "join", code] + other)
        #expect(used.status == 1 && used.output.hasPrefix("Error: This code was used or has expired. "))
        #expect(used.output.contains("Request a new one on the other device: tve household link."))
    }

    @Test(arguments: [["devices"], ["unlink", "id"]])
    func aDeviceThatIsNoMember_learnsHowToBecomeOne(command: [String]) async throws {
        let desk = try await Desk("v2")
        let arguments = ["household"] + command
        let tool = try await command == ["devices"] ? desk.run(arguments) : desk.failure(of: arguments)
        #expect(tool.status == 1 && tool.output.hasPrefix("Error: This device is in no household. "), "\(tool.output)")
        #expect(tool.output.contains("\"tve household join CODE\""), "\(tool.output)")
        guard command == ["devices"] else { return }
        #expect(try await desk.run("household", "leave").output == "This device is in no household.\n")
    }

    @Test(arguments: [["link"], ["join", "123456"], ["join", "--account", "a"], ["devices"], ["status"]])
    func theClassicServices_haveNoHouseholds(command: [String]) async throws {
        let desk = try await Desk("classic")
        let arguments = ["household"] + command
        let tool = try await command == ["link"] ? desk.run(arguments) : desk.failure(of: arguments)
        #expect(tool.status == 1)
        #expect(tool.output == "Error: The classic services have no households. Use --dialect v2.\n")
    }

    @Test(arguments: [["link"], ["join", "123456"], ["join", "--account", "a"]])
    func aServiceWithoutHouseholds_isNamed(command: [String]) async throws {
        let desk = try await Desk("v2") { $0.behavior.households.areOffered = false }
        let arguments = ["household"] + command
        let tool = try await command == ["link"] ? desk.run(arguments) : desk.failure(of: arguments)
        #expect(tool.status == 1)
        #expect(tool.output.hasPrefix("Error: The service offers no households to the requestor DEMO. Ask the vendor"))
    }

    @Test func tooManyCodes_areNoAnswer() async throws {
        let desk = try await Desk("v2") { $0.faults = [.init(.throttled, step: "serviceToken")] }
        let tool = try await desk.run("household", "join", "123456")
        #expect(tool.status == 2 && tool.output.hasPrefix("Error: The service accepts no requests for now: "))
        #expect(tool.output.contains("Wait some minutes"), "\(tool.output)")
    }

    @Test func aDeviceThatIsNotUnlinked_isExplained() async throws {
        let desk = try await Desk("v2")
        _ = try await desk.prepareHousehold()
        let unknown = try await desk.run("household", "unlink", "nobody")
        let text = "Not unlinked: nobody is not a device of this household. "
        #expect(unknown.status == 1 && unknown.output.hasPrefix(text), "\(unknown.output)")
        let list = try await desk.run("household", "devices").output
        let own = String(try #require(list.split(separator: " ").first))
        let itself = try await desk.run("household", "unlink", "nobody", own)
        #expect(itself.status == 1 && itself.output.contains("\"tve household leave\" takes this device out."))
        #expect(try await status(desk, code: 0).member, "nothing was unlinked")
        // The service takes the request and unlinks nothing, and the list does not come.
        var fault = SandboxWorld.Fault(.status, amount: 503, step: "householdDevices")
        try desk.change { $0.faults = [fault] }
        let unlisted = try await desk.run("household", "unlink", "nobody")
        #expect(unlisted.output == "Not unlinked: nobody. \"tve household devices\" lists the ids.\n")
        // A device that stays in the list.
        fault = SandboxWorld.Fault(.rewritten, step: "householdDevices")
        fault.body = "{\"devices\":{\"television\":{}}}"
        try desk.change { $0.faults = [fault] }
        let stays = try await desk.run("household", "unlink", "television")
        #expect(stays.output == "Not unlinked: television is still in the household. Try again later.\n")
    }

    @Test func aMembershipThatHasEnded_isSaid_andALinkMakesANewHousehold() async throws {
        let shift = Guarded(0.0)
        let desk = try await Desk("v2", now: { Date().addingTimeInterval(shift.withLock { $0 }) })
        let code = try await desk.prepareHousehold()
        let other = ["--directory", desk.folder.path("other")]
        _ = try await desk.run(["household", "join", code] + other)
        shift.withLock { $0 = 5 * 86_400 }
        let ended = try await desk.run(["household", "devices"] + other)
        let text = "The membership of this device has ended, because its service token expired too long ago"
        #expect(ended.status == 1 && ended.output.hasPrefix("Error: \(text)"), "\(ended.output)")
        let status = try await desk.run(["household", "status"] + other)
        #expect(status.status == 1 && status.output.hasPrefix(text), "\(status.output)")
        let link = try await desk.run(["household", "link"] + other)
        #expect(link.status == 0 && link.output.contains("so the code is for a new one."), "\(link.output)")
        #expect(try await self.status(desk, other[0], other[1], code: 0).joinedWith == "thisDevice")
    }

    @Test func aDeviceThatAnotherOneHasUnlinked_isTold() async throws {
        let desk = try await Desk("v2")
        _ = try await desk.prepareHousehold()
        let faults = ["householdDevices", "renewServiceToken"].map { step in
            var fault = SandboxWorld.Fault(.rewritten, amount: 401, step: step)
            fault.body = """
                {"status":"UNAUTHORIZED","error":{"status":401,"code":"header_invalid",\
                "message":"Invalid JWT signature in AD-Service-Token","action":"get_new_token"}}
                """
            return fault
        }
        try desk.change { $0.faults = faults }
        let tool = try await desk.run("household", "devices")
        #expect(tool.status == 1)
        #expect(tool.output.hasPrefix("Error: Another device has unlinked this one from the household. Join again"))
        let left = try await desk.run("household", "leave")
        #expect(left.output == "This device is in no household: another device had already unlinked it.\n")
    }
}
