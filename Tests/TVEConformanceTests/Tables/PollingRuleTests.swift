import TVEConformance
import TVEModels
import Testing

/// CL7 to CL9: looking for the profile of a code.
struct PollingRuleTests {
    @Test(arguments: firstScreens)
    func aFirstScreen_looksAfterTheRedirect(one: Case) throws { try one.check("CL7") }

    private static let early = "The client looked for the profile before the browser had reached the redirect."
    private static let never = "The client looked for the profile, and no browser had reached the redirect."
    private static func fast(_ seconds: Double) -> String {
        "The client looked for the profile again after \(seconds) s."
    }

    /// The provider's page sends the browser to the redirect.
    private static let done = Sent.page("/done").leads(to: "app://done")

    /// The session of another device with the same app, and its polling request.
    private static func other(_ code: String) -> Sent { .session(code).with("two").from("other") }

    private static func other(looksFor code: String) -> Sent { .look(code).with("two").from("other") }

    private static let firstScreens: [Case] = [
        Case(
            "looks twice, and the recording lacks the headers, which tell the screens apart", verdict: .nothing,
            .session().withoutHeaders, .loginPage(), .look().withoutHeaders, .look().withoutHeaders.at(10)),
        Case(
            "a device logs in when the code of another one was replaced", verdict: .keeps(4, 6, 7), .session("A"),
            .loginPage("A"), .session("C"), other("B"), .loginPage("B"), done, other(looksFor: "B")),
        Case(
            "a device logs in when the page of another one has ended, and was opened again",
            verdict: .keeps(5, 7, 8), .session("A"), .loginPage("A"), done, .loginPage("A"), other("B"),
            .loginPage("B"), done, other(looksFor: "B")),
        Case(
            "looks when the browser has reached the redirect", verdict: .keeps(1, 3, 4), .session(), .loginPage(), done,
            .look(finds: ["cable"])),
        Case(
            "looks 2.5 seconds after its first look", verdict: .keeps(1, 3, 4), .session(), .loginPage(), done,
            .look().at(10),
            .look(finds: ["cable"]).at(12.5)),
        Case(
            "looks 2.4 seconds after its first look", verdict: .breaks("4, 5: \(fast(2.4))"), .session(), .loginPage(),
            done,
            .look().at(10), .look(finds: ["cable"]).at(12.4)),
        Case(
            "looks three times a second apart", verdict: .breaks("4, 5: \(fast(1.0))", "5, 6: \(fast(1.0))"),
            .session(),
            .loginPage(), done, .look(), .look(), .look(finds: ["cable"])),
        Case(
            "repeats a look that failed after a second", verdict: .keeps(1, 3, 4), .session(), .loginPage(), done,
            .look().answered(503), .look(finds: ["cable"])),
        Case(
            "repeats a look after a second to which a network has answered with its own page",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 4."),
            .session(), .loginPage(), done, .look().welcomed, .look(finds: ["cable"])),
        Case(
            "looks soon after its success, which is another row's matter", verdict: .keeps(1, 3, 4), .session(),
            .loginPage(),
            done, .look(finds: ["cable"]), .look()),
        Case(
            "two applications look for the same code within a second", verdict: .keeps(1, 3, 4), .session(),
            .loginPage(), done,
            .look(), .look().with("two").from("other")),
        Case(
            "looks before the browser has reached the redirect", verdict: .breaks("3, 4: \(early)"), .session(),
            .loginPage(),
            .look(), done, .look(finds: ["cable"]).at(10)),
        Case(
            "looks before the page, and before the redirect", verdict: .breaks("2, 4, 5: \(early)"), .session().at(0),
            .look().at(0.2), .loginPage().at(1), .look().at(4), done, .look(finds: ["cable"]).at(10)),
        Case(
            "looks twice, and the browser has not reached the redirect", verdict: .breaks("2, 3, 4: \(never)"),
            .session(),
            .loginPage(), .look(), .look().at(10)),
        Case(
            "looks once, and the browser has not reached the redirect", verdict: .nothing, .session(), .loginPage(),
            .look()),
        Case(
            "looks twice for a code without a redirect", verdict: .nothing, .session(redirect: nil), .loginPage(),
            .look(),
            .look().at(10)),
        Case("looks twice, and nobody has opened the page", verdict: .nothing, .session(), .look(), .look().at(10)),
        Case(
            "looks twice for a code that was made before the recording", verdict: .nothing, .loginPage(), .look(),
            .look()),
        Case(
            "does not look when the browser has reached the redirect", verdict: .nothing, .session(), .loginPage(), done
        ),
        Case(
            "the browser reaches the redirect with a query", verdict: .keeps(1, 3, 4),
            .session(redirect: "app://done/"),
            .loginPage(), .page("/done").leads(to: "app://done?ok=1"), .look(finds: ["cable"])),
        Case(
            "the browser loads the redirect", verdict: .keeps(1, 3, 4), .session(redirect: "https://app.example/done"),
            .loginPage(), .page("/done", host: "app.example"), .look(finds: ["cable"])),
        Case(
            "the browser loads the redirect without encryption", verdict: .keeps(1, 3, 4),
            .session(redirect: "http://app.example/done"), .loginPage(), .page("/done/", host: "app.example"),
            .look(finds: ["cable"])),
        Case(
            "the browser loads the redirect, whose scheme and host the client writes in capitals",
            verdict: .keeps(1, 3, 4), .session(redirect: "HTTPS://App.Example/done#top"), .loginPage(),
            .page("/done", host: "app.example"), .look(finds: ["cable"])),
        Case(
            "the browser loads a page whose path differs in its case", verdict: .breaks("2, 4, 5: \(never)"),
            .session(redirect: "https://app.example/Done"), .loginPage(), .page("/done", host: "app.example"), .look(),
            .look().at(10)),
        Case(
            "the browser loads a page of the same path elsewhere", verdict: .breaks("2, 4, 5: \(never)"),
            .session(redirect: "https://app.example/done"), .loginPage(), .page("/done", host: "other.example"),
            .look(), .look().at(10)),
        Case(
            "the browser is sent to another redirect", verdict: .breaks("2, 4, 5: \(never)"), .session(), .loginPage(),
            .page("/done").leads(to: "app://other"), .look(), .look().at(10)),
        Case(
            "the browser reaches the redirect twice, and the client looks in between", verdict: .keeps(1, 3, 4),
            .session(),
            .loginPage(), done, .look(finds: ["cable"]), .loginPage(), done),
        Case(
            "the browser had been at the redirect before the page", verdict: .breaks("3, 4, 5: \(never)"), .session(),
            done,
            .loginPage(), .look(), .look().at(10)),
        Case(
            "looks early for the first of two codes, and not for the second one", verdict: .breaks("3, 4: \(early)"),
            .session("A"), .loginPage("A"), .look("A"), done, .session("B").at(60), .loginPage("B"), done, .look("B")),
        Case(
            "two devices of an app log in at the same time", verdict: .nothing,
            .session("A"), .loginPage("A"), other("B"), .loginPage("B"), done, .look("A", finds: ["cable"]),
            other(looksFor: "B"), done, other(looksFor: "B").at(10)),
        Case(
            "two devices of an app log in at the same time, and one of them looks every second",
            verdict: .breaks("6, 7: \(fast(1.0))"),
            .session("A"), .loginPage("A"), other("B"), .loginPage("B"), done, .look("A"), .look("A")),
        Case(
            "two devices of an app log in one after the other", verdict: .keeps(1, 3, 4, 5, 7, 8),
            .session("A"), .loginPage("A"), done, .look("A", finds: ["cable"]), other("B"), .loginPage("B"), done,
            other(looksFor: "B")),
        Case(
            "a device logs in when the code of another one has ended", verdict: .keeps(3, 5, 6),
            .session("A", lasts: 60).at(0), .loginPage("A"), other("B").at(90), .loginPage("B"), done,
            other(looksFor: "B")),
        Case(
            "a device looks early while the viewer of another one logs in", verdict: .breaks("3, 4: \(early)"),
            .session("A"), .loginPage("A"), .look("A"), done, other("B"), .loginPage("B"),
            .look("A", finds: ["cable"]).at(10)),
        Case(
            "the page of one brand's code does not belong to the same code of another brand",
            verdict: .breaks("3, 4, 5: \(never)"), .session("A"), .session("A", redirect: nil).brand("OTHER"),
            .loginPage("A"),
            .look("A"),
            .look("A").at(10)),
    ]

    /// The redirect of a session, and the same address as browsers and pages write it.
    @Test(
        arguments: [
            ("https://app.example:443/done", .page("/done", host: "app.example")),
            ("http://app.example/done", .page("/done", host: "app.example:80")),
            ("https://app.example/done", .page("/done", host: "user:password@app.example:443")),
            ("https://app.example/d%C3%B6ne", .page("/d%c3%b6ne", host: "app.example")),
            ("https://app.example/d\u{F6}ne", .page("/d%C3%B6ne", host: "app.example")),
            ("https://app.example/done", .page("/end").leads(to: "https://app.example:443/done?a=1")),
            ("https://cable.example/done", .page("/end").leads(to: "/done")),
            ("https://cable.example/a/done", .page("/a/end").leads(to: "done#top")),
            ("https://app.example/done", .page("/end").leads(to: "//app.example/done")),
            ("app:done", .page("/end").leads(to: "APP:done?a=1")),
        ] as [(String, Sent)])
    func theRedirect_isReached_howeverItIsWritten(redirect: String, page: Sent) throws {
        let sent: [Sent] = [.session(redirect: redirect), .loginPage(), page, .look(finds: ["cable"])]
        try Case("reaches \(redirect)", verdict: .keeps(1, 3, 4), sent: sent).check("CL7")
    }

    @Test(arguments: scripts)
    func aPageThatOpensTheAppByAScript_mayBeTheRedirect(one: Case) throws { try one.check("CL7") }

    private static let login = Sent.loginPage().leads(to: "https://cable.example/login")

    private static let scripts: [Case] = [
        Case(
            "looks three times after the last page of a login that succeeds, and opens its page afterwards",
            verdict: .nothing, .session(), login, .page("/login").answered(200), .page("/end").answered(200), .look(),
            .look().at(10), .look(finds: ["cable"]).at(20), .page("/login").answered(200)),
        Case(
            "looks after the last page of a login that succeeds", verdict: .nothing, .session(), login,
            .page("/login").answered(200), .page("/end").answered(200), .look(), .look(finds: ["cable"]).at(10)),
        Case(
            "looks after the last page of a login that succeeds, and another site follows", verdict: .nothing,
            .session(), login, .page("/end").answered(200), .look(), .page("/logo", host: "images.example"),
            .look(finds: ["cable"]).at(10)),
        Case(
            "looks before the last page of a login that succeeds", verdict: .breaks("2, 4, 6: \(never)"), .session(),
            login, .page("/login").answered(200), .look(), .page("/end").answered(200), .look(finds: ["cable"]).at(10)),
        Case(
            "looks after the last page of a login that does not succeed", verdict: .breaks("2, 4, 5: \(never)"),
            .session(), login, .page("/end").answered(200), .look(), .look().at(10)),
        Case(
            "looks before the login page", verdict: .breaks("3, 2, 4: \(never)"), .session(), .look(),
            login, .look(finds: ["cable"]).at(10)),
    ]

    @Test(arguments: secondScreens)
    func aSecondScreen_looksAtOnce_andNotTooOften(one: Case) throws { try one.check("CL8") }

    private static func late(_ time: String) -> String {
        "The client began to look for the profile \(time) after it got the code."
    }

    /// A code for a second screen, which chooses the provider.
    private static func code() -> Sent { .session(mvpd: nil, redirect: nil, lacks: ["mvpd"]) }

    private static let secondScreens: [Case] = [
        Case(
            "looks after half a second, and the recording lacks the headers, which tell the screens apart",
            verdict: .nothing, code().withoutHeaders.at(0), .look().withoutHeaders.at(1),
            .look().withoutHeaders.at(1.5)),
        Case(
            "looks every three seconds", verdict: .keeps(1, 2, 3, 4), code().at(0), .look().at(0), .look().at(3),
            .look().at(6)),
        Case("looks once", verdict: .nothing, code(), .look()),
        Case("does not look", verdict: .nothing, code()),
        Case(
            "looks 2.5 seconds after its first look", verdict: .keeps(1, 2, 3), code().at(0), .look().at(1),
            .look().at(3.5)),
        Case(
            "looks 2.4 seconds after its first look", verdict: .breaks("2, 3: \(fast(2.4))"), code().at(0),
            .look().at(1),
            .look().at(3.4)),
        Case(
            "looks every 200 milliseconds, and a tool has masked the answers", verdict: .breaks("2, 3: \(fast(0.2))"),
            code().at(0), .look().at(1).masked, .look().at(1.2).masked),
        Case(
            "begins ten seconds after it got the code", verdict: .keeps(1, 2, 3), code().at(0), .look().at(10),
            .look().at(15)),
        Case(
            "begins eleven seconds after it got the code", verdict: .breaks("1, 2: \(late("11 seconds"))"),
            code().at(0),
            .look().at(11), .look().at(15)),
        Case(
            "begins ten seconds after it got the code, which took five seconds", verdict: .keeps(1, 2, 3),
            code().at(0).took(5), .look().at(15), .look().at(20)),
        Case(
            "looks again after a minute, and after another one", verdict: .keeps(1, 2, 3, 4), code().at(0),
            .look().at(1), .look().at(61), .look().at(121)),
        Case(
            "looks soon after a look that had failed", verdict: .keeps(1, 2, 3), code().at(0),
            .look().at(1).answered(503), .look().at(2)),
        Case(
            "looks late for a code on its own screen, which is another row's matter", verdict: .nothing,
            .session().at(0),
            .loginPage(), .look().at(60), .look().at(61)),
        Case(
            "another application looks for the code too", verdict: .keeps(1, 2, 4), code().at(0), .look().at(1),
            .look().at(2).with("two").from("telephone"), .look().at(4)),
        Case(
            "looks late after its success, which is another row's matter", verdict: .keeps(1, 2, 3), code().at(0),
            .look().at(1), .look(finds: ["cable"]).at(4), .look().at(60)),
    ]

    @Test(arguments: ends)
    func noLook_followsTheEndOfACode(one: Case) throws { try one.check("CL9") }

    /// The client cannot read such a profile, and asks once more.
    @Test(arguments: [
        #"{}"#, #"{"notAfter":"soon"}"#, #"{"notAfter":1900000000}"#, "1",
        #"{"notAfter":978307199999}"#,
        #"{"notBefore":1900000000000,"notAfter":1900000000000}"#,
    ])
    func anUnreadableProfile_isNoSuccess(profile: String) throws {
        let spoiled = Sent.look().answer(#"{"profiles":{"cable":\#(profile)}}"#)
        let found = Sent.look(finds: ["cable"])
        try Case(
            "looks again", verdict: .keeps(3, 4), .session(), spoiled.at(3), found.at(6), .authorize()
        ).check("CL9")
        try Case(
            "looks again after a profile", verdict: .breaks("2, 3: \(Self.success)"), .session(), found.at(3),
            spoiled.at(6)
        ).check("CL9")
    }

    /// A client uses the usual lifetime of half an hour for such a code, so the times show no end.
    @Test(arguments: [
        ("1800000000", "1800001800"), ("1000", "1801000"), ("1800001800000", "1800000000000"),
        ("1800000000000", "1800000000000"), ("1800000000000", "soon"), ("", "1800001800000"),
        ("978307199999", "978307259999"),
    ])
    func timesThatNoCodeCanHave_areNotItsEnd(begin: String, end: String) throws {
        let session = Sent.session().answered(
            200, ["code": "CODE", "notBefore": .string(begin), "notAfter": .string(end)])
        try Case("looks", verdict: .nothing, session.at(0), .look().at(3), .look().at(1_900)).check("CL9")
    }

    /// The year 2001 begins at 978,307,200 seconds, and an earlier time is one in seconds.
    @Test func theTimesOfCodesAndProfiles_countFromTheYear2001On() throws {
        let session = Sent.session().answered(
            200, ["code": "CODE", "notBefore": 978_307_200_000, "notAfter": 978_307_260_000])
        try Case(
            "looks", verdict: .breaks("1, 3: \(Self.timeOut)"), session.at(0), .look().at(3), .look().at(66)
        ).check("CL9")
        let profile = Sent.look().finding(["cable": ["notAfter": 978_307_200_000]])
        try Case("looks again", verdict: .breaks("2, 3: \(Self.success)"), .session(), profile.at(3), .look().at(6))
            .check("CL9")
    }

    private static func after(_ end: String) -> String { "The client looked for the profile of a code \(end)." }
    private static let success = after("whose login had succeeded")
    private static let refusal = after("that the service had refused")
    private static let newCode = after("that a new one had replaced")
    private static let timeOut = after("that had ended")

    /// A profile that can be read.
    private static let valid: MetadataValue = ["notAfter": 1_900_000_000_000]

    private static let ends: [Case] = [
        Case(
            "two applications look for a code, and neither stops at its success",
            verdict: .breaks("2, 4: \(success)", "3, 5: \(success)"), .session(), .look(finds: ["cable"]),
            .look(finds: ["cable"]).with("two").from("telephone"), .look(),
            .look().with("two").from("telephone")),
        Case(
            "stops at its success, and plays", verdict: .keeps(2, 3), .session(), .look(finds: ["cable"]),
            .authorize()),
        Case("stops at its success, and does no more", verdict: .nothing, .session(), .look(finds: ["cable"])),
        Case("stops before its success", verdict: .nothing, .session(), .look(), .authorize()),
        Case(
            "looks after its success", verdict: .breaks("2, 3: \(success)"), .session(), .look(finds: ["cable"]),
            .look()),
        Case(
            "goes on where its own profile cannot be read, beside one of another provider", verdict: .keeps(3, 4),
            .session(), .look().finding(["cable": [:], "fiber": valid]), .look(finds: ["cable"]), .authorize()),
        Case(
            "goes on where its own profile cannot be read, beside one in another case", verdict: .keeps(3, 4),
            .session(), .look().finding(["cable": [:], "CABLE": valid]), .look(finds: ["cable"]), .authorize()),
        Case(
            "goes on where its own profile cannot be read, and a second screen has chosen the provider",
            verdict: .keeps(4, 5), .session(mvpd: nil), .resume().from("telephone"),
            .look().finding(["cable": [:], "fiber": valid]), .look(finds: ["cable"]), .authorize()),
        Case(
            "looks after its success, beside a profile in another case that cannot be read",
            verdict: .breaks("2, 3: \(success)"), .session(), .look().finding(["CABLE": [:], "cable": valid]), .look()),
        Case(
            "looks after its success in another case", verdict: .breaks("2, 3: \(success)"), .session(),
            .look().finding(["Cable ": valid, "fiber": [:]]), .look()),
        Case(
            "looks after it has found the profile of another provider alone", verdict: .breaks("2, 3: \(success)"),
            .session(), .look().finding(["fiber": valid]), .look()),
        Case(
            "looks twice after its success, of which the first finds the profile again",
            verdict: .breaks("2, 3, 4: \(success)"), .session(), .look(finds: ["cable"]), .look(finds: ["cable"]),
            .look()),
        Case(
            "had looked again before the successful answer came", verdict: .keeps(2, 4), .session(),
            .look(finds: ["cable"]).at(3).took(4), .look(finds: ["cable"]).at(6).took(4), .authorize().at(20)),
        Case(
            "looks in the moment of the successful answer", verdict: .breaks("2, 3: \(success)"), .session(),
            .look(finds: ["cable"]).at(3).took(3), .look(finds: ["cable"]).at(6)),
        Case(
            "looks for a code that the service has refused", verdict: .breaks("2, 3: \(refusal)"), .session(),
            .look().refused(410, code: "invalid_authentication_session", action: "none"), .look()),
        Case(
            "stops when the service has refused the code", verdict: .keeps(2, 3), .session(),
            .look().refused(410, code: "invalid_authentication_session", action: "none"), .configuration),
        Case(
            "had looked again before the refusal came", verdict: .keeps(2, 4), .session(),
            .look().refused(410, code: "invalid_authentication_session", action: "none").at(3).took(4), .look().at(6),
            .configuration.at(20)),
        Case(
            "looks after another error", verdict: .nothing, .session(), .look().refused(410, action: "none"), .look()),
        Case(
            "looks with the old code 1.5 seconds after the new one came", verdict: .breaks("4, 5: \(newCode)"),
            .session("A"),
            .look("A"), .look("A"), .session("B").at(10), .look("A").at(11.5)),
        Case(
            "looks with the old code a second after the new one came", verdict: .keeps(3, 5), .session("A"), .look("A"),
            .session("B").at(10).took(0.5), .look("A").at(11.5), .look("B").at(20)),
        Case(
            "finds a profile with the old code after the new one came", verdict: .breaks("3, 4: \(newCode)"),
            .session("A"),
            .look("A"), .session("B").at(10), .look("A", finds: ["cable"]).at(15)),
        Case(
            "another application looks with the old code", verdict: .nothing, .session("A"),
            .look("A").with("two").from("telephone"), .session("B").at(10),
            .look("A").with("two").from("telephone").at(20)),
        Case(
            "makes a new code for another brand", verdict: .nothing, .session("A"), .look("A"),
            .session("B").brand("OTHER"),
            .look("A").at(20)),
        Case(
            "another application makes a code", verdict: .nothing, .session("A"), .look("A"),
            .session("B").with("two").from("telephone"), .look("A").at(20)),
        Case(
            "fails to make a new code", verdict: .nothing, .session("A"), .look("A"), .session("B").answered(400),
            .look("A").at(20)),
        Case(
            "looks six seconds after the code's end", verdict: .breaks("1, 3: \(timeOut)"), .session(lasts: 60).at(0),
            .look().at(3), .look().at(66)),
        Case(
            "looks five seconds after the code's end", verdict: .nothing, .session(lasts: 60).at(0), .look().at(3),
            .look().at(65)),
        Case(
            "looks five seconds after the code's end, which counts from the answer", verdict: .nothing,
            .session(lasts: 60).at(0).took(4), .look().at(10), .look().at(69)),
        Case(
            "stops before the code's end, and does something else afterwards", verdict: .keeps(1, 3),
            .session(lasts: 60).at(0),
            .look().at(3), .configuration.at(66)),
        Case(
            "two applications look for a code, and one stops at its success", verdict: .breaks("4, 5: \(success)"),
            .session(),
            .look(finds: ["cable"]), .profiles(["cable"]).at(3),
            .look(finds: ["cable"]).with("two").from("telephone").at(4),
            .look().with("two").from("telephone").at(8)),
        Case(
            "looks after the success of a code that was made before the recording",
            verdict: .breaks("1, 2: \(success)"),
            .look(finds: ["cable"]), .look()),
    ]

    /// A session whose redirect is a page, with polling requests that follow each other too fast.
    ///
    /// CL7 and CL8 describe the same problem, and only the row of the screen on which the viewer logs in is broken.
    @Test(arguments: screens)
    func theScreen_decidesWhichRowIsJudged(screen: Screen) {
        let broken = ConformanceReport(judging: screen.sent.exchanges).brokenRows
        #expect(broken.contains("CL7") == !screen.isSecond && broken.contains("CL8") == screen.isSecond)
    }

    struct Screen: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isSecond: Bool
        let sent: [Sent]

        init(_ what: String, isSecond: Bool, _ sent: Sent...) {
            testDescription = what
            self.isSecond = isSecond
            self.sent = sent
        }
    }

    private static let web = "https://app.example/done"

    private static let screens: [Screen] = [
        Screen("the redirect is an app", isSecond: false, .session().at(0), .look().at(1), .look().at(2)),
        Screen("there is no redirect", isSecond: false, .session(redirect: nil).at(0), .look().at(1), .look().at(2)),
        Screen(
            "the redirect is a page, which no browser has opened", isSecond: true, .session(redirect: web).at(0),
            .look().at(1), .look().at(2)),
        Screen(
            "the redirect is a page without encryption, which no browser has opened", isSecond: true,
            .session(redirect: "http://app.example").at(0), .look().at(1), .look().at(2)),
        Screen(
            "the login page is opened 1.5 seconds after the code came, and after the first look", isSecond: true,
            .session(redirect: web).at(0).took(1), .look().at(1.2), .loginPage().at(2.5), .look().at(2.6), .look().at(3)
        ),
        Screen(
            "the login page is opened 1.4 seconds after the code came, and after the first look", isSecond: false,
            .session(redirect: web).at(0).took(1), .look().at(1.2), .loginPage().at(2.4), .look().at(2.6), .look().at(3)
        ),
        Screen(
            "the login page is opened before the first look", isSecond: false, .session(redirect: web).at(0),
            .loginPage().at(5), .look().at(6), .look().at(7)),
        Screen(
            "another application checks the code", isSecond: true, .session().at(0), .look().at(1), .look().at(2),
            .check().with("two").from("telephone")),
        Screen(
            "the same application checks the code", isSecond: false, .session().at(0), .look().at(1), .look().at(2),
            .check()),
        Screen(
            "the service lacks the provider, and nobody adds it", isSecond: true,
            .session(mvpd: nil, redirect: nil, lacks: ["mvpd"]).at(0), .look().at(1), .look().at(2)),
        Screen(
            "the service lacks the redirect, and the same application adds it", isSecond: false,
            .session(redirect: nil, lacks: ["redirectUrl"]).at(0), .resume(redirect: web), .look().at(2),
            .look().at(3)),
        Screen(
            "the service lacks the provider, and another application adds it", isSecond: true,
            .session(mvpd: nil, redirect: nil, lacks: ["mvpd"]).at(0), .look().at(1),
            .resume().with("two").from("telephone"), .look().at(2)),
        Screen(
            "the code is typed at the sandbox's page", isSecond: true, .session().at(0), .look().at(1), .look().at(2),
            .typed("code")),
        Screen(
            "the code is typed at another page of that path", isSecond: false, .session().at(0), .look().at(1),
            .look().at(2), .typed(host: "www.example.com")),
        Screen(
            "the sandbox's page is looked at with the code", isSecond: false, .session().at(0), .look().at(1),
            .look().at(2), .page("/activate", host: "sp.example").query("code=CODE").body("code=CODE")),
        Screen(
            "a code is typed at the sandbox's page in small letters", isSecond: true, .session("KLM").at(0),
            .look("KLM").at(1), .look("klm").at(2), .typed("klm")),
        Screen(
            "another code is typed at the sandbox's page", isSecond: false, .session().at(0), .look().at(1),
            .look().at(2), .typed("OTHER")),
    ]
}
