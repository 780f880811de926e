import TVEModels
import Testing

/// CL4 and CL5: the configuration.
struct ConfigurationRuleTests {
    @Test(arguments: pickers)
    func theConfiguration_isForAPickerOnly(one: Case) throws { try one.check("CL4") }

    private static let loggedIn = "The configuration was requested while a viewer was logged in."

    private static let unknown =
        "The configuration was requested, and nothing after it shows whether a viewer was logged in."

    /// A request for a configuration with a provider and a TempPass.
    private static let list = Sent.configuration.answered(
        200, ["requestor": ["mvpds": [["id": "cable"], ["id": "temp-pass", "isTempPass": true]]]])

    private static let pickers: [Case] = [
        Case(
            "asks for two brands' configurations while logged in, for the first one twice, and logs out of both",
            verdict: .breaks("3, 5, 6: \(loggedIn)", "4, 7: \(loggedIn)"), .profile("cable"),
            .profile("cable").brand("OTHER"), .configuration.brand("OTHER"), .configuration,
            .configuration.brand("OTHER"), .logout().brand("OTHER"), .logout()),
        Case(
            "asks for the configuration while logged in, logs out, asks for it again, and does no more",
            verdict: .breaks("2, 3: \(loggedIn)"), .profile("cable"), .configuration, .logout(), .configuration),
        Case(
            "asks for the configuration between two plays, after it has begun a login", verdict: .unsure(unknown),
            .authorize(), list, .session(), list, .authorize()),
        Case(
            "asks for the configuration, and logs out in the moment of the login's end", verdict: .keeps(1, 2),
            .profile("cable", ends: 10).at(0), .configuration.at(5), .logout().at(10)),
        Case(
            "asks for the configuration between two plays, after a second screen has logged in at another provider",
            verdict: .unsure(unknown), .authorize(), .look(finds: ["fiber"]), list, .authorize()),
        Case(
            "asks for the configuration at each of two starts, plays after both, and finds its profile",
            verdict: .breaks("2, 3, 4: \(loggedIn)", "1, 5: \(loggedIn)"), list, .authorize(), list, .authorize(),
            .profiles(["cable"])),
        Case(
            "asks for the configuration, and the recording ends in the moment of the login's end",
            verdict: .keeps(1, 2), .profile("cable", ends: 10).at(0), .configuration.at(5), .check().at(10)),
        Case(
            "asks for the configuration before the end of a login that was renewed",
            verdict: .breaks("3, 4: \(loggedIn)"), .profile("cable", ends: 10).at(0), .profile("cable").at(1),
            .configuration.at(5), .session(mvpd: "cable").at(20)),
        Case(
            "asks for the configuration between two plays, after the login had gone", verdict: .unsure(unknown),
            .authorize(), .profiles([]), list, .authorize()),
        Case(
            "asks for the configuration between two plays with two providers", verdict: .unsure(unknown),
            .authorize("NEWS", .permit, as: "fiber"), list, .authorize()),
        Case(
            "asks for the configuration, and logs out of a login that has ended by then", verdict: .keeps(1, 2),
            .profile("cable", ends: 10).at(0), .configuration.at(5), .logout().at(20)),
        Case(
            "asks for the configuration while logged in with two providers, and logs out of both",
            verdict: .breaks("2, 3: \(loggedIn)"), .profiles(["cable", "fiber"]), .configuration, .logout(),
            .logout("fiber")),
        Case(
            "asks for the configuration, and logs a viewer in", verdict: .keeps(2), .profiles([]), .configuration,
            .session()),
        Case(
            "asks for the configuration, and the headers of the login are lost", verdict: .keeps(2, 4, 5),
            .profiles([]), .configuration, .session().withoutHeaders, .look(finds: ["cable"]).withoutHeaders,
            .profile("cable")),
        Case("asks for the configuration, and the viewer leaves the picker", verdict: .keeps(1), .configuration),
        Case("plays with a login, without a configuration", verdict: .keeps(1), .profiles(["cable"]), .authorize()),
        Case(
            "asks for the configuration while logged in, and plays", verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .authorize()),
        Case(
            "asks for the configuration while logged in, and lists channels", verdict: .breaks("2, 3: \(loggedIn)"),
            .profiles(["cable"]), .configuration, .preauthorize([("A", .denial), ("B", .permit)])),
        Case(
            "asks for the configuration twice while logged in, and plays twice",
            verdict: .breaks("2, 3, 4: \(loggedIn)"),
            .profile("cable"), .configuration, .configuration, .authorize(), .authorize()),
        Case(
            "asks for the configuration at its start, before it looks for the login",
            verdict: .breaks("1, 2: \(loggedIn)"), .configuration, .profiles(["cable"]), .authorize()),
        Case(
            "asks for the configuration at its start, before the platform's login",
            verdict: .breaks("1, 2: \(loggedIn)"),
            .configuration, .partnerProfile(["cable"])),
        Case(
            "asks for the configuration, and finds the login of a second screen", verdict: .keeps(2), .configuration,
            .look(finds: ["cable"]), .authorize()),
        Case(
            "asks for the configuration in vain while logged in", verdict: .keeps(1), .profile("cable"),
            .configuration.answered(503), .authorize()),
        Case(
            "asks for the configuration while logged in, and the viewer chooses another provider",
            verdict: .keeps(1, 2, 4),
            .profile("cable"), .configuration, .session(mvpd: "fiber"), .look(finds: ["fiber"])),
        Case(
            "asks for the configuration while logged in, and lets a second screen choose", verdict: .keeps(1, 2),
            .profile("cable"), .configuration, .session(mvpd: nil)),
        Case(
            "asks for the configuration to confirm the old provider", verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .session(mvpd: "cable"), .authorize()),
        Case(
            "asks for the configuration, and begins the platform's login", verdict: .keeps(1, 2), .profile("cable"),
            .configuration, .partnerSession()),
        Case(
            "asks for the configuration for a code of another screen", verdict: .keeps(1, 2), .profile("cable"),
            .configuration, .resume(mvpd: "cable"), .authorize()),
        Case(
            "asks for the configuration after the end of the login, and logs in again", verdict: .keeps(1, 2),
            .profile("cable", ends: 10), .configuration.at(5), .session(mvpd: "cable").at(10.5)),
        Case(
            "asks for the configuration after the end of the login, of which the service says when as a text",
            verdict: .keeps(1, 2),
            .profile("cable").answered(200, ["profiles": ["cable": ["notAfter": "1800000010000"]]]),
            .configuration.at(5), .session(mvpd: "cable").at(10.5)),
        Case(
            "asks for the configuration after the end of the login by a clock that is an hour ahead",
            verdict: .keeps(1, 2), .profile("cable", ends: 3_610).date("Fri, 15 Jan 2027 09:00:00 GMT").at(0),
            .configuration.at(5), .session(mvpd: "cable").at(10.5)),
        Case(
            "asks for the configuration before the end of the login by a clock that is an hour behind",
            verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable", ends: -3_590).date("Fri, 15 Jan 2027 07:00:00 GMT").at(0), .configuration.at(5),
            .session(mvpd: "cable").at(8)),
        Case(
            "logs in again just before the end of the login by a clock that is an hour behind, and shows whole seconds",
            verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable", ends: -3_590).date("Fri, 15 Jan 2027 07:00:00 GMT").at(0), .configuration.at(5),
            .session(mvpd: "cable").at(8.75)),
        Case(
            "logs in again at the end of the login by a clock that is an hour behind, and shows whole seconds",
            verdict: .keeps(1, 2),
            .profile("cable", ends: -3_590).date("Fri, 15 Jan 2027 07:00:00 GMT").at(0), .configuration.at(5),
            .session(mvpd: "cable").at(9)),
        Case(
            "logs in again half a second after the end of the login by a clock that is an hour behind",
            verdict: .keeps(1, 2),
            .profile("cable", ends: -3_590).date("Fri, 15 Jan 2027 07:00:00 GMT").at(0), .configuration.at(5),
            .session(mvpd: "cable").at(9.5)),
        Case(
            "asks for the configuration before the end of the login by the clock of a slow service",
            verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable", ends: 10).date("Fri, 15 Jan 2027 08:00:04 GMT").at(0).took(5), .configuration.at(6),
            .session(mvpd: "cable").at(9.75)),
        Case(
            "asks for the configuration, and logs in again in the moment of the old login's end",
            verdict: .keeps(1, 2), .profile("cable", ends: 10), .configuration.at(5),
            .session(mvpd: "cable").at(10)),
        Case(
            "asks for the configuration after a logout, and logs in again", verdict: .keeps(1, 3), .profile("cable"),
            .logout("cable"), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the logout of another provider", verdict: .breaks("3, 4: \(loggedIn)"),
            .profiles(["cable", "fiber"]), .logout("fiber"), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after all logins have gone, and logs in again", verdict: .keeps(1, 3),
            .profiles(["cable"]), .profiles([]), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the login has gone, and logs in again", verdict: .keeps(1, 3),
            .profile("cable"), .profile("cable", exists: false), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after another provider had no login", verdict: .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .profile("fiber", exists: false), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after a look for a code found nothing", verdict: .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .look(), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the service did not answer about the login",
            verdict: .breaks("3, 4: \(loggedIn)"), .profile("cable"), .profiles([]).answered(500), .configuration,
            .authorize()),
        Case(
            "asks for the configuration after a decision asked for a login", verdict: .keeps(1, 3), .profile("cable"),
            .authorize("NEWS", .error(action: "authentication")), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after a denial, and plays something else",
            verdict: .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .authorize("NEWS", .denial), .configuration, .authorize("SPORT")),
        Case(
            "asks for the configuration, and is denied a channel", verdict: .unsure(unknown), .profile("cable"),
            .configuration, .authorize("NEWS", .denial)),
        Case(
            "asks for the configuration while logged in, and plays with a provider that needs no login",
            verdict: .unsure(unknown), .profile("cable"), .configuration,
            .authorize("NEWS", .permit, as: "temp-pass")),
        Case(
            "asks for the configuration while logged in, and the recording ends", verdict: .unsure(unknown),
            .profile("cable"), .configuration),
        Case(
            "asks for the configuration, and the login ends before the recording", verdict: .keeps(1, 2),
            .profile("cable", ends: 10).at(0), .configuration.at(5), .check().at(20)),
        Case(
            "asks for the configuration at a start, and plays before and after it",
            verdict: .breaks("1, 2, 3: \(loggedIn)"), .authorize(), list, .authorize()),
        Case(
            "asks for the configuration at a start, lists channels before it and plays after it",
            verdict: .breaks("1, 3, 4: \(loggedIn)"), .preauthorize(), .check(), list, .authorize()),
        Case(
            "asks for the configuration at each of three starts, and plays in between",
            verdict: .breaks("2, 3, 4: \(loggedIn)", "4, 5, 6: \(loggedIn)"), list, .authorize(), list, .authorize(),
            list, .authorize()),
        Case(
            "asks for the configuration between two plays without a login", verdict: .keeps(2),
            .authorize("NEWS", .permit, as: "temp-pass"), list, .authorize("NEWS", .permit, as: "temp-pass")),
        Case(
            "asks for the configuration between two plays of a TempPass that is one by a text", verdict: .keeps(2),
            .authorize("NEWS", .permit, as: "trial"),
            .configuration.answered(200, ["requestor": ["mvpds": [["id": "trial", "isTempPass": "true"]]]]),
            .authorize("NEWS", .permit, as: "trial")),
        Case(
            "asks for the configuration between two plays, and does not get it", verdict: .unsure(unknown),
            .authorize(), .configuration, .authorize()),
        Case(
            "asks for the configuration between two plays, and logs in", verdict: .keeps(2, 4), .authorize(), list,
            .session(), .look(finds: ["cable"]), .authorize()),
        Case(
            "asks for the configuration between two plays, and a second screen logs in", verdict: .keeps(3),
            .authorize(), list, .look(finds: ["cable"]), .authorize()),
        Case(
            "asks for the configuration between two plays, after a logout", verdict: .unsure(unknown), .authorize(),
            .logout(), list, .authorize()),
        Case(
            "asks for the configuration between two plays, after it was told to log in", verdict: .unsure(unknown),
            .authorize(), .authorize("NEWS", .error(action: "authentication")), list, .authorize()),
        Case(
            "asks whether the configuration has changed while logged in, and plays",
            verdict: .breaks("2, 3: \(loggedIn)"), .profile("cable"), .configuration.answered(304), .authorize()),
        Case(
            "asks for the configuration while logged in, and logs out", verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .logout()),
        Case(
            "asks for the configuration while logged in, logs out, and asks for it again",
            verdict: .breaks("2, 3: \(loggedIn)"), .profile("cable"), .configuration, .logout(), .configuration,
            .session()),
        Case(
            "asks for the configuration while logged in, and logs out for another provider", verdict: .keeps(1),
            .profile("cable"), .configuration, .logout(), .session(mvpd: "fiber")),
        Case(
            "asks for the configuration while logged in, and logs out in vain", verdict: .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .logout().answered(500)),
        Case(
            "asks for the configuration while logged in, and logs out of another provider",
            verdict: .unsure(unknown), .profile("cable"), .configuration, .logout("fiber")),
        Case(
            "asks for one brand's configuration while another brand's viewer plays", verdict: .keeps(1, 2),
            .profile("cable"), .configuration.brand("OTHER"), .authorize(), .session(mvpd: "cable").brand("OTHER")),
        Case(
            "asks for both brands' configurations while one brand's viewer plays",
            verdict: .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .configuration.brand("OTHER"), .configuration, .authorize()),
        Case(
            "finds the login of the second of two brands", verdict: .breaks("1, 3: \(loggedIn)"), .configuration,
            .profiles(["cable"]).brand("OTHER"), .profiles(["cable"])),
        Case(
            "two devices: one asks for the configuration, the other one plays", verdict: .keeps(1, 2),
            .profile("cable").with("two").from("television"), .configuration,
            .authorize().with("two").from("television")),
    ]

    @Test(arguments: caches)
    func theConfiguration_isKept_forTwoMinutesAtLeast(one: Case) throws { try one.check("CL5") }

    private static let again = "The configuration was requested again after"

    private static let caches: [Case] = [
        Case(
            "logs in once in each of two brands, of which one has a configuration", verdict: .nothing, .configuration,
            .session("A").brand("OTHER"), .session("B")),
        Case(
            "logs in twice with one configuration, and asks for that of another brand in between",
            verdict: .keeps(1, 2, 4), .configuration, .session("A"), .configuration.brand("OTHER"), .session("B")),
        Case(
            "asks for the configurations of two brands after each of two starts", verdict: .nothing, .profiles([]),
            .configuration, .configuration.brand("OTHER"), .profiles([]), .configuration,
            .configuration.brand("OTHER")),
        Case(
            "asks for the configuration again after two minutes", verdict: .keeps(1, 2), .configuration.at(0),
            .configuration.at(120)),
        Case(
            "asks for the configuration again after 119 seconds", verdict: .breaks("1, 2: \(again) 119 seconds."),
            .configuration.at(0), .configuration.at(119)),
        Case(
            "asks for the configuration three times, each a minute after the last",
            verdict: .breaks("1, 2: \(again) 60 seconds.", "2, 3: \(again) 60 seconds."), .configuration.at(0),
            .configuration.at(60), .configuration.at(120)),
        Case("asks for the configuration three times at once", verdict: .nothing, sent: Sent.configuration.threeAtOnce),
        Case("asks for the configuration once", verdict: .nothing, .configuration),
        Case(
            "asks for the configurations of two brands", verdict: .nothing, .configuration,
            .configuration.brand("OTHER")),
        Case(
            "asks for the configuration again after that of another brand",
            verdict: .breaks("1, 3: \(again) 2 seconds."),
            .configuration, .configuration.brand("OTHER"), .configuration),
        Case(
            "repeats a request for the configuration that failed", verdict: .nothing, .configuration.answered(503),
            .configuration),
        Case(
            "asks for the configuration again, and in vain in between", verdict: .breaks("1, 3: \(again) 2 seconds."),
            .configuration, .configuration.answered(503), .configuration),
        Case(
            "repeats a request for the configuration to which a network has answered with its own page",
            verdict: .nothing, .configuration.welcomed, .configuration),
        Case(
            "repeats a request for the configuration whose answer was spoiled", verdict: .nothing,
            .configuration.answer("nhhn"), .configuration),
        Case(
            "asks for the configuration again, and a tool has masked the answers",
            verdict: .breaks("1, 2: \(again) 1 second."), .configuration.masked, .configuration.masked),
        Case(
            "asks for the configuration again, and the recorder has stored no bodies",
            verdict: .breaks("1, 2: \(again) 1 second."), .configuration.answer(""), .configuration.answer("")),
        Case(
            "asks for the configuration after each of two starts", verdict: .nothing, .profiles([]), .configuration,
            .profiles([]), .configuration),
        Case(
            "starts with the profile of one provider in between", verdict: .nothing, .configuration, .profile("cable"),
            .configuration),
        Case(
            "asks for the configuration twice after a start", verdict: .breaks("3, 4: \(again) 1 second."),
            .configuration,
            .profiles([]), .configuration, .configuration),
        Case(
            "looks for the profile of a code in between", verdict: .breaks("1, 3: \(again) 2 seconds."), .configuration,
            .look(),
            .configuration),
        Case("logs in once with a configuration", verdict: .nothing, .configuration, .session()),
        Case(
            "logs in twice with one configuration", verdict: .keeps(1, 2, 3), .configuration, .session("A"),
            .session("B")),
        Case(
            "logs in again 119 seconds after the configuration", verdict: .keeps(1, 2, 3), .configuration.at(0),
            .session("A"),
            .session("B").at(119)),
        Case(
            "logs in again two minutes after the configuration", verdict: .nothing, .configuration.at(0), .session("A"),
            .session("B").at(120)),
        Case(
            "logs in twice, and lets a second screen choose once", verdict: .nothing, .configuration,
            .session("A", mvpd: nil),
            .session("B")),
        Case("logs in twice, without any configuration", verdict: .nothing, .session("A"), .session("B")),
        Case(
            "logs in once with each of two configurations", verdict: .keeps(1, 3), .configuration.at(0), .session("A"),
            .configuration.at(130), .session("B")),
        Case(
            "two devices ask for the configuration", verdict: .nothing, .configuration,
            .configuration.with("two").from("television")),
    ]
}
