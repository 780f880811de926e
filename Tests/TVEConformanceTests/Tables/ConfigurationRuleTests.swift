import Testing

/// CL4 and CL5: the configuration.
struct ConfigurationRuleTests {
    @Test(arguments: pickers)
    func theConfiguration_isForAPickerOnly(one: Case) throws { try one.check("CL4") }

    private static let loggedIn = "The configuration was requested while a viewer was logged in."

    private static let pickers: [Case] = [
        Case(
            "asks for the configuration, and logs a viewer in", .keeps(2), .profiles([]), .configuration, .session()),
        Case("asks for the configuration, and the viewer leaves the picker", .keeps(1), .configuration),
        Case("plays with a login, without a configuration", .keeps(1), .profiles(["cable"]), .authorize()),
        Case(
            "asks for the configuration while logged in, and plays", .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .authorize()),
        Case(
            "asks for the configuration while logged in, and lists channels", .breaks("2, 3: \(loggedIn)"),
            .profiles(["cable"]), .configuration, .preauthorize([("A", .denial), ("B", .permit)])),
        Case(
            "asks for the configuration twice while logged in, and plays twice", .breaks("2, 3, 4: \(loggedIn)"),
            .profile("cable"), .configuration, .configuration, .authorize(), .authorize()),
        Case(
            "asks for the configuration at its start, before it looks for the login",
            .breaks("1, 2: \(loggedIn)"), .configuration, .profiles(["cable"]), .authorize()),
        Case(
            "asks for the configuration at its start, before the platform's login", .breaks("1, 2: \(loggedIn)"),
            .configuration, .partnerProfile(["cable"])),
        Case(
            "asks for the configuration, and finds the login of a second screen", .keeps(2), .configuration,
            .look(finds: ["cable"]), .authorize()),
        Case(
            "asks for the configuration in vain while logged in", .keeps(1), .profile("cable"),
            .configuration.answered(503), .authorize()),
        Case(
            "asks for the configuration while logged in, and the viewer chooses another provider", .keeps(1, 2, 4),
            .profile("cable"), .configuration, .session(mvpd: "fiber"), .look(finds: ["fiber"])),
        Case(
            "asks for the configuration while logged in, and lets a second screen choose", .keeps(1, 2),
            .profile("cable"), .configuration, .session(mvpd: nil)),
        Case(
            "asks for the configuration to confirm the old provider", .breaks("2, 3: \(loggedIn)"),
            .profile("cable"), .configuration, .session(mvpd: "cable"), .authorize()),
        Case(
            "asks for the configuration, and begins the platform's login", .keeps(1, 2), .profile("cable"),
            .configuration, .partnerSession()),
        Case(
            "asks for the configuration for a code of another screen", .keeps(1, 2), .profile("cable"),
            .configuration, .resume(mvpd: "cable"), .authorize()),
        Case(
            "asks for the configuration after the end of the login, and logs in again", .keeps(1, 2),
            .profile("cable", ends: 10), .configuration.at(5), .session(mvpd: "cable").at(10.5)),
        Case(
            "asks for the configuration, and logs in again in the moment of the old login's end",
            .breaks("2, 3: \(loggedIn)"), .profile("cable", ends: 10), .configuration.at(5),
            .session(mvpd: "cable").at(10)),
        Case(
            "asks for the configuration after a logout, and logs in again", .keeps(1, 3), .profile("cable"),
            .logout("cable"), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the logout of another provider", .breaks("3, 4: \(loggedIn)"),
            .profiles(["cable", "fiber"]), .logout("fiber"), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after all logins have gone, and logs in again", .keeps(1, 3),
            .profiles(["cable"]), .profiles([]), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the login has gone, and logs in again", .keeps(1, 3),
            .profile("cable"), .profile("cable", exists: false), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after another provider had no login", .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .profile("fiber", exists: false), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after a look for a code found nothing", .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .look(), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after the service did not answer about the login",
            .breaks("3, 4: \(loggedIn)"), .profile("cable"), .profiles([]).answered(500), .configuration,
            .authorize()),
        Case(
            "asks for the configuration after a decision asked for a login", .keeps(1, 3), .profile("cable"),
            .authorize("NEWS", .error(action: "authentication")), .configuration, .session(mvpd: "cable")),
        Case(
            "asks for the configuration after a denial, and plays something else", .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .authorize("NEWS", .denial), .configuration, .authorize("SPORT")),
        Case(
            "asks for the configuration, and is denied a channel", .keeps(1, 2), .profile("cable"), .configuration,
            .authorize("NEWS", .denial)),
        Case(
            "asks for the configuration, and plays with a provider that needs no login", .keeps(1, 2),
            .profile("cable"), .configuration, .authorize("NEWS", .permit, as: "temp-pass")),
        Case(
            "asks for one brand's configuration while another brand's viewer plays", .keeps(1, 2),
            .profile("cable"), .configuration.brand("OTHER"), .authorize(), .session(mvpd: "cable").brand("OTHER")),
        Case(
            "asks for both brands' configurations while one brand's viewer plays", .breaks("3, 4: \(loggedIn)"),
            .profile("cable"), .configuration.brand("OTHER"), .configuration, .authorize()),
        Case(
            "finds the login of the second of two brands", .breaks("1, 3: \(loggedIn)"), .configuration,
            .profiles(["cable"]).brand("OTHER"), .profiles(["cable"])),
        Case(
            "two devices: one asks for the configuration, the other one plays", .keeps(1, 2),
            .profile("cable").with("two").from("television"), .configuration,
            .authorize().with("two").from("television")),
    ]

    @Test(arguments: caches)
    func theConfiguration_isKept_forTwoMinutesAtLeast(one: Case) throws { try one.check("CL5") }

    private static let again = "The configuration was requested again after"

    private static let caches: [Case] = [
        Case(
            "asks for the configuration again after two minutes", .keeps(1, 2), .configuration.at(0),
            .configuration.at(120)),
        Case(
            "asks for the configuration again after 119 seconds", .breaks("1, 2: \(again) 119 seconds."),
            .configuration.at(0), .configuration.at(119)),
        Case(
            "asks for the configuration three times, each a minute after the last",
            .breaks("1, 2: \(again) 60 seconds.", "2, 3: \(again) 60 seconds."), .configuration.at(0),
            .configuration.at(60), .configuration.at(120)),
        Case("asks for the configuration once", .nothing, .configuration),
        Case("asks for the configurations of two brands", .nothing, .configuration, .configuration.brand("OTHER")),
        Case(
            "asks for the configuration again after that of another brand", .breaks("1, 3: \(again) 2 seconds."),
            .configuration, .configuration.brand("OTHER"), .configuration),
        Case(
            "repeats a request for the configuration that failed", .nothing, .configuration.answered(503),
            .configuration),
        Case(
            "asks for the configuration again, and in vain in between", .breaks("1, 3: \(again) 2 seconds."),
            .configuration, .configuration.answered(503), .configuration),
        Case(
            "asks for the configuration after each of two starts", .nothing, .profiles([]), .configuration,
            .profiles([]), .configuration),
        Case(
            "starts with the profile of one provider in between", .nothing, .configuration, .profile("cable"),
            .configuration),
        Case(
            "asks for the configuration twice after a start", .breaks("3, 4: \(again) 1 second."), .configuration,
            .profiles([]), .configuration, .configuration),
        Case(
            "looks for the profile of a code in between", .breaks("1, 3: \(again) 2 seconds."), .configuration, .look(),
            .configuration),
        Case("logs in once with a configuration", .nothing, .configuration, .session()),
        Case("logs in twice with one configuration", .keeps(1, 2, 3), .configuration, .session("A"), .session("B")),
        Case(
            "logs in again 119 seconds after the configuration", .keeps(1, 2, 3), .configuration.at(0), .session("A"),
            .session("B").at(119)),
        Case(
            "logs in again two minutes after the configuration", .nothing, .configuration.at(0), .session("A"),
            .session("B").at(120)),
        Case(
            "logs in twice, and lets a second screen choose once", .nothing, .configuration, .session("A", mvpd: nil),
            .session("B")),
        Case("logs in twice, without any configuration", .nothing, .session("A"), .session("B")),
        Case(
            "logs in once with each of two configurations", .keeps(1, 3), .configuration.at(0), .session("A"),
            .configuration.at(130), .session("B")),
        Case(
            "two devices ask for the configuration", .nothing, .configuration,
            .configuration.with("two").from("television")),
    ]
}
