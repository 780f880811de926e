import TVEModels
import Testing

/// CL1 to CL3: credentials and access tokens.
struct RegistrationRuleTests {
    @Test(arguments: credentials)
    func aSecondRegistrationOfADevice_breaksTheRow_unlessItsCredentialsWereRefused(one: Case) throws {
        try one.check("CL1")
    }

    private static let again = "The same device registered again after"

    private static let both =
        "Two registrations of one device are in use, and no exchange shows whether they belong to one application."

    private static let unused = "Credentials were registered and not used, and no exchange shows on which device."

    private static let unclear =
        "The response to the last registration has no client id, so it is unknown which registrations succeeded."

    private static let credentials: [Case] = [
        Case(
            "registers once, and a network has answered with its own page", verdict: .nothing,
            .registration().welcomed),
        Case(
            "registers twice, and the recording lacks all headers",
            verdict: .unsure("The recording was saved without the headers that show which device registers."),
            .registration("a").withoutHeaders, .registration("b").withoutHeaders),
        Case(
            "registers again, and uses its old credentials once more without success",
            verdict: .breaks("1, 4: \(again) 3 seconds."), .registration("a"), .token("one", of: "a"),
            .profiles([]).with("one"), .registration("b"), .token("two", of: "b"), .profiles([]).with("two"),
            .token("three", of: "a"), .profiles([]).with("one").answered(500)),
        Case(
            "registers again when it was told so in the answer to a request that names no device",
            verdict: .keeps(1, 2, 5, 6), .registration("a"), .token("one", of: "a"), .profiles([]).with("one"),
            .profiles([]).with("other").header("AP-Device-Identifier", nil)
                .refused(action: "application-registration"),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "registers once, and gets two tokens with its credentials", verdict: .keeps(1, 2, 4), .registration(),
            .token(),
            .profiles([]), .token()),
        Case("has credentials from an earlier run", verdict: .keeps(1), .token(), .profiles([])),
        Case(
            "registers and asks for a token, and both fail", verdict: .nothing, .registration().answered(400),
            .token().answered(500)),
        Case(
            "registers again when the first attempt has failed", verdict: .keeps(2), .registration().answered(500),
            .registration()),
        Case(
            "registers again when a network has answered with its own page", verdict: .keeps(2, 3),
            .registration("a").welcomed, .registration("b"), .token(of: "b")),
        Case(
            "registers again before the first response, which it waits for no longer", verdict: .keeps(1, 2, 3),
            .registration("a").at(0).took(40), .registration("b").at(30), .token(of: "b")),
        Case(
            "registers again when it has received the late response", verdict: .breaks("1, 2: \(again) 41 seconds."),
            .registration("a").at(0).took(40), .registration("b").at(41), .token(of: "b")),
        Case(
            "registers again in the moment of the late response", verdict: .breaks("1, 2: \(again) 40 seconds."),
            .registration("a").at(0).took(40), .registration("b").at(40), .token(of: "b")),
        Case(
            "registers, and again in vain", verdict: .keeps(1), .registration("a"), .registration("b").answered(500)),
        Case(
            "registers again at the next start, and the recording lacks the headers of both registrations",
            verdict: .breaks("1, 4: \(again) 3 seconds."), .registration("a").withoutHeaders, .token("one", of: "a"),
            .profiles([]).with("one"), .registration("b").withoutHeaders, .token("two", of: "b"),
            .profiles([]).with("two")),
        Case(
            "registers again, and goes on with its first registration alone",
            verdict: .breaks("1, 4: \(again) 3 seconds."), .registration("a"), .token("one", of: "a"),
            .profiles([]).with("one"), .registration("b"), .profiles([]).with("one")),
        Case(
            "registers again when it was told so in an answer without a device, after the page of a network",
            verdict: .keeps(1, 2, 6, 7), .registration("a"), .token("one", of: "a"), .profiles([]).with("one"),
            .registration("x").welcomed,
            .profiles([]).with("other").header("AP-Device-Identifier", nil)
                .refused(action: "application-registration"),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "registers twice, and no response can be read", verdict: .unsure(unclear),
            .registration("a").answer("•••"), .registration("b").answer("•••"), .token(of: "b")),
        Case(
            "registers twice, and the recording lacks the responses", verdict: .breaks("1, 2: \(again) 1 second."),
            .registration("a").answer(nil), .registration("b").answer(nil), .token(of: "b")),
        Case(
            "registers twice, and the recorder has stored no bodies", verdict: .breaks("1, 2: \(again) 1 second."),
            .registration("a").answer(""), .registration("b").answer(""), .token(of: "b")),
        Case(
            "registers again at the next start", verdict: .breaks("1, 4: \(again) 3 seconds."), .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one"), .registration("b"), .token("two", of: "b"),
            .profiles([]).with("two")),
        Case(
            "registers again, and uses both registrations from then on", verdict: .unsure(both), .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one"), .registration("b"), .token("two", of: "b"),
            .profiles([]).with("two"), .profiles([]).with("one")),
        Case(
            "registers again for the classic services, and uses both registrations", verdict: .unsure(both),
            .registration("a"), .token("one", of: "a"), .profiles([]).with("one"), .registration("b"),
            .token("two", of: "b"), Sent(path: "/adobe-services/authorizeDevice").with("two"),
            .profiles([]).with("one")),
        Case(
            "registers at each of three starts",
            verdict: .breaks("1, 4: \(again) 2 minutes.", "4, 7: \(again) 119 seconds."),
            .registration("a").at(0), .token("one", of: "a"), .profiles([]).with("one"),
            .registration("b").at(120), .token("two", of: "b"), .profiles([]).with("two"),
            .registration("c").at(239), .token("three", of: "c"), .profiles([]).with("three")),
        Case(
            "registers twice, and uses the second registration alone", verdict: .breaks("1, 2: \(again) 1 second."),
            .registration("a"), .registration("b"), .token(of: "b"), .profiles([])),
        Case(
            "registers twice, and uses the first registration alone", verdict: .breaks("1, 4: \(again) 3 seconds."),
            .registration("a"), .token(of: "a"), .profiles([]), .registration("b")),
        Case(
            "registers twice, and uses neither registration", verdict: .breaks("1, 2: \(again) 1 second."),
            .registration("a"),
            .registration("b")),
        Case(
            "registers again when the service knows its credentials no longer", verdict: .keeps(1, 2, 5, 6),
            .registration("a"), .token("one", of: "a"), .profiles([]).with("one"),
            .token(of: "a").answered(400, ["error": "invalid_client"]), .registration("b"), .token("two", of: "b"),
            .profiles([]).with("two")),
        Case(
            "registers again when an answer asks for that", verdict: .keeps(1, 2, 4, 5), .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one").refused(action: "application-registration"),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "registers again when an answer says to log in", verdict: .breaks("1, 4: \(again) 3 seconds."),
            .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one").refused(action: "authentication"), .registration("b"),
            .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "registers again when a token was refused for another reason",
            verdict: .breaks("1, 5: \(again) 4 seconds."),
            .registration("a"), .token("one", of: "a"), .profiles([]).with("one"),
            .token(of: "a").answered(400, ["error": "invalid_request"]), .registration("b"), .token("two", of: "b"),
            .profiles([]).with("two")),
        Case(
            "an answer without a failure says invalid_client", verdict: .breaks("1, 4: \(again) 3 seconds."),
            .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one").answered(200, ["error": "invalid_client"]),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "registers twice after one refusal", verdict: .breaks("4, 7: \(again) 3 seconds."), .registration("a"),
            .token("one", of: "a"), .profiles([]).with("one").refused(action: "application-registration"),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two"), .registration("c"),
            .token("three", of: "c"), .profiles([]).with("three")),
        Case(
            "registers again, and only another device was refused", verdict: .breaks("4, 8: \(again) 4 seconds."),
            .registration("a"), .token("one", of: "a"), .profiles([]).with("one").from("television"),
            .registration("b"), .token("two", of: "b"), .profiles([]).with("two"),
            .profiles([]).with("one").from("television").refused(action: "application-registration"),
            .registration("c"), .token("three", of: "c"), .profiles([]).with("three")),
        Case(
            "two devices register", verdict: .keeps(1, 2, 4, 5), .registration("a"), .token("one", of: "a"),
            .profiles([]).with("one"), .registration("b"), .token("two", of: "b"),
            .profiles([]).with("two").from("television")),
        Case(
            "two applications of one device register", verdict: .keeps(1, 2, 4, 5), .registration("a", app: "news"),
            .token("one", of: "a"), .profiles([]).with("one"), .registration("b", app: "sports"),
            .token("two", of: "b"), .profiles([]).with("two")),
        Case(
            "a second device of the same model registers, and the recording has no addresses", verdict: .unsure(unused),
            .registration("a").address(""), .token("one", of: "a"), .profiles([]).with("one"),
            .registration("b").address("")),
        Case(
            "registers twice and uses the second registration, and the recording has no addresses",
            verdict: .breaks("1, 2: \(again) 1 second."), .registration("a").address(""),
            .registration("b").address(""), .token(of: "b"), .profiles([])),
        Case(
            "two devices register and do no more, and describe themselves differently", verdict: .keeps(1, 2),
            .registration("a"), .registration("b").info(["model": "B"])),
        Case(
            "two programs register and do no more, and name themselves differently", verdict: .keeps(1, 2),
            .registration("a").header("User-Agent", "App/1"), .registration("b").header("User-Agent", "Page/1")),
        Case(
            "two devices register and do no more, at two addresses", verdict: .keeps(1, 2), .registration("a"),
            .registration("b").address("192.0.2.2")),
        Case(
            "two applications register and do no more", verdict: .keeps(1, 2), .registration("a", app: "news"),
            .registration("b", app: "sports")),
    ]

    /// Only the statuses from 200 to 299 mean that the service has done what a request asks for.
    @Test(arguments: [(0, false), (199, false), (200, true), (299, true), (300, false), (400, false)])
    func aRequest_hasSucceeded_withAStatusOfSuccess(status: Int, isSuccess: Bool) throws {
        try Case("\(status)", verdict: isSuccess ? .keeps(1) : .nothing, .token().status(status)).check("CL1")
    }

    @Test(arguments: tokens)
    func aNewToken_breaksTheRow_whileTheOldOneIsValid(one: Case) throws { try one.check("CL2") }

    /// A request for a token with its lifetime as a text.
    private static func textual(_ lifetime: String) -> Sent {
        .token().answered(200, ["access_token": "token", "expires_in": .string(lifetime)])
    }

    /// A request for the devices of a household, which the single sign-on service answers with a 401.
    private static func devices(refusedWith code: String) -> Sent {
        .profiles([]).path("/api/DEMO/list").answered(401, ["error": ["code": .string(code)]])
    }

    private static let unknownRefusal =
        "A new access token follows a 401, and the recording does not show which token was refused."

    /// A request whose access token the browser has removed from the recording.
    private static let withoutToken = Sent.profiles([]).header("Authorization", nil)

    private static let tokens: [Case] = [
        Case(
            "gets a new token, and another device is refused before the old one and after the new one",
            verdict: .breaks("2, 3: A new access token after 1 second, 1439 minutes before the old one ended."),
            withoutToken.from("television").answered(401), .token("one"), .token("two"),
            withoutToken.from("television").answered(401)),
        Case(
            "sends three requests with one token", verdict: .keeps(2, 3, 4), .token(), .profiles([]), .configuration,
            .profiles([])),
        Case("sends one request with its token", verdict: .nothing, .token(), .profiles([])),
        Case(
            "sends one request with its token, and reports a playback", verdict: .nothing, .token(), .profiles([]),
            .play().with("token")),
        Case(
            "sends two requests with one token, and the recording lacks their answers", verdict: .keeps(2, 3), .token(),
            .profiles([]).answer(nil), .configuration.answer(nil)),
        Case(
            "sends two requests with one token, and the recording lacks the headers of one", verdict: .keeps(2, 3),
            .token(), .profiles([]), .configuration.withoutHeaders),
        Case("asks for a token three times at once", verdict: .nothing, sent: Sent.token().threeAtOnce),
        Case(
            "asks for a token three times at once, and once more",
            verdict: .breaks("3, 4: A new access token after 1 second, 1439 minutes before the old one ended."),
            sent: Sent.token().threeAtOnce + [.token()]),
        Case(
            "sends requests of which the second fails", verdict: .nothing, .token(), .profiles([]),
            .profiles([]).answered(500)),
        Case(
            "sends requests of which the first fails", verdict: .nothing, .token(), .profiles([]).answered(500),
            .profiles([])),
        Case("has a token from an earlier run", verdict: .nothing, .profiles([]), .configuration),
        Case(
            "gets a new token at once, and the service says as a text when one ends",
            verdict: .breaks("1, 2: A new access token after 1 second, 59 minutes before the old one ended."),
            textual("3600"), textual("3600")),
        Case(
            "gets a new token, and the service says nothing of use about when one ends", verdict: .nothing,
            textual("never"), textual("inf")),
        Case(
            "gets a new token when nine tenths of an hour have passed", verdict: .keeps(1, 2),
            .token(lasts: 3_600).at(0), .token(lasts: 3_600).at(3_240)),
        Case(
            "gets a new token a second before nine tenths of an hour have passed",
            verdict: .breaks("1, 2: A new access token after 53 minutes, 6 minutes before the old one ended."),
            .token(lasts: 3_600).at(0), .token(lasts: 3_600).at(3_239)),
        Case(
            "gets a new token a minute before the end of a short one", verdict: .keeps(1, 2), .token(lasts: 300).at(0),
            .token(lasts: 300).at(240)),
        Case(
            "gets a new token 61 seconds before the end of a short one",
            verdict: .breaks("1, 2: A new access token after 3 minutes, 61 seconds before the old one ended."),
            .token(lasts: 300).at(0), .token(lasts: 300).at(239)),
        Case(
            "gets a new token at the end, which counts from the answer",
            verdict: .breaks("1, 2: A new access token after 4 minutes, 61 seconds before the old one ended."),
            .token(lasts: 300).at(0).took(10), .token(lasts: 300).at(249)),
        Case(
            "gets a token a call",
            verdict: .breaks(
                "1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended.",
                "3, 5: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .profiles([]).with("one"), .token("two"), .profiles([]).with("two"), .token("three")),
        Case(
            "gets a new token after a 401", verdict: .nothing, .token("one"),
            .profiles([]).with("one").answered(401), .token("two")),
        Case(
            "gets a new token after the challenge of another server", verdict: .nothing, .token("one"),
            .profiles([]).with("one").challenged(), .token("two")),
        Case(
            "gets a new token after a 401 to a request about the household", verdict: .nothing, .token("one"),
            .profiles([]).with("one").path("/api/DEMO/list").answered(401, ["error": "invalid_token"]), .token("two")),
        Case(
            "gets a new token after the household has refused it by its code", verdict: .nothing, .token("one"),
            devices(refusedWith: "invalid_access_token_client_application").with("one"), .token("two")),
        Case(
            "gets a new token after the household has refused it without a reason", verdict: .nothing, .token("one"),
            devices(refusedWith: "unauthorized").with("one"), .token("two")),
        Case(
            "gets a new token after the household has refused the service token",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), devices(refusedWith: "token_expired").with("one"), .token("two")),
        Case(
            "gets two new tokens after one 401",
            verdict: .breaks("3, 4: A new access token after 1 second, 1439 minutes before the old one ended."),
            .token("one"),
            .profiles([]).with("one").answered(401), .token("two"), .token("three")),
        Case(
            "gets a new token after the 401 of another request for one",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .token("two").answered(401, ["error": "invalid_client"]), .token("three")),
        Case(
            "gets a new token after the 401 of a report of a playback",
            verdict: .breaks("1, 4: A new access token after 3 seconds, 1439 minutes before the old one ended."),
            .token("one"), .profiles([]).with("one"), .play().answered(401), .token("two")),
        Case(
            "gets a new token after a 403",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"),
            .profiles([]).with("one").answered(403), .token("two")),
        Case(
            "gets a new token after a 403 with the page of a network",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .profiles([]).with("one").answered(403).welcomed, .token("two")),
        Case(
            "asks for a token again when the first request has failed", verdict: .nothing, .token().answered(500),
            .token()),
        Case(
            "asks for a token in vain in between",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .token("two").answered(500), .token("three")),
        Case(
            "asks for a token in between, and a network answers with its own page",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 2."),
            .token("one"), .token("two").welcomed, .profiles([]).with("one")),
        Case(
            "gets a new token, and the service does not say when one ends", verdict: .nothing, .token(lasts: nil),
            .token(lasts: nil)),
        Case(
            "sends one request with each of two tokens", verdict: .keeps(1, 3), .token("one", lasts: 300).at(0),
            .profiles([]).with("one"), .token("two", lasts: 300).at(290), .profiles([]).with("two")),
        Case(
            "two devices get a token each, and a tool has masked their client ids", verdict: .nothing,
            .token("one", of: "[client_id redacted]"), .token("two", of: "[client_id redacted]"),
            .profiles([]).with("one"), .profiles([]).with("two").from("television")),
        Case(
            "two devices register and get a token each, and a tool has masked their client ids", verdict: .nothing,
            .registration("XXXXXXXX"), .token("one", of: "XXXXXXXX"), .registration("XXXXXXXX"),
            .token("two", of: "XXXXXXXX"), .profiles([]).with("one"), .profiles([]).with("two").from("television")),
        Case(
            "gets two tokens, and a tool has masked its client id",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one", of: "[hidden]"), .profiles([]).with("one"), .token("two", of: "[hidden]")),
        Case(
            "gets a new token after a 401, in a recording without access tokens", verdict: .nothing, .token("one"),
            withoutToken, withoutToken, withoutToken.answered(401), .token("two"), withoutToken),
        Case(
            "gets a new token in a recording without access tokens",
            verdict: .breaks("1, 4: A new access token after 3 seconds, 1439 minutes before the old one ended."),
            .token("one"), withoutToken, withoutToken, .token("two"), withoutToken),
        Case(
            "gets a new token after a 401, in a recording of two devices without access tokens",
            verdict: .unsure(unknownRefusal),
            .token("one", of: "a"), .token("two", of: "b"), withoutToken,
            withoutToken.from("television").answered(401), .token("three", of: "b")),
        Case(
            "gets a new token after a 401, and a tool has masked the tokens in the answers",
            verdict: .unsure(unknownRefusal), .token("[hidden]"), .profiles([]).with("one"),
            .profiles([]).with("one").answered(401), .token("[hidden]"), .profiles([]).with("two")),
        Case(
            "gets a new token after the 401 of a device that has another token, from an earlier run",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .profiles([]).with("cached").from("television").answered(401), .token("two"),
            .profiles([]).with("two")),
        Case(
            "gets a new token after the 401 of a device that has another token, and a tool has masked the own one",
            verdict: .unsure(unknownRefusal), .token("***"),
            .profiles([]).with("cached").from("television").answered(401), .token("two"), .profiles([]).with("two")),
        Case(
            "gets a new token after the 401 of a device whose token is unknown, and has used the old one",
            verdict: .breaks("1, 4: A new access token after 3 seconds, 1439 minutes before the old one ended."),
            .token("one"), .profiles([]).with("one"), withoutToken.from("television").answered(401), .token("two")),
        Case(
            "gets a new token after the 401 of a request for one that does not show its application",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .token().body(nil).answered(401), .token("two")),
        Case(
            "gets a new token after the 401 of a registration",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .registration().answered(401), .token("two")),
        Case(
            "gets a new token after the challenge of another server to a device whose token is unknown",
            verdict: .unsure(unknownRefusal), .token("one"), withoutToken.from("television").challenged(),
            .token("two")),
        Case(
            "gets a new token after the 401 of another application, and a tool has masked the own one",
            verdict: .breaks("1, 4: A new access token after 3 seconds, 1439 minutes before the old one ended."),
            .token("***"), .token("two", of: "b"), .profiles([]).with("two").from("television").answered(401),
            .token("next")),
        Case(
            "gets a new token after the 401 of a login page, which has no token",
            verdict: .breaks("1, 3: A new access token after 2 seconds, 1439 minutes before the old one ended."),
            .token("one"), .loginPage().answered(401), .token("two")),
        Case(
            "gets a new token after the 401 of a login page that it opened with a token, and a tool has masked the own "
                + "one",
            verdict: .unsure(unknownRefusal), .token("***"), .loginPage().with("cached").answered(401), .token("two"),
            .profiles([]).with("two")),
        Case(
            "two devices get a token each", verdict: .nothing, .token("one", of: "a"), .token("two", of: "b"),
            .profiles([]).with("one"), .profiles([]).with("two").from("television")),
        Case(
            "the recording has no answer with a token",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 1."),
            .token().answer(nil),
            .profiles([])),
    ]

    @Test(arguments: refusals)
    func aRefusedOrEndedToken_isNotSentAgain(one: Case) throws { try one.check("CL3") }

    private static let sentAgain = "The access token that got a 401 was sent again."
    private static let ended = "The access token had expired before the request."
    private static let inALoop = "The call was repeated with each new access token, and all of them got a 401."

    /// Calls with one new access token each, all of which are refused.
    private static func refused(times count: Int) -> [Sent] {
        (1...count).flatMap { [Sent.token("new \($0)"), Sent.profiles([]).with("new \($0)").answered(401)] }
    }

    /// Five calls with one new access token each, all of which are refused.
    private static func refused(every seconds: Double) -> [Sent] {
        (0..<5).flatMap { number in
            let start = Double(number) * seconds
            return [
                Sent.token("new \(number)").at(start),
                Sent.profiles([]).with("new \(number)").answered(401).at(start + 1),
            ]
        }
    }

    private static let refusals: [Case] = [
        Case(
            "registers after a 401, and gets a token", verdict: .keeps(2, 3), .token(), .profiles([]).answered(401),
            .registration(), .token()),
        Case(
            "repeats the call four times with the refused token",
            verdict: .breaks(
                "1, 2: \(sentAgain)", "2, 3: \(sentAgain)", "3, 4: \(sentAgain)", "4, 5: \(sentAgain)"),
            sent: Array(repeating: .profiles([]).answered(401), count: 5)),
        Case(
            "repeats the call with five new tokens, a minute apart", verdict: .breaks("2, 4, 6, 8, 10: \(inALoop)"),
            sent: refused(every: 60)),
        Case(
            "repeats the call with five new tokens, 61 seconds apart", verdict: .keeps(2, 3, 4, 5, 6, 7, 8, 9),
            sent: refused(every: 61)),
        Case(
            "asks about five providers with a new token each, which all get a 401",
            verdict: .keeps(2, 3, 4, 5, 6, 7, 8, 9),
            sent: (1...5).flatMap { number in
                [Sent.token("new \(number)"), Sent.profile("p\(number)").with("new \(number)").answered(401)]
            }),
        Case(
            "repeats two calls in turn with five new tokens each, which all get a 401",
            verdict: .breaks("2, 6, 10, 14, 18: \(inALoop)", "4, 8, 12, 16, 20: \(inALoop)"),
            sent: (1...5).flatMap { number in
                [
                    Sent.token("a\(number)"), Sent.profiles([]).with("a\(number)").answered(401),
                    Sent.token("b\(number)"), Sent.configuration.with("b\(number)").answered(401),
                ]
            }),
        Case(
            "gets a new token after a 401, and repeats the call", verdict: .keeps(2, 3), .token("one"),
            .profiles([]).with("one").answered(401), .token("two"), .profiles([]).with("two")),
        Case(
            "repeats the call with five new tokens, which all get a 401",
            verdict: .breaks("2, 4, 6, 8, 10: \(inALoop)"), sent: refused(times: 7)),
        Case(
            "repeats the call once after a 401, and again so for the viewer", verdict: .keeps(2, 3, 4, 5, 6, 7),
            sent: refused(times: 4)),
        Case(
            "repeats the call with new tokens, which succeeds in between", verdict: .keeps(2, 3, 4, 5, 6, 7, 10, 11),
            sent: refused(times: 3) + [Sent.token("x"), Sent.profiles([]).with("x")] + refused(times: 2)),
        Case("registers after a 401", verdict: .keeps(2, 3), .token(), .profiles([]).answered(401), .registration()),
        Case(
            "asks for a new token in vain after a 401", verdict: .keeps(2, 3), .token(), .profiles([]).answered(401),
            .token().answered(500)),
        Case(
            "repeats the call after a 401", verdict: .breaks("1, 2: \(sentAgain)"), .profiles([]).answered(401),
            .profiles([])),
        Case(
            "repeats the call twice after a 401", verdict: .breaks("1, 2: \(sentAgain)", "2, 3: \(sentAgain)"),
            .profiles([]).answered(401), .profiles([]).answered(401), .profiles([])),
        Case(
            "sends another call with the refused token", verdict: .breaks("1, 2: \(sentAgain)"),
            .profiles([]).answered(401), .configuration),
        Case(
            "sends a call with another token after a 401", verdict: .nothing, .profiles([]).with("one").answered(401),
            .profiles([]).with("two")),
        Case(
            "sent the second of two calls at once before the first one got its 401", verdict: .keeps(3, 4),
            .token("token").at(-1), .profiles([]).at(0).took(0.5).answered(401),
            .configuration.at(0.4).took(0.5).answered(401), .token()),
        Case(
            "repeats the call in the moment of the 401", verdict: .breaks("1, 2: \(sentAgain)"),
            .profiles([]).at(0).took(0.5).answered(401), .profiles([]).at(0.5)),
        Case(
            "sends the same access token after the household has refused the service token", verdict: .nothing,
            devices(refusedWith: "token_expired"), devices(refusedWith: "token_expired")),
        Case(
            "sends a token again that the household has refused by its code", verdict: .breaks("1, 2: \(sentAgain)"),
            devices(refusedWith: "invalid_access_token_service_provider"), .profiles([])),
        Case(
            "sends a token again that the household has refused without a reason",
            verdict: .breaks("1, 2: \(sentAgain)"), devices(refusedWith: "unauthorized"), .profiles([])),
        Case(
            "repeats the call after the challenge of another server", verdict: .nothing, .profiles([]).challenged(),
            .profiles([])),
        Case(
            "repeats the call after a 401 with the page of a network", verdict: .nothing,
            .profiles([]).answered(401).welcomed, .profiles([])),
        Case(
            "repeats the call after a 401 that refuses the access token, with a page",
            verdict: .breaks("1, 2: \(sentAgain)"),
            .profiles([]).challenged("Bearer error=\"invalid_token\"").welcomed, .profiles([])),
        Case(
            "repeats the call after a 401 that accepts access tokens, among others",
            verdict: .breaks("1, 2: \(sentAgain)"), .profiles([]).challenged("Negotiate, Bearer"), .profiles([])),
        Case(
            "repeats the call after a 401 whose challenge a tool has masked", verdict: .breaks("1, 2: \(sentAgain)"),
            .profiles([]).challenged("••••"), .profiles([])),
        Case(
            "repeats the call after a 401 of the service with the challenge of another scheme",
            verdict: .breaks("1, 2: \(sentAgain)"),
            .profiles([]).challenged().answered(401, ["error": "access_denied"]), .profiles([])),
        Case(
            "repeats the call after a 401 with an error of the service and the challenge of another scheme",
            verdict: .breaks("1, 2: \(sentAgain)"), .profiles([]).challenged().refused(401, action: "none"),
            .profiles([])),
        Case(
            "opens a login page with the refused token", verdict: .nothing, .token(), .profiles([]).answered(401),
            .loginPage().with("token")),
        Case(
            "repeats the call with five new tokens, which all get the challenge of another server",
            verdict: .breaks("2, 4, 6, 8, 10: \(inALoop)"),
            sent: (1...5).flatMap { [Sent.token("new \($0)"), Sent.profiles([]).with("new \($0)").challenged()] }),
        Case("sends the same token after a 403", verdict: .nothing, .profiles([]).answered(403), .profiles([])),
        Case(
            "sends the same token after a 401 to a page", verdict: .nothing,
            .play().answered(401).header("Authorization", "Bearer token"),
            .profiles([])),
        Case(
            "sends a token again that was refused before the last answer", verdict: .nothing,
            .profiles([]).with("one").answered(401), .profiles([]).with("two"), .profiles([]).with("one")),
        Case(
            "sends its token in the moment of its end", verdict: .breaks("1, 2: \(ended)"), .token(lasts: 60).at(0),
            .profiles([]).at(60)),
        Case(
            "sends a token at the end of its only second", verdict: .breaks("1, 2: \(ended)"),
            .token(lasts: 1).at(0), .profiles([]).at(1)),
        Case(
            "sends its token a second before its end", verdict: .nothing, .token(lasts: 60).at(0),
            .profiles([]).at(59)),
        Case(
            "sends a token that ends at once, as the service says", verdict: .nothing, .token(lasts: 0).at(0),
            .profiles([]).at(60)),
        Case(
            "sends a token that ended before it came, as the service says", verdict: .nothing,
            .token(lasts: -5).at(0), .profiles([]).at(60)),
        Case(
            "sends its token after its end twice", verdict: .breaks("1, 2: \(ended)"), .token(lasts: 60).at(0),
            .profiles([]).at(70), .profiles([])),
        Case(
            "sends another token after the end of the last one", verdict: .nothing, .profiles([]).with("old"),
            .token("new", lasts: 60).at(1), .profiles([]).with("old").at(70)),
        Case(
            "sends a token after its end, of which the next one came in vain", verdict: .breaks("1, 3: \(ended)"),
            .token("token", lasts: 60).at(0), .token("next").answered(500), .profiles([]).at(70)),
        Case(
            "sends a token after its end, and a network has answered about the next one with its own page",
            verdict: .breaks("1, 3: \(ended)"), .token(lasts: 60).at(0), .token("next").welcomed,
            .profiles([]).at(70)),
        Case(
            "registers again, which gives it no new token, and sends the old one after its end",
            verdict: .breaks("1, 3: \(ended)"), .token(lasts: 60).at(0), .registration().at(30),
            .profiles([]).at(70)),
        Case(
            "registers again at the end of its token, which gives it no new one", verdict: .nothing,
            .token(lasts: 60).at(0), .registration().at(60)),
        Case(
            "gets a new token a minute before the end", verdict: .keeps(2), .token("one", lasts: 300).at(0),
            .token("two", lasts: 300).at(240)),
        Case(
            "gets a new token 61 seconds before the end", verdict: .nothing, .token("one", lasts: 300).at(0),
            .token("two", lasts: 300).at(239)),
        Case(
            "gets a new token a minute before the end, which counts to the answer", verdict: .keeps(2),
            .token("one", lasts: 300).at(0), .token("two", lasts: 300).at(230).took(10)),
        Case("gets its first token", verdict: .nothing, .token(), .profiles([])),
        Case(
            "gets each of three tokens at the end of the one before", verdict: .keeps(2, 3),
            .token("one", lasts: 300).at(0),
            .token("two", lasts: 300).at(300), .token("three", lasts: 300).at(600)),
    ]
}
