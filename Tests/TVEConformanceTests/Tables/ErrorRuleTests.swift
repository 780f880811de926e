import TVEModels
import Testing

/// CL25: errors and failures.
struct ErrorRuleTests {
    @Test(arguments: failures)
    func aFailure_isRepeatedTwiceAtMost(one: Case) throws { try one.check("CL25") }

    private static func row(_ what: String, times count: Int, with reason: String) -> String {
        "\(what) failed \(count) times in a row with \(reason)."
    }

    private static func failed(_ status: Int, _ count: Int) -> [Sent] {
        Array(repeating: .profiles([]).answered(status), count: count)
    }

    private static func failed(_ action: String, _ count: Int) -> [Sent] {
        Array(repeating: .profiles([]).refused(action: action), count: count)
    }

    private static func endedPass(every seconds: Double) -> [Sent] {
        let code = "temporary_access_duration_limit_exceeded"
        let refused = Sent.profile("pass").refused(code: code, action: "authentication")
        return (0..<3).map { refused.at(Double($0) * seconds) }
    }

    private static let failures: [Case] = [
        Case(
            "polls between errors that say something else, and is led elsewhere in between", verdict: .keeps(1, 3, 4),
            .look().refused(action: "none").at(0), .look().answered(399).at(5), .look().refused(action: "none").at(10),
            .look().refused(action: "none").at(15)),
        Case(
            "polls while an unknown error asks for a login", verdict: .nothing,
            sent: polls { $0.refused(action: "authentication") }),
        Case(
            "polls where the action alone says that the configuration is wrong",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action configuration"))"),
            sent: polls { $0.refused(500, action: "configuration") }),
        Case(
            "sends a failing request three times with tokens that a tool has masked",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 403"))"),
            sent: Array(repeating: .profiles([]).with("••••").answered(403), count: 3)),
        Case("sends a failing request twice", verdict: .keeps(1, 2), sent: failed(403, 2)),
        Case(
            "sends a failing request three times",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 403"))"),
            sent: failed(403, 3)),
        Case(
            "sends a failing request three times at once", verdict: .keeps(1, 2, 3),
            sent: Sent.profiles([]).answered(403).threeAtOnce),
        Case(
            "sends a failing request three times at once, and twice more",
            verdict: .breaks("1, 4, 5: \(row("profiles", times: 3, with: "HTTP 403"))"),
            sent: Sent.profiles([]).answered(403).threeAtOnce + failed(403, 2)),
        Case(
            "sends a request three times that fails with 400",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 400"))"),
            sent: failed(400, 3)),
        Case(
            "sends a request three times that fails with 499",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 499"))"),
            sent: failed(499, 3)),
        Case(
            "sends a failing request six times",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 403"))"),
            sent: failed(403, 6)),
        Case("sends a request four times that fails with 500", verdict: .keeps(1, 2, 3, 4), sent: failed(500, 4)),
        Case(
            "sends a request five times that fails with 500",
            verdict: .breaks("1, 2, 3, 4, 5: \(row("profiles", times: 5, with: "HTTP 500"))"), sent: failed(500, 5)),
        Case("repeats three times where the error says so", verdict: .keeps(1, 2, 3, 4), sent: failed("retry", 4)),
        Case(
            "goes on after an error that says something else",
            verdict: .breaks("1, 2, 3, 4, 5: \(row("profiles", times: 5, with: "HTTP 403"))"),
            sent: failed(500, 2) + failed(403, 9)),
        Case(
            "polls through an outage, which other rows judge", verdict: .nothing,
            sent: (0..<10).map { Sent.look().answered(503).at(Double($0) * 5) }),
        Case(
            "polls in an outage that has an error", verdict: .nothing,
            sent: (0..<10).map { Sent.look().refused(500, action: "none").at(Double($0) * 2.5) }),
        Case(
            "polls without a pause in an outage",
            verdict: .breaks("2, 3, 4, 5, 6: \(row("profileOfCode", times: 5, with: "HTTP 503"))"),
            sent: (0..<10).map { Sent.look().answered(503).at(Double($0) * 2.4) }),
        Case(
            "polls through the refusals of a network", verdict: .nothing,
            sent: (0..<10).map { Sent.look().welcomed.status(403).at(Double($0) * 5) }),
        Case(
            "polls while the service has no login", verdict: .nothing,
            sent: (0..<10).map {
                Sent.look().refused(code: "authenticated_profile_missing", action: "authentication").at(Double($0) * 5)
            }),
        Case(
            "polls for a used-up TempPass",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action authentication"))"),
            sent: (0..<4).map {
                Sent.look().refused(code: "temporary_access_duration_limit_exceeded", action: "authentication")
                    .at(Double($0) * 5)
            }),
        Case(
            "polls while the service has no login, and no action", verdict: .nothing,
            sent: polls { $0.answered(403, ["code": "authenticated_profile_missing", "status": 403]) }),
        Case(
            "polls while the provider cannot be reached, whatever the action says", verdict: .nothing,
            sent: polls { $0.refused(code: "network_connection_timeout", action: "none") }),
        Case(
            "polls while the integration is degraded", verdict: .nothing,
            sent: polls { $0.refused(code: "degraded_integration", action: "none") }),
        Case(
            "polls after too many attempts at the provider", verdict: .nothing,
            sent: polls { $0.refused(code: "maximum_attempts_exceeded", action: "none") }),
        Case(
            "polls through an error of the service with another status", verdict: .nothing,
            sent: polls { $0.refused(400, code: "internal_error", action: "none") }),
        Case(
            "polls through an error of the service whose status is in the error alone", verdict: .nothing,
            sent: polls { $0.answered(403, ["code": "some_code", "action": "none", "status": 500]) }),
        Case(
            "polls through a throttle whose status is in the error alone", verdict: .nothing,
            sent: polls { $0.answered(403, ["code": "some_code", "action": "none", "status": 429]) }),
        Case(
            "polls through an error whose status says that it lasts",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action none"))"),
            sent: polls { $0.answered(403, ["code": "some_code", "action": "none", "status": 499]) }),
        Case(
            "polls where the error says so", verdict: .nothing, sent: polls { $0.refused(action: "retry") }),
        Case(
            "polls for a TempPass where the error says so", verdict: .nothing,
            sent: polls { $0.refused(code: "temporary_access_duration_limit_exceeded", action: "retry") }),
        Case(
            "polls for two codes in turn through an outage", verdict: .nothing,
            sent: (0..<6).map { Sent.look($0 % 2 == 0 ? "A" : "B").answered(503).at(Double($0) * 2) }),
        Case(
            "polls where a TempPass is configured wrongly",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action configuration"))"),
            sent: polls {
                $0.refused(500, code: "invalid_configuration_temporary_access", action: "configuration")
            }),
        Case(
            "polls where the configuration is wrong, although no action says so",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action none"))"),
            sent: polls { $0.refused(500, code: "invalid_configuration_platform", action: "none") }),
        Case(
            "polls where it has to register",
            verdict: .breaks(
                "1, 2, 3: \(row("profileOfCode", times: 3, with: "the action application-registration"))"),
            sent: polls { $0.refused(500, action: "application-registration") }),
        Case(
            "polls through failures whose errors the recording lacks", verdict: .unsure(missingBodies),
            sent: polls { $0.status(400).answer("") }),
        Case(
            "polls through failures whose errors a tool has masked", verdict: .unsure(missingBodies),
            sent: polls { $0.status(500).masked }),
        Case(
            "sends a request three times that fails, and the recording lacks the errors",
            verdict: .unsure(missingBodies),
            sent: Array(repeating: .profiles([]).status(403).answer(nil), count: 3)),
        Case(
            "sends a request three times that fails, and a tool has put a JSON string in the place of each error",
            verdict: .unsure(missingBodies),
            sent: [#""hidden""#, #""***""#, #""\u2022\u2022""#].map { Sent.profiles([]).status(403).answer($0) }),
        Case(
            "is denied three titles, and the recording lacks which ones", verdict: .unsure(missingBodies),
            sent: Array(repeating: .authorize().body(nil).refused(action: "none"), count: 3)),
        Case(
            "is denied three titles, and a tool has masked which ones", verdict: .unsure(missingBodies),
            sent: Array(repeating: .authorize().body("***").refused(action: "none"), count: 3)),
        Case(
            "sends three requests during an outage, and the recording lacks their bodies", verdict: .keeps(1, 2, 3),
            sent: Array(repeating: .session().body(nil).answered(503), count: 3)),
        Case(
            "sends a request twice that fails, and the recording lacks the errors", verdict: .keeps(1, 2),
            sent: Array(repeating: .profiles([]).status(403).answer(nil), count: 2)),
        Case(
            "sends a request three times that fails, and succeeds in between, and the recording lacks the errors",
            verdict: .keeps(1, 3, 4), .profiles([]).status(403).answer(nil), .profiles([]),
            .profiles([]).status(403).answer(nil), .profiles([]).status(403).answer(nil)),
        Case(
            "asks for three profiles in vain, and the recording lacks the errors", verdict: .keeps(1, 2, 3),
            sent: ["a", "b", "c"].map { Sent.profile($0).status(403).answer(nil) }),
        Case(
            "sends a request three times that fails, a minute apart, and the recording lacks the errors",
            verdict: .unsure(missingBodies),
            sent: (0..<3).map { Sent.profiles([]).status(400).answer("").at(Double($0) * 60) }),
        Case(
            "sends a request three times that fails, 61 seconds apart, and the recording lacks the errors",
            verdict: .keeps(1, 2, 3),
            sent: (0..<3).map { Sent.profiles([]).status(499).answer("").at(Double($0) * 61) }),
        Case(
            "sends a request three times that fails with 499, and the recording lacks the errors",
            verdict: .unsure(missingBodies), sent: Array(repeating: .profiles([]).status(499).answer(""), count: 3)),
        Case(
            "sends a request three times in an outage without a body", verdict: .keeps(1, 2, 3),
            sent: Array(repeating: .profiles([]).status(500).answer(""), count: 3)),
        Case(
            "sends a request five times that fails, and the recording lacks the errors",
            verdict: .breaks("1, 2, 3, 4, 5: \(row("profiles", times: 5, with: "HTTP 403"))"),
            sent: Array(repeating: .profiles([]).status(403).answer(nil), count: 5)),
        Case(
            "polls through two failures whose errors the recording lacks", verdict: .nothing,
            sent: Array(polls { $0.status(400).answer("") }.prefix(2))),
        Case(
            "polls through an outage without a body", verdict: .nothing, sent: polls { $0.status(503).answer("") }),
        Case(
            "polls at a service that has ended",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "HTTP 410"))"),
            sent: (0..<4).map { Sent.look().answered(410).at(Double($0) * 5) }),
        Case(
            "polls where the error says something else",
            verdict: .breaks("1, 2, 3: \(row("profileOfCode", times: 3, with: "the action none"))"),
            sent: (0..<4).map { Sent.look().refused(action: "none").at(Double($0) * 5) }),
        Case(
            "repeats four times where the error says so",
            verdict: .breaks("1, 2, 3, 4, 5: \(row("profiles", times: 5, with: "the action retry"))"),
            sent: failed("retry", 5)),
        Case(
            "repeats twice where the error says something else",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "the action none"))"),
            sent: failed("none", 3)),
        Case(
            "repeats twice where the error of a broken service says something else",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "the action none"))"),
            sent: Array(repeating: .profiles([]).refused(500, action: "none"), count: 3)),
        Case(
            "sends a failing request three times, a minute apart",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 403"))"),
            sent: failed(403, 3).enumerated().map { $1.at(Double($0) * 60) }),
        Case(
            "sends a failing request three times, 61 seconds apart", verdict: .keeps(1, 2, 3),
            sent: failed(403, 3).enumerated().map { $1.at(Double($0) * 61) }),
        Case(
            "looks three times, ten seconds apart, for the profile of a TempPass that has ended",
            verdict: .breaks("1, 2, 3: \(row("profile", times: 3, with: "the action authentication"))"),
            sent: endedPass(every: 10)),
        Case(
            "looks three times, eleven seconds apart, for the profile of a TempPass that has ended",
            verdict: .keeps(1, 2, 3), sent: endedPass(every: 11)),
        Case(
            "sends three failing requests for three providers", verdict: .keeps(1, 2, 3), .profile("a").answered(404),
            .profile("b").answered(404), .profile("c").answered(404)),
        Case(
            "sends three failing requests with three queries", verdict: .keeps(1, 2, 3),
            .configuration.query("a=1").answered(404),
            .configuration.query("a=2").answered(404), .configuration.query("a=3").answered(404)),
        Case(
            "sends three failing requests with three bodies", verdict: .keeps(1, 2, 3),
            .session(mvpd: "a").answered(400),
            .session(mvpd: "b").answered(400), .session(mvpd: "c").answered(400)),
        Case(
            "sends a failing request three times, and another one of its kind in between", verdict: .keeps(1, 2, 3, 4),
            .profile("a").answered(404), .profile("a").answered(404), .profile("b").answered(404),
            .profile("a").answered(404)),
        Case(
            "sends a failing request three times, and one to another endpoint in between",
            verdict: .breaks("1, 3, 5: \(row("profiles", times: 3, with: "HTTP 403"))"), .profiles([]).answered(403),
            .configuration.answered(403), .profiles([]).answered(403), .configuration, .profiles([]).answered(403)),
        Case(
            "sends a request three times, which succeeds in between", verdict: .keeps(1, 3, 4),
            .profiles([]).answered(403),
            .profiles([]), .profiles([]).answered(403), .profiles([]).answered(403)),
        Case(
            "sends a request again and again, which is led elsewhere in between", verdict: .keeps(1, 3, 4),
            .profiles([]).answered(403), .profiles([]).answered(399), .profiles([]).answered(403),
            .profiles([]).answered(403)),
        Case("repeats a 401, which is another row's matter", verdict: .nothing, sent: failed(401, 3)),
        Case(
            "sends a request three times in spite of the challenge of another server",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 401"))"),
            sent: Array(repeating: .profiles([]).challenged(), count: 3)),
        Case(
            "sends a request three times in spite of the page of a network with a 401",
            verdict: .breaks("1, 2, 3: \(row("profiles", times: 3, with: "HTTP 401"))"),
            sent: Array(repeating: .profiles([]).answered(401).welcomed, count: 3)),
        Case(
            "sends a request with two tokens, and the viewer tries it again", verdict: .keeps(1, 3, 4, 6),
            .profiles([]).with("one").challenged(), .token("two"), .profiles([]).with("two").challenged(),
            .profiles([]).with("two").challenged(), .token("three"), .profiles([]).with("three").challenged()),
        Case(
            "sends a request with tokens that a tool has masked, in spite of the challenge of another server",
            verdict: .keeps(1, 2, 3), sent: Array(repeating: .profiles([]).with("••••").challenged(), count: 3)),
        Case(
            "asks for a token three times in spite of the challenge of another server",
            verdict: .breaks("1, 2, 3: \(row("token", times: 3, with: "HTTP 401"))"),
            sent: Array(repeating: .token().challenged(), count: 3)),
        Case(
            "goes on with its polls in spite of the challenge of another server", verdict: .nothing,
            sent: (0..<4).map { Sent.look().at(Double($0) * 5).challenged() }),
        Case("repeats a 429, which is another row's matter", verdict: .nothing, sent: failed(429, 3)),
        Case(
            "looks for a refused code again, which is another row's matter", verdict: .nothing,
            sent: Array(
                repeating: .look().refused(410, code: "invalid_authentication_session", action: "none"), count: 3)),
        Case(
            "repeats a refused decision, which is another row's matter", verdict: .nothing,
            sent: Array(repeating: .authorize().refused(action: "none"), count: 3)),
        Case(
            "repeats a decision that fails without a reason",
            verdict: .breaks("1, 2, 3: \(row("authorize", times: 3, with: "HTTP 403"))"),
            sent: Array(repeating: .authorize().answered(403), count: 3)),
        Case("sends requests that succeed", verdict: .nothing, .profiles([]), .profiles([]), .profiles([])),
        Case(
            "two devices send a failing request", verdict: .keeps(1, 2, 3, 4), .profiles([]).answered(403),
            .profiles([]).answered(403), .profiles([]).answered(403).with("two").from("television"),
            .profiles([]).answered(403).with("two").from("television")),
    ]

    /// These codes say, whatever the action is, that the viewer has not logged in yet or that a later poll may succeed.
    @Test(arguments: [
        "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
        "authorization_denied_by_session_invalidated", "authorization_denied_by_hba_policies",
        "identity_not_recognized_by_mvpd", "network_received_error", "network_connection_timeout",
        "maximum_execution_time_exceeded", "maximum_attempts_exceeded", "degraded_integration",
        "internal_server_error", "internal_error",
    ])
    func polls_mayGoOn_afterAnErrorThatMayPass(code: String) throws {
        let sent = Self.polls { $0.refused(code: code, action: "none") }
        try Case("polls after \(code)", verdict: .nothing, sent: sent).check("CL25")
    }

    @Test(arguments: logins)
    func aDecisionThatNeedsALogin_isNotAskedForAgainWithoutOne(one: Case) throws { try one.check("CL25") }

    private static let missingBodies =
        "The recording does not have a body of these exchanges, or it cannot be read: 1, 2, 3."

    private static func lacking(_ number: Int) -> String {
        "The recording does not have a body of these exchanges, or it cannot be read: \(number)."
    }

    private static let missingProfiles =
        "The recording does not have a body of these exchanges, or it cannot be read: 2, 4."

    /// Four polls for the profile of a code, five seconds apart.
    private static func polls(_ change: (Sent) -> Sent) -> [Sent] {
        (0..<4).map { change(.look()).at(Double($0) * 5) }
    }

    private static let missing = "Decisions were asked for again, although the service had asked for a login."
    private static let needsLogin = toLogIn(as: "cable")

    private static func toLogIn(as provider: String) -> Sent {
        .authorize("NEWS", .error(action: "authentication"), as: provider)
    }

    /// Three refusals, each with this request after it.
    private static func rounds(_ sent: Sent) -> [Sent] { (1...3).flatMap { _ in [needsLogin, sent] } }

    private static func between(_ what: String, _ sent: Sent) -> Case {
        Case(
            "is told to log in, \(what), and is told so twice again", verdict: .keeps(1, 3, 4), needsLogin, sent,
            needsLogin,
            needsLogin)
    }

    private static let logins: [Case] = [
        Case(
            "is told to log in, finds its profile, and both again a minute after the first profile",
            verdict: .breaks("3, 5, 6: \(missing)"), needsLogin.at(0), .profile("cable").at(1), needsLogin.at(59),
            .profile("cable").at(61), needsLogin, needsLogin),
        Case(
            "is told to log in, finds its profile after the refusal is forgotten, and both again",
            verdict: .keeps(1, 3, 5, 6), needsLogin.at(0), .profile("cable").at(100), needsLogin, .profile("cable"),
            needsLogin, needsLogin),
        Case("is told to log in", verdict: .keeps(1), needsLogin),
        Case(
            "asks about three portions at once, and is told to log in each time", verdict: .keeps(1, 2, 3),
            needsLogin.at(0).took(0.4), needsLogin.at(0.1).took(0.4), needsLogin.at(0.2).took(0.4)),
        Case("is told to log in, and asks once more", verdict: .keeps(1, 2), needsLogin, needsLogin),
        Case(
            "is told to log in, and asks twice more", verdict: .breaks("1, 2, 3: \(missing)"), needsLogin, needsLogin,
            needsLogin
        ),
        Case(
            "is told to log in, and asks four times more", verdict: .breaks("1, 2, 3: \(missing)"),
            sent: Array(repeating: needsLogin, count: 5)),
        Case(
            "is told to log in, and lists channels", verdict: .breaks("1, 2, 3: \(missing)"), needsLogin,
            .preauthorize([("A", .denial), ("B", .error(action: "authentication"))]), needsLogin),
        Case(
            "is told to log in, plays, and is told so twice again", verdict: .keeps(1, 3, 4), needsLogin, .authorize(),
            needsLogin, needsLogin),
        Case(
            "is told to log in, and twice more, with a failure of the service in between",
            verdict: .breaks("1, 3, 4: \(missing)"), needsLogin, .authorize().answered(503), needsLogin, needsLogin),
        Case(
            "is told to log in, and twice more, with a decision in between that failed",
            verdict: .breaks("1, 3, 4: \(missing)"), needsLogin, .authorize("NEWS", .error(action: "retry")),
            needsLogin, needsLogin),
        Case(
            "is told to log in, and twice more, with a new access token in between",
            verdict: .breaks("1, 4, 5: \(missing)"), needsLogin, .authorize().answered(401).answer(""), .token(),
            needsLogin, needsLogin),
        Case(
            "is told to log in, and twice more, with a throttled request in between",
            verdict: .breaks("1, 3, 4: \(missing)"), needsLogin, .authorize().answered(429).answer(""), needsLogin,
            needsLogin),
        Case(
            "is told to log in, is denied something else, and is told so twice again", verdict: .keeps(1, 3, 4),
            needsLogin, .authorize("SPORT", .denial), needsLogin, needsLogin),
        Case(
            "is told to log in, and twice again after an error that the recording lacks",
            verdict: .unsure(lacking(2)), needsLogin, .authorize().status(403).answer(""), needsLogin, needsLogin),
        Case(
            "is told to log in, and twice again after the denial of what the recording lacks",
            verdict: .keeps(1, 2, 3, 4), needsLogin, .authorize().body(nil).refused(action: "none"), needsLogin,
            needsLogin),
        Case(
            "is told to log in, and twice more, with a failure in between of what the recording lacks",
            verdict: .breaks("1, 3, 4: \(missing)"), needsLogin, .authorize().body(nil).refused(action: "retry"),
            needsLogin, needsLogin),
        Case(
            "is told to log in, looks a code up, and is told so twice again", verdict: .breaks("1, 3, 4: \(missing)"),
            needsLogin,
            .check(), needsLogin, needsLogin),
        Case(
            "is told to log in three times within a minute", verdict: .breaks("1, 2, 3: \(missing)"),
            needsLogin.at(0), needsLogin.at(30), needsLogin.at(60)),
        Case(
            "is told to log in three times within 61 seconds", verdict: .keeps(1, 2, 3),
            needsLogin.at(0), needsLogin.at(30), needsLogin.at(61)),
        Case(
            "is told to log in every 25 seconds", verdict: .breaks("1, 2, 3: \(missing)"),
            sent: (0..<9).map { needsLogin.at(Double($0) * 25) }),
        Case(
            "is told to log in three times, and three times again a minute later",
            verdict: .breaks("1, 2, 3: \(missing)", "4, 5, 6: \(missing)"), needsLogin.at(0), needsLogin, needsLogin,
            needsLogin.at(100), needsLogin, needsLogin),
        Case(
            "is told to log in every six hours", verdict: .keeps(1, 2, 3, 4),
            sent: (0..<4).map { needsLogin.at(Double($0) * 21_600) }),
        Case(
            "is told to log in, finds its profile, and later three times in a row",
            verdict: .breaks("3, 4, 5: \(missing)"), needsLogin.at(0), .profile("cable"), needsLogin.at(100),
            needsLogin, needsLogin),
        Case(
            "is told to log in, finds its profile, and both again later", verdict: .keeps(1, 3, 5, 6),
            needsLogin.at(0), .profile("cable"), needsLogin.at(100), .profile("cable"), needsLogin, needsLogin),
        Case(
            "tries three titles with a used-up TempPass, which is another row's matter", verdict: .nothing,
            .authorize("A", .usedUp, as: "pass"), .authorize("B", .usedUp, as: "pass"),
            .authorize("C", .usedUp, as: "pass")),
        Case("asks for what is denied", verdict: .nothing, .authorize("NEWS", .denial)),
        between("opens a picker", .configuration), between("begins a login", .session()),
        between("begins a platform's login", .partnerSession()), between("looks for its profiles", .profiles([])),
        between("looks for its profile", .profile("cable")),
        Case(
            "is told to log in again and again, and finds its profile each time",
            verdict: .breaks("3, 5, 7: \(missing)"),
            sent: (1...6).flatMap { _ in [needsLogin, Sent.profile("cable")] }),
        Case(
            "is told to log in again and again, and finds a profile that cannot be read",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profile("cable").finding(["cable": [:]]))),
        Case(
            "is told to log in again and again, and finds its profile unreadable beside another one",
            verdict: .breaks("1, 3, 5: \(missing)"),
            sent: rounds(Sent.profiles([]).finding(["cable": [:], "fiber": ["notAfter": 1_900_000_000_000]]))),
        Case(
            "is told to log in again and again, and finds the profile of another provider where it asks for its own",
            verdict: .breaks("1, 3, 5: \(missing)"),
            sent: rounds(Sent.profile("cable").finding(["fiber": ["notAfter": 1_900_000_000_000]]))),
        Case(
            "is told to log in again and again, and all requests for profiles fail",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profiles([]).unanswered)),
        Case(
            "is told to log in again and again, and its profile cannot be found",
            verdict: .keeps(1, 3, 5), sent: rounds(Sent.profile("cable", exists: false))),
        Case(
            "is told to log in again and again, and the recording lacks the answers about its profile",
            verdict: .unsure(missingProfiles), sent: rounds(Sent.profile("cable").answer(nil))),
        Case(
            "is told to log in again and again, and the recording lacks the answers about all profiles",
            verdict: .unsure(missingProfiles), sent: rounds(Sent.profiles([]).answer(nil))),
        Case(
            "is told to log in four times, finds its profile, and the recording lacks an answer about it",
            verdict: .unsure(lacking(2)), needsLogin, .profile("cable").answer(nil), needsLogin, .profile("cable"),
            needsLogin, needsLogin),
        Case(
            "is told to log in three times, finds its profile, and the recording lacks an answer about it",
            verdict: .keeps(1, 2, 5), needsLogin, needsLogin, .profile("cable").answer(nil), .profile("cable"),
            needsLogin),
        Case(
            "is told to log in four times, finds its profile twice, and the recording lacks an answer about it",
            verdict: .unsure(lacking(3)), needsLogin, .profile("cable"), .profile("cable").answer(nil), needsLogin,
            .profile("cable"), needsLogin, needsLogin),
        Case(
            "is told to log in again and again, and the recording lacks every second answer about its profile",
            verdict: .unsure(lacking(4)),
            sent: (1...3).flatMap { _ in
                [needsLogin, Sent.profile("cable"), needsLogin, Sent.profile("cable").answer(nil)]
            }),
        Case(
            "is told to log in, finds its profile up to a minute later, and the recording lacks the first answer",
            verdict: .unsure(lacking(2)), needsLogin.at(0), .profile("cable").answer(nil).at(1), needsLogin.at(30),
            .profile("cable").at(60), needsLogin.at(62), needsLogin),
        Case(
            "is told to log in twice, and the recording lacks the answer about its profile",
            verdict: .keeps(1, 3), needsLogin, .profile("cable").answer(nil), needsLogin),
        Case(
            "is told to log in three times within 70 seconds, and the recording lacks the answers about its profile",
            verdict: .keeps(1, 3, 5), needsLogin.at(0), .profile("cable").answer(nil), needsLogin.at(35),
            .profile("cable").answer(nil), needsLogin.at(70)),
        Case(
            "is told to log in again and again, and the recording lacks the errors about its profile",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 2, 4, 6."),
            sent: rounds(Sent.profile("cable").status(499).answer(""))),
        Case(
            "is told to log in again and again, and its profile cannot be found in an outage without a body",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profile("cable").status(500).answer(""))),
        Case(
            "is told to log in again and again, and the access token is refused where it asks for its profile",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profile("cable").status(401).answer(""))),
        Case(
            "is told to log in again and again, and is throttled where it asks for its profile",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profile("cable").status(429).answer(""))),
        Case(
            "is told to log in again and again, and a tool has masked the answers about its profile",
            verdict: .unsure(missingProfiles), sent: rounds(Sent.profile("cable").masked)),
        Case(
            "is told to log in again and again, and a network answers about its profile with its own page",
            verdict: .breaks("1, 3, 5: \(missing)"), sent: rounds(Sent.profile("cable").welcomed)),
        Case(
            "is told to log in again and again, and logs in each time", verdict: .keeps(1, 4, 7, 10),
            sent: (1...4).flatMap { _ in [needsLogin, Sent.session(), Sent.profile("cable")] }),
        Case(
            "is told to log in, registers, and is told so twice again", verdict: .keeps(2, 4, 5), .token(), needsLogin,
            .registration(), needsLogin, needsLogin),
        Case(
            "is told to log in in each of three brands", verdict: .keeps(1, 2, 3), needsLogin,
            needsLogin.brand("SECOND"), needsLogin.brand("THIRD")),
        Case(
            "is told to log in by each of three providers", verdict: .keeps(1, 2, 3), needsLogin, toLogIn(as: "fiber"),
            toLogIn(as: "satellite")),
        Case(
            "is told to log in by two providers, and asks one of them twice more",
            verdict: .breaks("1, 3, 5: \(missing)"), needsLogin, toLogIn(as: "fiber"), needsLogin,
            toLogIn(as: "fiber"), needsLogin),
        Case(
            "is told to log in again and again, and plays with another provider in between",
            verdict: .breaks("1, 3, 5: \(missing)"), needsLogin, .authorize("NEWS", as: "fiber"), needsLogin,
            .authorize("NEWS", as: "fiber"), needsLogin),
        Case(
            "is told to log in, logs in in another brand, and is told so twice again", verdict: .keeps(1, 3, 4),
            needsLogin, .session().brand("SECOND"), needsLogin, needsLogin),
        Case(
            "is told to log in, finds all profiles but its own, and is told so twice again",
            verdict: .keeps(1, 3, 4), needsLogin, .profiles(["fiber"]), needsLogin, needsLogin),
        Case(
            "is told to log in again and again, and finds all profiles each time",
            verdict: .breaks("3, 5, 7: \(missing)"),
            sent: (1...6).flatMap { _ in [needsLogin, Sent.profiles(["cable", "fiber"])] }),
    ]
}
