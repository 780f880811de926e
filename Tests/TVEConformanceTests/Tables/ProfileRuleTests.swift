import Testing

/// CL10 and CL12: profiles.
struct ProfileRuleTests {
    @Test(arguments: questions)
    func theThirdRequestForAProfile_breaksTheRow_within50Seconds(one: Case) throws { try one.check("CL10") }

    private static func again(_ time: String) -> String { "The same profile was requested 3 times within \(time)." }

    private static let questions: [Case] = [
        Case(
            "asks for a profile three times within 50 seconds", verdict: .breaks("1, 2, 3: \(again("50 seconds"))"),
            .profile("cable").at(0), .profile("cable").at(25), .profile("cable").at(50)),
        Case(
            "asks for a profile three times within 51 seconds", verdict: .keeps(1, 2, 3), .profile("cable").at(0),
            .profile("cable").at(25), .profile("cable").at(51)),
        Case(
            "asks for all profiles three times within 2 seconds", verdict: .breaks("1, 2, 3: \(again("2 seconds"))"),
            .profiles(["cable"]), .profiles(["cable"]), .profiles(["cable"])),
        Case("asks for a profile twice", verdict: .keeps(1, 2), .profile("cable"), .profile("cable")),
        Case(
            "asks for a profile three times, with a query that no document describes",
            verdict: .breaks("1, 2, 3: \(again("2 seconds"))"), .profile("cable").query("a=1"),
            .profile("cable").query("a=2"), .profile("cable")),
        Case(
            "asks for a profile three times, with a request between them whose headers are lost",
            verdict: .keeps(1, 2, 3, 4, 5), .profile("cable"), .profile("cable"), .authorize().withoutHeaders,
            .profile("cable"), .authorize()),
        Case(
            "asks for a profile three times at once", verdict: .keeps(1, 2, 3),
            sent: Sent.profile("cable").threeAtOnce),
        Case(
            "asks for a profile three times at once, and twice more",
            verdict: .breaks("1, 4, 5: \(again("2 seconds"))"),
            sent: Sent.profile("cable").threeAtOnce + [.profile("cable"), .profile("cable")]),
        Case(
            "asks for the profiles of two providers three times each",
            verdict: .breaks("1, 3, 5: \(again("4 seconds"))", "2, 4, 6: \(again("4 seconds"))"),
            .profile("cable"), .profile("fiber"), .profile("cable"), .profile("fiber"), .profile("cable"),
            .profile("fiber")),
        Case(
            "asks for a profile in each of two brands three times",
            verdict: .breaks("1, 3, 5: \(again("4 seconds"))", "2, 4, 6: \(again("4 seconds"))"),
            .profile("cable"), .profile("cable").brand("SECOND"), .profile("cable"),
            .profile("cable").brand("SECOND"), .profile("cable"), .profile("cable").brand("SECOND")),
        Case(
            "asks for a profile three times, and for another one that does not exist in between",
            verdict: .breaks("1, 3, 5: \(again("4 seconds"))"), .profile("cable"), .profile("fiber", exists: false),
            .profile("cable"), .profile("fiber", exists: false), .profile("cable")),
        Case("asks for a profile once, and does no more", verdict: .nothing, .profile("cable")),
        Case(
            "asks for a profile that does not exist, and does something else", verdict: .nothing,
            .profile("cable", exists: false), .configuration),
        Case("finds a profile with a code, and plays", verdict: .keeps(1, 2), .look(finds: ["cable"]), .authorize()),
        Case(
            "finds the platform's profile, and plays", verdict: .keeps(1, 2), .partnerProfile(["cable"]), .authorize(),
            .authorize()),
        Case(
            "has a profile, and then plays something without the service", verdict: .nothing, .profile("cable"), .play()
        ),
        Case(
            "asks for a profile three times, of which the second request asks for another one",
            verdict: .keeps(1, 2, 3),
            .profile("cable"), .profile("fiber"), .profile("cable")),
        Case(
            "asks for a profile, and then three times for another one",
            verdict: .breaks("2, 3, 4: \(again("2 seconds"))"),
            .profile("cable"), .profile("fiber"), .profile("fiber"), .profile("fiber")),
        Case(
            "asks for a profile five times within 4 seconds", verdict: .breaks("1, 2, 3: \(again("2 seconds"))"),
            sent: Array(repeating: .profile("cable"), count: 5)),
        Case(
            "asks for a profile six times within 5 seconds",
            verdict: .breaks("1, 2, 3: \(again("2 seconds"))", "4, 5, 6: \(again("2 seconds"))"),
            sent: Array(repeating: .profile("cable"), count: 6)),
        Case(
            "asks for a profile, and soon three times in a row", verdict: .breaks("2, 3, 4: \(again("50 seconds"))"),
            .profile("cable").at(0), .profile("cable").at(30), .profile("cable").at(60), .profile("cable").at(80)),
        Case(
            "asks for a profile three times, and the second time there is none", verdict: .keeps(1, 2, 3, 4),
            .profile("cable"),
            .profile("cable", exists: false), .profile("cable"), .profile("cable")),
        Case(
            "asks for a profile three times, and lists channels in between",
            verdict: .breaks("1, 3, 4: \(again("3 seconds"))"), .profile("cable"), .preauthorize(), .profile("cable"),
            .profile("cable")),
        Case(
            "asks for a profile three times, and for the configuration in between",
            verdict: .breaks("1, 3, 4: \(again("3 seconds"))"), .profile("cable"), .configuration, .profile("cable"),
            .profile("cable")),
        Case(
            "asks for a profile again after each playback", verdict: .keeps(1, 2, 3, 4), .profile("cable"),
            .authorize(),
            .profile("cable"), .authorize(), .profile("cable")),
        Case(
            "asks for a profile again after a logout", verdict: .keeps(1, 2, 3), .profile("cable"), .profile("cable"),
            .logout("fiber"), .profile("cable")),
        Case(
            "two devices ask for a profile", verdict: .keeps(1, 2), .profile("cable"), .profile("cable"),
            .profile("cable").with("two").from("television")),
    ]

    @Test(arguments: several)
    func aLogin_breaksTheRow_rightAfterSeveralProfiles(one: Case) throws { try one.check("CL12") }

    private static let login = "The client began a login, although there were 2 profiles."

    private static let several: [Case] = [
        Case(
            "plays with one of two profiles", verdict: .keeps(1, 2), .profiles(["cable", "fiber"]),
            .authorize("NEWS", as: "fiber")),
        Case(
            "lists channels with one of two profiles", verdict: .keeps(1, 2), .profiles(["cable", "fiber"]),
            .preauthorize()),
        Case(
            "begins a login in another brand than that of two profiles", verdict: .nothing,
            .profiles(["cable", "fiber"]), .session().brand("SECOND")),
        Case("asks for one of two profiles", verdict: .keeps(1, 2), .profiles(["cable", "fiber"]), .profile("fiber")),
        Case(
            "logs out of one of two profiles", verdict: .keeps(1, 2), .profiles(["cable", "fiber"]), .logout("fiber")),
        Case(
            "plays with neither of two profiles", verdict: .nothing, .profiles(["cable", "fiber"]),
            .authorize("NEWS", as: "other")),
        Case(
            "plays with a third provider, and then logs in", verdict: .nothing, .profiles(["cable", "fiber"]),
            .authorize("NEWS", as: "other"), .session()),
        Case(
            "begins a login with two profiles", verdict: .breaks("1, 2: \(login)"), .profiles(["cable", "fiber"]),
            .session()),
        Case(
            "opens a picker with two profiles", verdict: .breaks("1, 2: \(login)"), .profiles(["cable", "fiber"]),
            .configuration
        ),
        Case(
            "begins a platform's login with two profiles", verdict: .breaks("1, 2: \(login)"),
            .profiles(["cable", "fiber"]),
            .partnerSession()),
        Case(
            "opens a picker with two profiles, and logs in", verdict: .breaks("1, 2: \(login)"),
            .profiles(["cable", "fiber"]),
            .configuration, .session()),
        Case(
            "finds a second profile with a code, and begins a login", verdict: .breaks("1, 3: \(login)"),
            .look(finds: ["cable", "fiber"]), .token(), .session()),
        Case(
            "begins a login five seconds after it finds two profiles", verdict: .breaks("1, 2: \(login)"),
            .profiles(["cable", "fiber"]).at(0).took(1), .session().at(6)),
        Case(
            "begins a login six seconds after it finds two profiles", verdict: .nothing,
            .profiles(["cable", "fiber"]).at(0), .session().at(6)),
        Case(
            "opens a picker six seconds after it finds two profiles, and logs in", verdict: .nothing,
            .profiles(["cable", "fiber"]).at(0), .configuration.at(6), .session()),
        Case(
            "begins a login with a third provider", verdict: .nothing, .profiles(["cable", "fiber"]),
            .session(mvpd: "satellite")),
        Case(
            "begins a login with two profiles, and the recording lacks the provider", verdict: .nothing,
            .profiles(["cable", "fiber"]), .session().body(nil)),
        Case(
            "begins a login with two profiles for a second screen", verdict: .breaks("1, 2: \(login)"),
            .profiles(["cable", "fiber"]), .session(mvpd: nil)),
        Case(
            "begins a login with two profiles for a second screen, and sends an empty provider",
            verdict: .breaks("1, 2: \(login)"), .profiles(["cable", "fiber"]), .session(mvpd: "")),
        Case(
            "opens a picker before the answer with two profiles comes", verdict: .nothing,
            .profiles(["cable", "fiber"]).at(0).took(1), .configuration.at(0.5)),
        Case(
            "opens a picker before the answer with two profiles comes, and logs in after it",
            verdict: .breaks("1, 3: \(login)"), .profiles(["cable", "fiber"]).at(0).took(1), .configuration.at(0.5),
            .session().at(2)),
        Case("begins a login with one profile", verdict: .nothing, .profiles(["cable"]), .session()),
        Case("begins a login without a profile", verdict: .nothing, .profiles([]), .session()),
        Case(
            "begins a login after it has played with one of two profiles", verdict: .keeps(1, 2),
            .profiles(["cable", "fiber"]), .authorize(), .session()),
        Case(
            "looks twice, and plays with one of the two profiles", verdict: .keeps(2, 3),
            .profiles(["cable", "fiber"]),
            .profiles(["cable", "fiber"]), .authorize()),
    ]
}
