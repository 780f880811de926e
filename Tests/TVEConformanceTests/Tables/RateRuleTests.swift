import Testing

/// CL27: the throttle.
struct RateRuleTests {
    @Test(arguments: paces)
    func aBurst_andThenOneASecond_isThePaceOfADevice(one: Case) throws { try one.check("CL27") }

    private static let fast = "The requests exceed ten in a burst and one a second after that."
    private static let soon = "The client sent the next request less than a second after a 429."

    private static let together =
        "Several registrations of one device exceed the limit together, and no exchange shows "
        + "whether they belong to one application."

    private static func burst(_ count: Int, at seconds: Double = 0, every distance: Double = 0) -> [Sent] {
        (0..<count).map { .profiles([]).at(seconds + Double($0) * distance) }
    }

    private static let refused = Sent.profiles([]).answered(429)
    private static let household = Sent(path: "/api/DEMO/list")

    private static let paces: [Case] = [
        Case("sends twelve requests at once", verdict: .nothing, sent: burst(12)),
        Case("sends thirteen requests at once", verdict: .breaks("12, 13: \(fast)"), sent: burst(13)),
        Case(
            "sends thirteen requests at once, and none is answered", verdict: .breaks("12, 13: \(fast)"),
            sent: burst(13).map { $0.answered(0) }),
        Case(
            "sends twelve requests at once, and one a second later", verdict: .keeps(1, 13),
            sent: burst(12) + burst(1, at: 1)),
        Case(
            "sends twelve requests at once, and one 0.9 seconds later", verdict: .breaks("12, 13: \(fast)"),
            sent: burst(12) + burst(1, at: 0.9)),
        Case("sends a request a second", verdict: .keeps(1, 60), sent: burst(60, every: 1)),
        Case(
            "sends two requests a second, again and again", verdict: .breaks("23, 24: \(fast)"),
            sent: burst(24, every: 0.5)),
        Case("sends two requests a second for eleven seconds", verdict: .keeps(1, 23), sent: burst(23, every: 0.5)),
        Case(
            "sends twelve requests at once, and six more five seconds later", verdict: .breaks("17, 18: \(fast)"),
            sent: burst(12) + burst(6, at: 5)),
        Case(
            "sends twelve requests at once, and five more five seconds later", verdict: .keeps(1, 17),
            sent: burst(12) + burst(5, at: 5)),
        Case(
            "sends twelve requests at once, and thirteen an hour later", verdict: .breaks("24, 25: \(fast)"),
            sent: burst(12) + burst(13, at: 3_600)),
        Case("sends 25 requests at once", verdict: .breaks("12, 13: \(fast)"), sent: burst(25)),
        Case("sends 26 requests at once", verdict: .breaks("12, 13: \(fast)", "25, 26: \(fast)"), sent: burst(26)),
        Case(
            "two devices send twelve requests at once", verdict: .nothing,
            sent: burst(12) + burst(12).map { $0.with("two").from("television") }),
        Case(
            "two applications of a device send thirteen requests at once", verdict: .unsure(together),
            sent: [.token(of: "a").at(-20), .token("two", of: "b").at(-19)] + burst(12)
                + [.profiles([]).with("two").at(0)]),
        Case(
            "one of two applications of a device sends thirteen requests at once", verdict: .breaks("14, 15: \(fast)"),
            sent: [.token(of: "a").at(-20), .token("two", of: "b").at(-19)] + burst(13)
                + [.profiles([]).with("two").at(0)]),
        Case(
            "two applications of a device send twelve requests at once", verdict: .keeps(1, 14),
            sent: [.token(of: "a").at(-20), .token("two", of: "b").at(-19)] + burst(11)
                + [.profiles([]).with("two").at(0)]),
        Case(
            "each of two applications of a device sends thirteen requests at once",
            verdict: .breaks("14, 15: \(fast)", "27, 28: \(fast)"),
            sent: [.token(of: "a").at(-20), .token("two", of: "b").at(-19)] + burst(13)
                + burst(13).map { $0.with("two") }),
        Case(
            "each of two devices sends thirteen requests at once",
            verdict: .breaks("12, 13: \(fast)", "25, 26: \(fast)"),
            sent: burst(13) + burst(13).map { $0.with("two").from("television") }),
        Case(
            "sends twelve requests at once, and one more with another device id", verdict: .nothing,
            sent: [.token().at(-20)] + burst(12) + [.profiles([]).from("other").at(0)]),
        Case(
            "two applications that name no device get seven tokens each at once", verdict: .nothing,
            sent: ["a", "b"].flatMap { client in
                (1...7).map { Sent.token("\(client)\($0)", of: client).at(0) }
            }),
        Case(
            "sends twelve requests at once, and reports a playback", verdict: .nothing,
            sent: burst(12) + [.play().at(0)]),
        Case(
            "sends twelve requests at once, and one for a token, which does not name the device",
            verdict: .breaks("13, 14: \(fast)"), sent: [.token().at(-20)] + burst(12) + [.token().at(0)]),
        Case(
            "sends twelve requests at once while its browser opens a page", verdict: .nothing,
            sent: burst(12) + [.loginPage().at(0)]),
        Case(
            "sends twelve requests at once while it lists the devices of its household three times",
            verdict: .nothing, sent: Array(repeating: household.at(0), count: 3) + burst(12)),
        Case(
            "lists the devices of its household, and then sends a request a second", verdict: .keeps(2, 14),
            sent: [household.at(0)] + burst(13, at: 1, every: 1)),
        Case(
            "lists the devices of its household without a pause after a 429", verdict: .breaks("1, 2: \(soon)"),
            refused.at(0), household.at(0.1)),
        Case("waits 0.91 seconds after a 429", verdict: .keeps(1, 2), refused.at(0), .profiles([]).at(0.91)),
        Case(
            "waits 0.89 seconds after a 429", verdict: .breaks("1, 2: \(soon)"), refused.at(0), .profiles([]).at(0.89)),
        Case(
            "waits 0.8 seconds after the answer 429", verdict: .breaks("1, 2: \(soon)"), refused.at(0).took(2),
            .profiles([]).at(2.8)),
        Case(
            "sends the next request in the moment of a 429", verdict: .breaks("1, 2: \(soon)"), refused.at(0),
            .profiles([]).at(0)),
        Case(
            "sends one request in the moment of a 429, and another one soon after", verdict: .breaks("1, 2: \(soon)"),
            refused.at(0), .profiles([]).at(0), .profiles([]).at(0.5)),
        Case(
            "waits after a 429, and goes on", verdict: .keeps(1, 2), refused.at(0), .profiles([]).at(1),
            .profiles([]).at(2)),
        Case(
            "waits after the first of two 429 to requests sent together, and not after the second",
            verdict: .breaks("2, 4: \(soon)"), refused.at(0).took(0.1), refused.at(0.01).took(3),
            .profiles([]).at(1.2), .profiles([]).at(3.1)),
        Case(
            "had sent the next request before the 429 came, and then waits", verdict: .keeps(1, 3),
            refused.at(0).took(2),
            .profiles([]).at(1), .profiles([]).at(3)),
        Case(
            "had sent the next request before the 429 came, and then does not wait", verdict: .breaks("1, 3: \(soon)"),
            refused.at(0).took(2), .profiles([]).at(1), .profiles([]).at(2.5)),
        Case(
            "does not wait after the first of two 429 to requests sent together", verdict: .breaks("1, 3: \(soon)"),
            refused.at(0).took(0.1), refused.at(0.01).took(3), .profiles([]).at(0.2)),
        Case(
            "does not wait after the second of two requests sent together, which is answered first",
            verdict: .breaks("2, 3: \(soon)"), refused.at(0).took(3), refused.at(0.01).took(0.1),
            .profiles([]).at(0.2)),
        Case(
            "had sent the second request before the first 429 came, and does not wait after the second 429",
            verdict: .breaks("2, 3: \(soon)"), refused.at(0).took(1), refused.at(0.5).took(1.4),
            .profiles([]).at(2)),
        Case(
            "waits after the first of two 429, and not after the second one", verdict: .breaks("2, 3: \(soon)"),
            refused.at(0),
            refused.at(2), .profiles([]).at(2.5)),
        Case(
            "waits after a 503, which is no 429", verdict: .nothing, refused.answered(503).at(0),
            .profiles([]).at(0.1)),
        Case(
            "one device is refused, and another one sends a request", verdict: .nothing, refused.at(0),
            .profiles([]).at(0.1).with("two").from("television")),
        Case("stops after a 429", verdict: .nothing, refused),
    ]
}
