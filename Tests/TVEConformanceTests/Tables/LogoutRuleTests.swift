import TVEModels
import Testing

/// CL19 and CL20: the logout.
struct LogoutRuleTests {
    @Test(arguments: logouts)
    func thePageOfALogout_isOpened(one: Case) throws { try one.check("CL19") }

    private static let page = "https://cable.example/logout?id=1"
    private static let opened = Sent.page("/logout").query("id=1")
    private static let never = "The url of the logout was never opened."

    /// A logout whose next step has a page and, by its type, is the viewer's.
    private static func interactive(_ name: String) -> Sent {
        let step: MetadataValue = ["actionName": .string(name), "actionType": "interactive", "url": .string(page)]
        return .logout().answered(200, ["logouts": ["cable": step]])
    }

    private static func onA(_ type: String) -> Case {
        Case(
            "logs out on a \(type), which has no browser", verdict: .nothing, .loginPage(),
            .logout(url: page, action: "logout").info(["primaryHardwareType": .string(type)]), .configuration)
    }

    /// The same address, written by the service and by the browser, with the path and query of the request.
    @Test(arguments: [
        ("/l?a=b%3a%2f", "/l", "a=b%3A%2F"), ("/l?a=b c", "/l", "a=b%20c"), ("/l?a=\u{FC}", "/l", "a=%C3%BC"),
        ("/l?a=%fc", "/l", "a=%FC"), ("/l?a=b|c", "/l", "a=b%7Cc"), ("/%7el", "/~l", ""), ("/l?", "/l", ""),
        ("//sp.example/l?a=b", "/l", "a=b"), ("https://sp.example:443/l", "/l", ""), ("l?a=b", "/l", "a=b"),
        ("l?a=b", "/api/v2/DEMO/logout/l", "a=b"), ("../end?a=b", "/api/v2/DEMO/end", "a=b"),
        ("https://cable.example/a/../l?a=b", "/l", "a=b"), ("/a/./b/..", "/a/", ""), ("/..", "/", ""),
        ("?a=b", "/api/v2/DEMO/logout/cable", "a=b"),
    ])
    func thePageOfALogout_isFound_howeverItsAddressIsWritten(url: String, path: String, query: String) throws {
        let logout = Sent.logout(url: url, action: "logout")
        let page = Sent.page(path, host: "sp.example").query(query).method("POST")
        try Case("opens \(url)", verdict: .keeps(2, 3), .loginPage(), logout, page).check("CL19")
        let other = page.query("\(query)x")
        try Case("opens another page", verdict: .breaks("2: \(Self.never)"), .loginPage(), logout, other).check("CL19")
    }

    private static let logouts: [Case] = [
        Case(
            "does not open the page of the logout, and the viewer of another device logs in on a second screen",
            verdict: .breaks("3: \(never)"),
            .session("A", mvpd: nil, redirect: nil, lacks: ["mvpd"]).with("two").from("television"), .loginPage(),
            .logout(url: page, action: "logout"), .configuration),
        Case(
            "logs out where the page has no address", verdict: .keeps(2), .loginPage(),
            .logout(url: "", action: "logout"), .configuration),
        Case(
            "logs out where the recording hides the address of the page", verdict: .nothing, .loginPage(),
            .logout(url: "[REDACTED]", action: "logout"), .logout(url: "***", action: "logout"), .configuration),
        Case("opens the page of the logout", verdict: .keeps(1, 2), .logout(url: page, action: "logout"), opened),
        Case(
            "opens the page of the logout as the service names it", verdict: .keeps(1, 2),
            .logout(url: "/logout?id=1", action: "logout"), opened),
        Case(
            "opens the page of the logout, which has no query", verdict: .keeps(1, 2),
            .logout(url: "http://cable.example/logout", action: "logout"), .page("/logout")),
        Case(
            "opens the start page of a host as the page of the logout", verdict: .keeps(1, 2),
            .logout(url: "https://cable.example/", action: "logout"), .page("/")),
        Case(
            "opens a host as the page of the logout", verdict: .keeps(1, 2),
            .logout(url: "https://cable.example", action: "logout"), .page("/")),
        Case(
            "opens a host and a query as the page of the logout", verdict: .keeps(1, 2),
            .logout(url: "https://cable.example?id=1", action: "logout"), .page("/").query("id=1")),
        Case(
            "opens the page of the logout, of which a browser sends no fragment", verdict: .keeps(1, 2),
            .logout(url: page + "#top", action: "logout"), opened),
        Case("logs out where no page is needed", verdict: .keeps(1), .logout()),
        Case("logs out where the system's settings are needed", verdict: .keeps(1), .logout(action: "partner_logout")),
        Case(
            "logs out where an action without a page has an address", verdict: .keeps(2, 3, 4, 5), .loginPage(),
            .logout(url: page), .logout(url: page, action: "invalid"), .logout(url: page, action: "partner_logout"),
            .logout(url: page, action: "later"), .configuration),
        Case(
            "does not open the page of a new action that the viewer must take", verdict: .breaks("2: \(never)"),
            .loginPage(), interactive("later"), .configuration),
        Case(
            "logs out where a step without a page has one, and is the viewer's by its type",
            verdict: .keeps(2, 3, 4), .loginPage(), interactive("complete"), interactive("invalid"),
            interactive("partner_logout"), .configuration),
        Case(
            "logs out in vain, and the answer has a page", verdict: .nothing, .loginPage(),
            .logout(url: page, action: "logout").status(500), .configuration),
        Case(
            "finds the page of a logout in an answer about profiles", verdict: .nothing, .loginPage(),
            .profiles([]).answered(
                200, ["profiles": [:], "logouts": ["cable": ["actionName": "logout", "url": .string(page)]]]),
            .configuration),
        Case(
            "does something else in the moment of the answer to the logout", verdict: .breaks("2: \(never)"),
            .loginPage(), .logout(url: page, action: "logout").at(5).took(1), .configuration.at(6)),
        Case(
            "does not open the page of a logout with a blank after its name", verdict: .breaks("2: \(never)"),
            .loginPage(), .logout(url: page, action: "logout "), .configuration),
        Case(
            "logs out where nothing is to be done, with blanks around the name", verdict: .keeps(2, 3), .loginPage(),
            .logout(url: page, action: " complete "), .logout(url: " ", action: "logout"), .configuration),
        Case(
            "does not open the page of a step without a name", verdict: .nothing, .loginPage(),
            .logout().answered(200, ["logouts": ["cable": ["url": .string(page)]]]),
            .logout().answered(200, ["logouts": ["cable": ["actionType": "none", "url": .string(page)]]]),
            .logout(url: page, action: " "), .configuration),
        Case("logs out in vain", verdict: .nothing, .loginPage(), .logout().answered(500), .configuration),
        Case(
            "does not open the page of the logout", verdict: .breaks("2: \(never)"), .loginPage(),
            .logout(url: page, action: "logout"), .configuration),
        Case(
            "has opened the page of the logout before it alone", verdict: .breaks("3: \(never)"), .loginPage(), opened,
            .logout(url: page, action: "logout"), .configuration),
        Case(
            "opens another page", verdict: .breaks("2: \(never)"), .loginPage(), .logout(url: page, action: "logout"),
            .page("/logout").query("id=2")),
        Case(
            "opens a page of another path", verdict: .breaks("2: \(never)"), .loginPage(),
            .logout(url: page, action: "logout"),
            .page("/goodbye").query("id=1")),
        Case(
            "sends a request of that path itself", verdict: .breaks("2: \(never)"), .loginPage(),
            .logout(url: "/conformance/plays/x", action: "logout"), .play("x")),
        Case(
            "does not open the page of the logout, and the recording has no browser", verdict: .nothing,
            .logout(url: page, action: "logout"), .configuration),
        Case(
            "does not open the page of the logout, and the browser in the recording logs nobody in", verdict: .nothing,
            .page("/news"), .logout(url: page, action: "logout"), .configuration),
        Case(
            "does not open the page of the logout before the recording ends", verdict: .nothing, .loginPage(),
            .logout(url: page, action: "logout")),
        Case(
            "opens the page of the second of two logouts", verdict: .breaks("2: \(never)"), .loginPage(),
            .logout(url: page, action: "logout"), .logout("fiber", url: "https://fiber.example/end", action: "logout"),
            .page("/end")),
        Case(
            "opens the page before and after the logout", verdict: .keeps(2, 4), .loginPage(),
            .logout(url: page, action: "logout").at(5), opened.at(3), opened.at(6)),
        Case(
            "logs out on a device that does not say what it is", verdict: .breaks("2: \(never)"), .loginPage(),
            .logout(url: page, action: "logout").info(["model": "A"]), .configuration),
        Case(
            "logs out where the viewer logs in on a second screen", verdict: .nothing,
            .session(), .typed("code"), .loginPage(),
            .logout(url: page, action: "logout"), .configuration),
        Case(
            "another device does something after a logout, with which the recording ends for its device",
            verdict: .nothing, .loginPage(), .logout(url: page, action: "logout"),
            .configuration.with("two").from("television")),
        Case(
            "sent a request before the answer to the logout came, and does no more", verdict: .nothing, .loginPage(),
            .logout(url: page, action: "logout").at(5).took(1), .configuration.at(5.5)),
        Case(
            "two devices log out, and one of them opens the page", verdict: .breaks("3: \(never)"), .loginPage(),
            .logout(url: page, action: "logout"),
            .logout(url: page, action: "logout").with("two").from("television"), opened,
            .configuration.with("two").from("television"), .configuration),
        Case(
            "two devices log out, of which only the one that goes on must have opened the page",
            verdict: .keeps(2, 3, 4), .loginPage(), .logout(url: page, action: "logout"),
            .logout(url: page, action: "logout").with("two").from("television"), opened,
            .configuration.with("two").from("television")),
        Case(
            "two devices log out and open the page", verdict: .keeps(2, 3, 4, 5), .loginPage(),
            .logout(url: page, action: "logout"),
            .logout(url: page, action: "logout").with("two").from("television"), opened, opened,
            .configuration.with("two").from("television"), .configuration),
        Case(
            "logs out again, and opens the page once", verdict: .keeps(2, 3, 4), .loginPage(),
            .logout(url: page, action: "logout"), .logout(url: page, action: "logout"), opened, .configuration),
        onA("SetTopBox"), onA("TV"), onA("MediaPlayer"), onA("GamesConsole"),
    ]

    @Test(arguments: denials)
    func aLogout_breaksTheRow_rightAfterADenial(one: Case) throws { try one.check("CL20") }

    private static let broken = "The client logged out right after a denial."

    private static let lost = "The recording does not have a body of these exchanges, or it cannot be read: 1."

    private static let denials: [Case] = [
        Case(
            "is denied two channels, and logs out within two seconds",
            verdict: .breaks("1, 3: \(broken)", "2, 3: \(broken)"), .authorize("NEWS", .denial).at(0),
            .authorize("SPORT", .denial).at(0.3), .logout().at(0.6)),
        Case(
            "finds no profile, logs out, and finds that of a new login in the same moment",
            verdict: .breaks("1, 2: The client logged out right after an answer without a profile."),
            .profiles([]).at(0), .logout().at(1), .look(finds: ["cable"]).at(1)),
        Case(
            "is denied because the login is missing, and logs out right afterwards",
            verdict: .breaks("1, 2: \(broken)"),
            .authorize("NEWS", .error(code: "authenticated_profile_missing", action: "authentication")).at(0),
            .logout().at(1)),
        Case(
            "lists another channel after a denial, and logs out within two seconds",
            verdict: .breaks("1, 3: \(broken)"), .authorize("NEWS", .denial).at(0), .preauthorize("SPORT").at(0.3),
            .logout().at(0.6)),
        Case(
            "logs out right after a denial, and plays something else after that",
            verdict: .breaks("1, 2: \(broken)"), .authorize("NEWS", .denial).at(0), .logout().at(0.6),
            .authorize("SPORT").at(1)),
        Case(
            "finds no profile, and logs out before the profile of a new login comes",
            verdict: .breaks("1, 3: The client logged out right after an answer without a profile."),
            .profiles([]).at(0), .look(finds: ["cable"]).at(0.5).took(1), .logout().at(1)),
        Case(
            "finds no profile, logs in in another brand, and logs out within two seconds",
            verdict: .breaks("1, 3: The client logged out right after an answer without a profile."),
            .profiles([]).at(0), .look(finds: ["cable"]).brand("OTHER").at(0.5), .logout().at(1)),
        Case(
            "logs out 1.9 seconds after a denial", verdict: .breaks("1, 2: \(broken)"),
            .authorize("NEWS", .denial).at(0),
            .logout().at(1.9)),
        Case(
            "logs out two seconds after a denial", verdict: .keeps(1, 2), .authorize("NEWS", .denial).at(0),
            .logout().at(2)),
        Case(
            "logs out 1.9 seconds after the answer with a denial", verdict: .breaks("1, 2: \(broken)"),
            .authorize("NEWS", .denial).at(0).took(5), .logout().at(6.9)),
        Case(
            "logs out before the answer with a denial has come", verdict: .nothing,
            .authorize("NEWS", .denial).at(0).took(5),
            .logout().at(4)),
        Case(
            "logs out in the moment of a denial", verdict: .breaks("1, 2: \(broken)"),
            .authorize("NEWS", .denial).at(0),
            .logout().at(0)),
        Case(
            "looks for its profile after a denial, and logs out within two seconds",
            verdict: .breaks("1, 3: \(broken)"), .authorize("NEWS", .denial).at(0), .profile("cable").at(0.3),
            .logout().at(0.6)),
        Case(
            "looks for its profile after a denial, and logs out two seconds after the denial", verdict: .keeps(1, 2),
            .authorize("NEWS", .denial).at(0), .profile("cable").at(0.3), .logout().at(2)),
        Case(
            "plays something else after a denial, and logs out within two seconds", verdict: .keeps(1, 2),
            .authorize("NEWS", .denial).at(0), .authorize("SPORT").at(0.3), .logout().at(0.6)),
        Case(
            "sent a request before the answer with a denial came, and logs out after it",
            verdict: .breaks("1, 3: \(broken)"), .authorize("NEWS", .denial).at(0).took(1), .configuration.at(0.5),
            .logout().at(1.5)),
        Case(
            "logs out before and after the answer with a denial", verdict: .breaks("1, 3: \(broken)"),
            .authorize("NEWS", .denial).at(0).took(1), .logout("fiber").at(0.5), .logout().at(1.5)),
        Case(
            "asks for the configuration after an answer without a profile, and logs out within two seconds",
            verdict: .breaks("1, 3: The client logged out right after an answer without a profile."),
            .profile("cable", exists: false).at(0), .configuration.at(0.5), .logout().at(1)),
        Case(
            "logs out after a list with one denial", verdict: .breaks("1, 2: \(broken)"),
            .preauthorize([("A", .permit), ("B", .denial)]), .logout()),
        Case(
            "logs out after an error", verdict: .breaks("1, 2: \(broken)"), .authorize().refused(action: "none"),
            .logout()),
        Case("logs out after a permission", verdict: .nothing, .authorize(), .logout()),
        Case("does something else after a denial", verdict: .keeps(1, 2), .authorize("NEWS", .denial), .configuration),
        Case(
            "does something else after a denial, and then logs out", verdict: .keeps(1, 2), .authorize("NEWS", .denial),
            .configuration, .logout()),
        Case(
            "logs out right after an answer without a profile",
            verdict: .breaks("1, 2: The client logged out right after an answer without a profile."),
            .profile("cable", exists: false).at(0), .logout().at(1.9)),
        Case(
            "logs out right after an error that says that the login is missing",
            verdict: .breaks("1, 2: The client logged out right after an answer without a profile."),
            .profile("cable").refused(404, code: "authenticated_profile_missing", action: "authentication").at(0),
            .logout().at(1)),
        Case(
            "logs out right after a question for profiles that failed", verdict: .nothing,
            .profiles([]).answered(500).at(0), .logout().at(1)),
        Case(
            "logs out right after a question for profiles without a new answer", verdict: .nothing,
            .profiles(["cable"]).answered(304).answer(nil).at(0), .logout().at(1)),
        Case(
            "logs out right after a question for profiles that was not answered", verdict: .nothing,
            .profiles(["cable"]).answered(0).answer(nil).at(0), .logout().at(1)),
        Case(
            "logs out right after a profile that the recording has cut", verdict: .unsure(lost),
            .profile("cable").answer(#"{"profi"#).at(0), .logout().at(1)),
        Case(
            "logs out right after a profile that the recording lacks", verdict: .unsure(lost),
            .profile("cable").answer(nil).at(0), .logout().at(1)),
        Case(
            "logs out two seconds after an answer without a profile", verdict: .nothing,
            .profile("cable", exists: false).at(0), .logout().at(2)),
        Case(
            "logs out right after an answer with a profile", verdict: .nothing, .profile("cable").at(0), .logout().at(1)
        ),
        Case(
            "logs out of another provider after a denial", verdict: .keeps(1, 2), .authorize("NEWS", .denial),
            .logout("fiber")),
        Case(
            "logs out in another brand after a denial", verdict: .keeps(1, 2), .authorize("NEWS", .denial),
            .logout().brand("SECOND")),
        Case(
            "looks for two profiles at a logout, of which one is missing", verdict: .nothing,
            .profile("cable").at(0), .profile("fiber", exists: false).at(0.3), .logout().at(0.8)),
        Case(
            "logs out right after it finds no profile at all",
            verdict: .breaks("1, 2: The client logged out right after an answer without a profile."),
            .profiles([]).at(0), .logout().at(1)),
        Case(
            "finds no profile, logs in, and logs out within two seconds, as automatic tests do", verdict: .nothing,
            .profiles([]).at(0), .look(finds: ["cable"]).at(0.5), .logout().at(1)),
        Case(
            "finds no profile, logs in at another provider, and logs out within two seconds",
            verdict: .breaks("1, 3: The client logged out right after an answer without a profile."),
            .profiles([]).at(0), .look(finds: ["fiber"]).at(0.5), .logout().at(1)),
        Case(
            "finds no profile after a login, and logs out within two seconds",
            verdict: .breaks("2, 3: The client logged out right after an answer without a profile."),
            .look(finds: ["cable"]).at(0), .profiles([]).at(0.5), .logout().at(1)),
        Case(
            "finds no profile and, at the same time, one that is answered first, and logs out",
            verdict: .breaks("1, 3: The client logged out right after an answer without a profile."),
            .profiles([]).at(0).took(0.9), .look(finds: ["cable"]).at(0.1).took(0.2), .logout().at(1.5)),
        Case(
            "is denied because the login is missing, logs in, and logs out within two seconds",
            verdict: .keeps(1, 2),
            .authorize("NEWS", .error(code: "authenticated_profile_missing", action: "authentication")).at(0),
            .look(finds: ["cable"]).at(0.5), .logout().at(1)),
        Case(
            "is denied, finds the profile as before, and logs out within two seconds",
            verdict: .breaks("1, 3: The client logged out right after a denial."),
            .authorize("NEWS", .denial).at(0), .profiles(["cable"]).at(0.5), .logout().at(1)),
        Case(
            "logs out in another brand right after it finds no profile at all", verdict: .nothing,
            .profiles([]).at(0), .logout().brand("SECOND").at(1)),
        Case("does nothing after a denial", verdict: .nothing, .authorize("NEWS", .denial)),
        Case(
            "logs out on another device after a denial", verdict: .nothing, .authorize("NEWS", .denial),
            .logout().with("two").from("television")),
    ]
}
