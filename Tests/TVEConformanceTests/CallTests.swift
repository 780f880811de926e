import TVEModels
import Testing

@testable import TVEConformance

/// The reading of requests and their responses, as the verdicts of rows show it.
struct CallTests {
    private static let valid: MetadataValue = ["notAfter": 1_900_000_000_000]
    private static let refusal =
        Case.Verdict.breaks("2, 3: The client looked for the profile of a code that the service had refused.")

    private static let failedPage = Sent.loginPage().with("token").refused(500, action: "none")

    private static func refused(_ status: Int) -> [Sent] {
        let refused = Sent.look().refused(status, code: "invalid_authentication_session", action: "none")
        return [.session(), refused, .look()]
    }

    @Test(
        arguments: [
            (
                "CL24",
                Case(
                    "divides the fields of a form with two marks", verdict: .keeps(1),
                    .token().body("client_id=a&&grant_type=client_credentials"))
            ),
            (
                "CL24",
                Case(
                    "sends a list of devices to leave the household", verdict: .keeps(1),
                    Sent(method: "POST", path: "/api/DEMO/unlink").body(#"{"devices":["x"]}"#))
            ),
            (
                "CL21",
                Case(
                    "writes the word before its token in small letters", verdict: .keeps(1),
                    .profiles([]).header("Authorization", "bearer token"))
            ),
            (
                "CL10",
                Case(
                    "gets a profile where no document has one, and plays", verdict: .nothing,
                    .check().finding(["cable": valid]), .authorize())
            ),
            (
                "CL10",
                Case(
                    "gets a profile in a failed response, and plays", verdict: .nothing,
                    .profiles(["cable"]).status(500), .authorize())
            ),
            ("CL9", Case("gets an error with the lowest status", verdict: refusal, sent: refused(400))),
            ("CL9", Case("gets what is no error by its status", verdict: .nothing, sent: refused(399))),
            (
                "CL9",
                Case(
                    "goes on where its own profile, with a blank after its id, cannot be read, beside another case",
                    verdict: .keeps(3, 4), .session(), .look().finding(["cable ": [:], "CABLE": valid]),
                    .look(finds: ["cable"]), .authorize())
            ),
            (
                "CL5",
                Case(
                    "asks twice, and a tool has masked the answers and ended them with a line",
                    verdict: .breaks("1, 2: The configuration was requested again after 1 second."),
                    .configuration.answer("[hidden]\n"), .configuration.answer("[hidden]\n"))
            ),
            (
                "CL25",
                Case(
                    "loads a login page again that fails with an error", verdict: .keeps(2, 3, 4),
                    .token(), failedPage, failedPage, failedPage)
            ),
        ] as [(String, Case)])
    func aRequest_isReadAsTheServiceReadsIt(row: String, one: Case) throws { try one.check(row) }

    private static let twice = Sent.authorize("NEWS", .denial).body(#"{"resources":["NEWS","NEWS"]}"#)
    private static let without = "NEWS was played without a permission."

    @Test(
        arguments: [
            (
                "CL16",
                Case(
                    "plays with a permission that an answer without a yes, a no and an error has followed",
                    verdict: .keeps(1, 3), .authorize(),
                    .authorize().answered(200, ["decisions": [["resource": "NEWS"]]]), .play())
            ),
            (
                "CL14",
                Case(
                    "names a resource twice that is denied", verdict: .keeps(1, 2), twice, twice)
            ),
            (
                "CL16",
                Case(
                    "plays after a permission whose answer has other line ends in the resource", verdict: .keeps(1, 2),
                    .authorize().body(#"{"resources":["A\r\nB"]}"#).decided("A\nB", as: true), .play("A%0D%0AB"))
            ),
            (
                "CL16",
                Case(
                    "plays after the first of two decisions", verdict: .keeps(1, 2),
                    .authorize().decided(["NEWS": true, "NEWS": false]), .play())
            ),
            (
                "CL16",
                Case(
                    "plays after the first of two decisions in other cases", verdict: .keeps(1, 2),
                    .authorize().decided(["News": true, "NEWs": false]), .play())
            ),
            (
                "CL16",
                Case(
                    "plays after a network has answered with its own page, which begins in another way",
                    verdict: .breaks("2: \(without)"),
                    .authorize().answer("\n <HTML><body>Welcome</body></HTML>"), .play())
            ),
            (
                "CL16",
                Case(
                    "plays what a request of another kind has named", verdict: .breaks("2: \(without)"),
                    Sent(method: "POST", path: "/api/DEMO/unlink").body(#"{"resources":["NEWS"]}"#).answer(nil),
                    .play())
            ),
            (
                "CL16",
                Case(
                    "plays twice after permissions of three brands, of which the last one was taken back",
                    verdict: .breaks("1, 7: NEWS was played with the permission of an earlier playback."),
                    .authorize(), .authorize().brand("OTHER"), .play(), .authorize().brand("THIRD"),
                    .authorize("NEWS", .denial).brand("THIRD"), .play(), .play())
            ),
        ] as [(String, Case)])
    func aDecision_isAboutOneResource(row: String, one: Case) throws { try one.check(row) }

    /// The headers that identify an application or a device, each of which shows that the recording has the others.
    @Test(arguments: [
        ("Authorization", "Bearer token", "AP-Device-Identifier, X-Device-Info"),
        ("AP-Device-Identifier", "fingerprint cGhvbmU=", "Authorization, X-Device-Info"),
        ("X-Device-Info", Sent.facts(["model": "A", "osName": "Android"]), "Authorization, AP-Device-Identifier"),
        ("X-Forwarded-For", "192.0.2.7", "Authorization, AP-Device-Identifier, X-Device-Info"),
    ])
    func aRequestWithOneHeader_lacksTheOthers(name: String, value: String, missing: String) throws {
        try Case(
            "sends \(name) alone", verdict: .breaks("2: GET configuration was sent without \(missing)."), .profiles([]),
            .configuration.withoutHeaders.header(name, value)
        ).check("CL21")
    }

    @Test(
        arguments: [
            (.bool(false), false), (.number(0), false), (.number(1), true), (.number(2), nil), (.string("1"), true),
            (.string(" 0 "), false), (.string("TRUE\n"), true), (.string("yes"), nil), (.null, nil), ([], nil),
        ] as [(MetadataValue, Bool?)])
    func aYesOrNo_mayBeANumberOrAText(value: MetadataValue, meaning: Bool?) {
        #expect(value.statedBoolean == meaning)
    }

    @Test(
        arguments: [
            (.number(7.5), 7.5), (.string(" 7.5 "), 7.5), (.string("-inf"), nil), (.string("nan"), nil),
            (.string(""), nil), (.null, nil), ([], nil),
        ] as [(MetadataValue, Double?)])
    func aNumber_mayBeAText(value: MetadataValue, number: Double?) {
        #expect(value.decimalValue == number)
    }

    /// The shortest marks that tools write, and values that are none.
    @Test(arguments: [
        ("*", true), ("**", true), ("xxx", true), ("x", false), ("#", false), ("", false), ("wait for it...", false),
        ("it...", true), ("-hidden", true), ("a hidden", false),
    ])
    func aShortMark_isToldFromAValue(text: String, isMask: Bool) {
        #expect(Exchange.Message.isMask(text) == isMask)
    }

    @Test func theFirstOfTwoHeaders_isRead() {
        let message = Exchange.Message(headers: [("Name", "a"), ("name", "b")], body: nil)
        #expect(message.header("name") == "a")
    }

    /// A service provider can have the name of a part of a path, and an escape can be damaged.
    @Test(arguments: ["/api/v2/sessions/configuration", "/api/v2/code/profiles", "/a%zz"])
    func theOutlineOfARequest_hasWhatIsNoCode(path: String) {
        #expect(Sent(path: path).exchange(1, at: 0).outline == "GET \(path)")
    }
}
