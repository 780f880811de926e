import TVEModels
import Testing

/// CL13 to CL16: preauthorization, refusals and playback.
struct DecisionRuleTests {
    @Test(arguments: [
        Case(
            "plays after a preauthorization alone",
            verdict: .breaks("1, 2: NEWS was played after a preauthorization alone."),
            .preauthorize(), .play()),
        Case("plays after a permission", verdict: .keeps(1, 2), .authorize(), .play()),
        Case(
            "plays after a preauthorization and a permission", verdict: .keeps(2, 3), .preauthorize(), .authorize(),
            .play()),
        Case(
            "plays after a permission and a preauthorization", verdict: .keeps(1, 3), .authorize(), .preauthorize(),
            .play()),
        Case(
            "plays twice after a preauthorization alone",
            verdict: .breaks(
                "1, 2: NEWS was played after a preauthorization alone.",
                "1, 3: NEWS was played after a preauthorization alone."), .preauthorize(), .play(), .play()),
        Case(
            "plays twice after a permission, which is another row's matter", verdict: .keeps(1, 2), .authorize(),
            .play(),
            .play()),
        Case("plays without asking, which is another row's matter", verdict: .nothing, .play()),
        Case(
            "plays after a preauthorization that denied it", verdict: .nothing, .preauthorize("NEWS", .denial),
            .play()),
        Case("plays something else than was preauthorized", verdict: .nothing, .preauthorize("NEWS"), .play("SPORT")),
        Case("asks for a permission, and does not play", verdict: .nothing, .authorize()),
        Case(
            "another device plays what was preauthorized for the first one", verdict: .nothing, .preauthorize(),
            .play().from("television")),
    ])
    func aPlayback_needsMoreThanAPreauthorization(one: Case) throws { try one.check("CL13") }

    private static let again = "NEWS was played with the permission of an earlier playback."
    private static let without = "NEWS was played without a permission."

    @Test(arguments: [
        Case("plays after a permission", verdict: .keeps(1, 2), .authorize(), .play()),
        Case("plays twice with one permission", verdict: .breaks("1, 3: \(again)"), .authorize(), .play(), .play()),
        Case(
            "plays twice, each time with a permission", verdict: .keeps(1, 2, 3, 4), .authorize(), .play(),
            .authorize(), .play()
        ),
        Case(
            "plays with a permission that a denial in a list has followed", verdict: .keeps(1, 3), .authorize(),
            .preauthorize("NEWS", .denial), .play()),
        Case(
            "asks for two permissions, and plays twice afterwards", verdict: .breaks("2, 4: \(again)"), .authorize(),
            .authorize(),
            .play(), .play()),
        Case(
            "asks for a permission for each of two brands, and plays twice afterwards", verdict: .keeps(1, 2, 3, 4),
            .authorize(), .authorize().brand("OTHER"), .play(), .play()),
        Case(
            "asks for a permission for each of two brands, and plays three times",
            verdict: .breaks("1, 5: \(again)"), .authorize(), .authorize().brand("OTHER"), .play(), .play(), .play()),
        Case(
            "plays with the permission of one brand after a denial of another one", verdict: .keeps(1, 4),
            .authorize(), .authorize().brand("OTHER"), .authorize("NEWS", .denial).brand("OTHER"), .play()),
        Case(
            "plays with the permission of each of two brands, with a logout from the one in between",
            verdict: .keeps(2, 3, 5), .authorize(), .authorize().brand("OTHER"), .play(), .logout(), .play()),
        Case(
            "plays with the permission of each of two brands, and asks for one of them again in between",
            verdict: .keeps(2, 3, 4, 5, 6), .authorize(), .authorize().brand("OTHER"), .play(), .authorize(), .play(),
            .play()),
        Case(
            "plays after a logout from both brands", verdict: .breaks("6: \(without)"), .authorize(),
            .authorize().brand("OTHER"), .play(), .logout().brand("OTHER"), .logout(), .play()),
        Case(
            "plays twice after a permission of each of two providers for one brand",
            verdict: .breaks("2, 4: \(again)"), .authorize("NEWS", .permit, as: "satellite"), .authorize(), .play(),
            .play()),
        Case(
            "plays with the permission of one provider after a logout from another one", verdict: .keeps(1, 4),
            .authorize("NEWS", .permit, as: "satellite"), .authorize(), .logout(), .play()),
        Case("plays without asking", verdict: .breaks("1: NEWS was played without a permission."), .play()),
        Case(
            "plays after a denial", verdict: .breaks("2: NEWS was played without a permission."),
            .authorize("NEWS", .denial),
            .play()),
        Case(
            "plays something else than was permitted", verdict: .breaks("2: SPORT was played without a permission."),
            .authorize("NEWS"), .play("SPORT")),
        Case(
            "plays two resources with a permission each", verdict: .keeps(1, 2, 3, 4), .authorize("NEWS"),
            .authorize("SPORT"),
            .play("NEWS"), .play("SPORT")),
        Case(
            "plays with a permission that a denial has followed", verdict: .breaks("3: \(without)"), .authorize(),
            .authorize("NEWS", .denial), .play()),
        Case(
            "plays with a permission that a logout has followed", verdict: .breaks("3: \(without)"), .authorize(),
            .logout(), .play()),
        Case(
            "plays with a permission that the logout of another provider has followed", verdict: .keeps(1, 3),
            .authorize(), .logout("satellite"), .play()),
        Case(
            "plays with a permission that a logout without success has followed", verdict: .keeps(1, 3), .authorize(),
            .logout().answered(503), .play()),
        Case(
            "plays with a permission that a denial of another provider has followed", verdict: .keeps(1, 3),
            .authorize(), .authorize("NEWS", .denial, as: "satellite"), .play()),
        Case(
            "plays with a permission that a denial of something else has followed", verdict: .keeps(1, 3),
            .authorize(), .authorize("SPORT", .denial), .play()),
        Case(
            "plays with a permission that a failure of the service has followed", verdict: .keeps(1, 3), .authorize(),
            .authorize("NEWS", .error(action: "retry")), .play()),
        Case(
            "plays again after a denial", verdict: .breaks("1, 4: \(again)"), .authorize(), .play(),
            .authorize("NEWS", .denial), .play()),
        Case(
            "plays again after a preauthorization", verdict: .breaks("1, 4: \(again)"), .authorize(), .play(),
            .preauthorize(),
            .play()),
        Case(
            "plays after a preauthorization alone, which is another row's matter", verdict: .nothing, .preauthorize(),
            .play()),
        Case(
            "plays after a permission whose answer the recording lacks", verdict: .keeps(1, 2),
            .authorize().answer(nil), .play()
        ),
        Case(
            "plays after a network has answered with its own page", verdict: .breaks("2: \(without)"),
            .authorize().welcomed, .play()),
        Case(
            "plays after a permission whose answer the recorder has masked", verdict: .keeps(1, 2),
            .authorize().answer("•••"), .play()),
        Case(
            "plays after a permission in whose place the recorder has put a JSON string", verdict: .keeps(1, 2),
            .authorize().answer(#""[REDACTED]""#), .play()),
        Case(
            "plays, and the recorder has put a JSON string in the place of both bodies of the permission",
            verdict: .nothing, .authorize().body(#""[REDACTED]""#).answer(#""[REDACTED]""#), .play()),
        Case(
            "plays after a failure whose body the recording lacks",
            verdict: .breaks("2: NEWS was played without a permission."),
            .authorize().answered(500).answer(nil), .play()),
        Case(
            "plays, and the recording lacks all bodies", verdict: .nothing, .authorize().body(nil).answer(nil),
            .play()),
        Case(
            "plays after a permission whose request the recording lacks", verdict: .keeps(1, 2), .authorize().body(nil),
            .play()),
        Case(
            "gets the error of a whole answer", verdict: .breaks("2: NEWS was played without a permission."),
            .authorize().refused(action: "none"), .play()),
        Case(
            "plays after a permission whose answer has a blank after the resource", verdict: .keeps(1, 2),
            .authorize("NEWS").decided("NEWS ", as: true), .play("NEWS")),
        Case(
            "plays after a permission whose answer has the resource in another case", verdict: .keeps(1, 2),
            .authorize("NEWS").decided("News", as: true), .play("NEWS")),
        Case(
            "plays after a permission in another case, in which it was requested too", verdict: .keeps(1, 2),
            .authorize("NEWS").body(#"{"resources":["NEWS","news"]}"#).decided("news", as: true), .play("NEWS")),
        Case(
            "plays after a denial beside a permission in another case", verdict: .breaks("2: \(without)"),
            .authorize("NEWS").decided(["NEWS": false, "news": true]), .play("NEWS")),
        Case(
            "plays after a denial and a permission in their own cases", verdict: .keeps(1, 2),
            .authorize("NEWS").body(#"{"resources":["NEWS","news"]}"#).decided(["NEWS": false, "news": true]),
            .play("news")),
        Case(
            "plays after a permission for another resource than it has requested", verdict: .breaks("2: \(without)"),
            .authorize("NEWS").decided("SPORT", as: true), .play("NEWS")),
        Case(
            "plays after a permission that is a text", verdict: .keeps(1, 2),
            .authorize("NEWS").decided("NEWS", as: " True "), .play("NEWS")),
        Case(
            "plays after a permission that is a number", verdict: .keeps(1, 2),
            .authorize("NEWS").decided("NEWS", as: 1), .play("NEWS")),
        Case(
            "plays after a denial that is a text", verdict: .breaks("2: \(without)"),
            .authorize("NEWS").decided("NEWS", as: "false"), .play("NEWS")),
        Case(
            "plays with a permission that an error without a yes or a no has followed",
            verdict: .breaks("3: \(without)"), .authorize("NEWS"),
            .authorize("NEWS").answered(
                200, ["decisions": [["resource": "NEWS", "error": ["code": "authorization_denied_by_mvpd"]]]]),
            .play("NEWS")),
        Case(
            "reports a playback with another method", verdict: .nothing, .authorize(), .play().method("GET")),
        Case(
            "reports a playback at another place", verdict: .nothing, .play().path("/conformance/plays/NEWS/more"),
            .play().path("/conformance/stops/NEWS"), .play().path("/else/plays/NEWS")),
    ])
    func eachPlayback_needsAPermission(one: Case) throws { try one.check("CL16") }

    @Test(arguments: players)
    func aPlayback_belongsToAnApplicationOfItsDevice(one: Case) throws { try one.check("CL16") }

    private static let first: [Sent] = [.registration("a"), .token("one", of: "a")]
    private static let second: [Sent] = [.registration("b"), .token("two", of: "b")]
    private static let refusal = Sent.profiles([]).with("one").refused(401, action: "application-registration")

    private static func inOrder(_ parts: [Sent]...) -> [Sent] { parts.flatMap { $0 } }

    private static let players: [Case] = [
        Case(
            "registers again because it has to, and plays before and after", verdict: .keeps(3, 4, 8, 9),
            sent: inOrder(
                first, [.authorize().with("one"), .play(), refusal], second, [.authorize().with("two"), .play()])),
        Case(
            "registers again because it has to, and plays twice with one permission",
            verdict: .breaks("8, 10: \(again)"),
            sent: inOrder(
                first, [.authorize().with("one"), .play(), refusal], second,
                [.authorize().with("two"), .play(), .play()])),
        Case(
            "two applications play one after the other", verdict: .keeps(5, 6, 7, 8),
            sent: inOrder(first, second, [.authorize().with("one"), .play(), .authorize().with("two"), .play()])),
        Case(
            "two applications have permissions, and play afterwards", verdict: .keeps(5, 6, 7, 8),
            sent: inOrder(first, second, [.authorize().with("one"), .authorize().with("two"), .play(), .play()])),
        Case(
            "one of two applications plays after a request of the other one", verdict: .keeps(5, 7),
            sent: inOrder(first, second, [.authorize().with("one"), .profiles([]).with("two"), .play()])),
        Case(
            "one of two applications plays after the other one has logged out", verdict: .keeps(5, 8),
            sent: inOrder(
                first, second, [.authorize().with("one"), .authorize().with("two"), .logout().with("two"), .play()])),
        Case(
            "two applications have one permission, and play twice", verdict: .breaks("5, 7: \(again)"),
            sent: inOrder(first, second, [.authorize().with("one"), .play(), .play(), .profiles([]).with("two")])),
        Case(
            "plays, and another application of the device is permitted that afterwards",
            verdict: .breaks("6: \(without)"),
            sent: inOrder(first, second, [.profiles([]).with("one"), .play(), .authorize().with("two")])),
        Case(
            "an application with an unknown token is permitted what it plays", verdict: .keeps(7, 8),
            sent: inOrder(
                first, second,
                [.profiles([]).with("one"), .profiles([]).with("two"), .authorize().with("three"), .play()])),
        Case(
            "two applications play, and the recording lacks the bodies of a decision", verdict: .nothing,
            sent: inOrder(
                first, second, [.authorize().with("one").body(nil).answer(nil), .profiles([]).with("two"), .play()])),
    ]

    @Test(arguments: refusals)
    func aRefusal_isRepeatedSparingly(one: Case) throws { try one.check("CL14") }

    private static func row(_ count: Int, _ action: String = "none", of resource: String = "NEWS") -> String {
        "\(resource) was refused \(count) times in a row, with the action \(action)."
    }

    private static func denied(_ count: Int, _ decision: Sent.Decision = .denial) -> [Sent] {
        Array(repeating: .authorize("NEWS", decision), count: count)
    }

    private static let refusals: [Case] = [
        Case("asks twice for what is denied", verdict: .keeps(1, 2), sent: denied(2)),
        Case("asks three times for what is denied", verdict: .breaks("1, 2, 3: \(row(3))"), sent: denied(3)),
        Case(
            "asks three times at once for what is denied", verdict: .keeps(1, 2, 3),
            sent: Sent.authorize("NEWS", .denial).threeAtOnce),
        Case(
            "asks three times at once for what is denied, and twice more", verdict: .breaks("1, 4, 5: \(row(3))"),
            sent: inOrder(Sent.authorize("NEWS", .denial).threeAtOnce, denied(2))),
        Case("asks five times for what is denied", verdict: .breaks("1, 2, 3: \(row(3))"), sent: denied(5)),
        Case(
            "asks three times, ten seconds apart", verdict: .breaks("1, 2, 3: \(row(3))"),
            sent: denied(3).enumerated().map { $1.at(Double($0) * 10) }),
        Case(
            "asks three times, eleven seconds apart", verdict: .keeps(1, 2, 3),
            sent: denied(3).enumerated().map { $1.at(Double($0) * 11) }),
        Case(
            "asks twice, and twice again a minute later", verdict: .keeps(1, 2, 3, 4),
            .authorize("NEWS", .denial).at(0),
            .authorize("NEWS", .denial), .authorize("NEWS", .denial).at(60), .authorize("NEWS", .denial)),
        Case(
            "asks three times, and is permitted in between", verdict: .keeps(1, 3, 4), .authorize("NEWS", .denial),
            .authorize(), .authorize("NEWS", .denial), .authorize("NEWS", .denial)),
        Case("is permitted three times", verdict: .nothing, .authorize(), .authorize(), .authorize()),
        Case(
            "repeats three times where the error says so", verdict: .keeps(1, 2, 3, 4),
            sent: denied(4, .error(action: "retry"))),
        Case(
            "repeats four times where the error says so", verdict: .breaks("1, 2, 3, 4, 5: \(row(5, "retry"))"),
            sent: denied(5, .error(action: "retry"))),
        Case(
            "repeats three times where the error says so, until it says something else", verdict: .keeps(1, 2, 3, 4),
            sent: denied(3, .error(action: "retry")) + denied(1)),
        Case(
            "goes on after an error that says something else", verdict: .breaks("1, 2, 3, 4, 5, 6: \(row(6))"),
            sent: denied(3, .error(action: "retry")) + denied(17)),
        Case(
            "goes on where the last error says so again", verdict: .breaks("1, 2, 3: \(row(3, "retry"))"),
            sent: denied(2) + denied(4, .error(action: "retry"))),
        Case(
            "repeats twice where the error says something else",
            verdict: .breaks("1, 2, 3: \(row(3, "configuration"))"),
            sent: denied(3, .error(action: "configuration"))),
        Case(
            "repeats where a login is missing, which is another row's matter", verdict: .nothing,
            sent: denied(3, .error(action: "authentication"))),
        Case(
            "asks three times for what a used-up TempPass does not open",
            verdict: .breaks("1, 2, 3: \(row(3, "authentication"))"), sent: denied(3, .usedUp)),
        Case(
            "asks for three resources that a used-up TempPass does not open", verdict: .keeps(1, 2, 3),
            .authorize("A", .usedUp), .authorize("B", .usedUp), .authorize("C", .usedUp)),
        Case(
            "repeats where a registration is missing, which is another row's matter", verdict: .nothing,
            sent: denied(3, .error(action: "application-registration"))),
        Case(
            "is told to log in between denials", verdict: .keeps(1, 3, 4), .authorize("NEWS", .denial),
            .authorize("NEWS", .error(action: "authentication")), .authorize("NEWS", .denial),
            .authorize("NEWS", .denial)),
        Case(
            "asks for three resources", verdict: .keeps(1, 2, 3), .authorize("A", .denial), .authorize("B", .denial),
            .authorize("C", .denial)),
        Case(
            "asks with three providers", verdict: .keeps(1, 2, 3), .authorize("NEWS", .denial, as: "a"),
            .authorize("NEWS", .denial, as: "b"), .authorize("NEWS", .denial, as: "c")),
        Case(
            "asks in each of three brands", verdict: .keeps(1, 2, 3), .authorize("NEWS", .denial),
            .authorize("NEWS", .denial).brand("SECOND"), .authorize("NEWS", .denial).brand("THIRD")),
        Case(
            "lists a channel, and asks for it twice", verdict: .keeps(1, 2, 3), .preauthorize("NEWS", .denial),
            .authorize("NEWS", .denial), .authorize("NEWS", .denial)),
        Case(
            "lists two channels three times, of which one is denied", verdict: .breaks("1, 2, 3: \(row(3, of: "B"))"),
            sent: Array(repeating: .preauthorize([("A", .permit), ("B", .denial)]), count: 3)),
        Case(
            "repeats a request of which each resource fails", verdict: .breaks("1, 2, 3: \(row(3))"),
            sent: Array(repeating: .authorize().refused(action: "none"), count: 3)),
        Case(
            "repeats a request of which each resource fails, with the lowest status of a failure",
            verdict: .breaks("1, 2, 3: \(row(3))"),
            sent: Array(repeating: .authorize().refused(400, action: "none"), count: 3)),
        Case(
            "repeats a request that is led elsewhere", verdict: .nothing,
            sent: Array(repeating: .authorize().refused(399, action: "none"), count: 3)),
        Case(
            "repeats a request that fails without a reason, which is another row's matter", verdict: .nothing,
            sent: Array(repeating: .authorize().answered(403), count: 3)),
        Case(
            "two devices ask for what is denied", verdict: .keeps(1, 2, 3, 4), .authorize("NEWS", .denial),
            .authorize("NEWS", .denial), .authorize("NEWS", .denial).with("two").from("television"),
            .authorize("NEWS", .denial).with("two").from("television")),
    ]

    @Test(arguments: permits)
    func permits_areKept(one: Case) throws { try one.check("CL15") }

    private static let twice = "NEWS was permitted, and asked for again twice."

    private static func between(_ what: String, _ sent: Sent) -> Case {
        Case(
            "lists a permitted channel three times, and \(what) before the last two", verdict: .keeps(1, 2, 3, 4),
            .preauthorize(), sent, .preauthorize(), .preauthorize(), .play(), .configuration)
    }

    private static let permits: [Case] = [
        Case(
            "lists a permitted channel three times, and other things are denied in between",
            verdict: .breaks("1, 6, 7: \(twice)"), .preauthorize(), .authorize("NEWS", .error(action: "retry")),
            .authorize("SPORT", .denial), .authorize("NEWS", .denial, as: "fiber"),
            .authorize("NEWS", .denial).brand("OTHER"), .preauthorize(), .preauthorize()),
        Case(
            "lists a permitted channel, and plays it", verdict: .keeps(1, 2), .preauthorize(), .authorize(),
            .authorize()),
        Case("lists a permitted channel, and does no more at the service", verdict: .nothing, .preauthorize(), .play()),
        Case(
            "lists a denied channel, and does something else", verdict: .nothing, .preauthorize("NEWS", .denial),
            .configuration),
        Case(
            "lists a permitted channel in each of three brands", verdict: .keeps(1, 2, 3), .preauthorize(),
            .preauthorize().brand("SECOND"), .preauthorize().brand("THIRD")),
        Case(
            "lists a permitted channel three times, each time after it was denied", verdict: .keeps(1, 2, 3, 4),
            .preauthorize(), .authorize("NEWS", .denial), .preauthorize(), .authorize("NEWS", .denial),
            .preauthorize()),
        Case("lists a permitted channel twice", verdict: .keeps(1, 2), .preauthorize(), .preauthorize()),
        Case(
            "lists a permitted channel three times", verdict: .breaks("1, 2, 3: \(twice)"), .preauthorize(),
            .preauthorize(),
            .preauthorize()),
        Case(
            "lists a permitted channel three times at once", verdict: .keeps(1, 2, 3),
            sent: Sent.preauthorize().threeAtOnce),
        Case(
            "lists a permitted channel three times at once, and twice more", verdict: .breaks("1, 4, 5: \(twice)"),
            sent: inOrder(Sent.preauthorize().threeAtOnce, [.preauthorize(), .preauthorize()])),
        Case(
            "lists a permitted channel five times", verdict: .breaks("1, 2, 3: \(twice)"),
            sent: Array(repeating: .preauthorize(), count: 5)),
        Case(
            "lists a permitted channel three times within five minutes", verdict: .breaks("1, 2, 3: \(twice)"),
            .preauthorize().at(0), .preauthorize().at(150), .preauthorize().at(300)),
        Case(
            "lists a permitted channel three times within 301 seconds", verdict: .keeps(1, 2, 3), .preauthorize().at(0),
            .preauthorize().at(150), .preauthorize().at(301)),
        Case(
            "lists a permitted channel, and six minutes later twice again", verdict: .keeps(1, 2, 3),
            .preauthorize().at(0),
            .preauthorize().at(360), .preauthorize().at(361)),
        Case(
            "lists a permitted channel, and six minutes later three times", verdict: .breaks("2, 3, 4: \(twice)"),
            .preauthorize().at(0), .preauthorize().at(360), .preauthorize().at(361), .preauthorize().at(362)),
        Case(
            "lists a channel three times that the provider itself permits", verdict: .breaks("1, 2, 3: \(twice)"),
            sent: Array(repeating: .preauthorize("NEWS", .permitBy(source: "mvpd")), count: 3)),
        Case(
            "lists a channel of a degraded provider three times", verdict: .nothing,
            sent: Array(repeating: .preauthorize("NEWS", .permitBy(source: "degradation")), count: 3)),
        Case(
            "lists a channel three times with a TempPass", verdict: .nothing,
            sent: Array(repeating: .preauthorize("NEWS", .permitBy(source: "temppass")), count: 3)),
        Case(
            "lists a denied channel three times", verdict: .nothing,
            sent: Array(repeating: .preauthorize("NEWS", .denial), count: 3)),
        Case(
            "lists a channel three times that was denied in between", verdict: .keeps(1, 2, 3, 4), .preauthorize(),
            .preauthorize("NEWS", .denial), .preauthorize(), .preauthorize()),
        Case(
            "lists three channels", verdict: .keeps(1, 2, 3), .preauthorize("A"), .preauthorize("B"), .preauthorize("C")
        ),
        Case(
            "lists a channel of three providers", verdict: .keeps(1, 2, 3), .preauthorize("NEWS", as: "a"),
            .preauthorize("NEWS", as: "b"), .preauthorize("NEWS", as: "c")),
        Case(
            "lists a permitted channel beside a denied one", verdict: .breaks("1, 2, 3: \(twice)"),
            .preauthorize(), .preauthorize([("NEWS", .permit), ("SPORT", .denial)]),
            .preauthorize([("SPORT", .denial), ("NEWS", .permit)])),
        between("begins a login", .session()), between("begins a platform's login", .partnerSession()),
        between("logs out", .logout()),
        between("starts", .profiles(["cable"])), between("starts with a known provider", .profile("cable")),
        Case(
            "lists a permitted channel three times, and plays it in between", verdict: .breaks("1, 3, 4: \(twice)"),
            .preauthorize(), .authorize(), .preauthorize(), .preauthorize()),
        Case(
            "lists a permitted channel three times, and gets a token before the last two", verdict: .keeps(2, 3, 4, 5),
            .token(), .preauthorize(), .token(lasts: 300), .preauthorize(), .preauthorize()),
        Case(
            "lists a permitted channel three times, and registers before the last two", verdict: .keeps(2, 3, 4, 5),
            .token(), .preauthorize(), .registration(), .preauthorize(), .preauthorize()),
        Case(
            "two devices list a permitted channel", verdict: .keeps(1, 2), .preauthorize(), .preauthorize(),
            .preauthorize().with("two").from("television")),
    ]
}
