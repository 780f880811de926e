import TVEModels
import Testing

/// CL11, CL29 and CL30: sessions that two screens or two logins share.
struct SecondScreenRuleTests {
    @Test(arguments: checks)
    func aTypedCode_isCheckedBeforeItsPage(one: Case) throws { try one.check("CL11") }

    private static let unchecked = "The login page of a typed code was opened, and nobody had checked the code."
    private static let unseen =
        "A page led to the login page of a typed code, and its server may have checked the code unseen."
    private static let fromAPage = Sent.loginPage().header("Referer", "https://activate.example/")
    private static let wrong = "The login page of a code was opened, although the service had refused the code."

    /// A code for a second screen, which chooses the provider.
    private static let code = Sent.session(mvpd: nil, redirect: nil, lacks: ["mvpd"])
    private static let check = Sent.check().with("two").from("telephone")
    private static let resume = Sent.resume().with("two").from("telephone")

    private static let checks: [Case] = [
        Case(
            "opens the page from a page, while another page asks the service itself", verdict: .unsure(unseen), code,
            .configuration.with("two").from("telephone").header("Origin", "https://other.example"), fromAPage),
        Case("looks the code up, and opens the page", verdict: .keeps(2, 3), code, check, .loginPage()),
        Case("chooses a provider for the code, and opens the page", verdict: .keeps(2, 3), code, resume, .loginPage()),
        Case(
            "looks the code up twice, the first time in vain", verdict: .keeps(2, 3, 4), code, check.answered(404),
            check,
            .loginPage()),
        Case("opens the page at once", verdict: .breaks("2: \(unchecked)"), code, .loginPage()),
        Case(
            "opens the page from a page of the programmer, whose server may ask the service",
            verdict: .unsure(unseen), code, fromAPage),
        Case(
            "opens the page from a page that asks the service itself, but not about the code",
            verdict: .breaks("3: \(unchecked)"), code,
            .configuration.with("two").from("telephone").header("Origin", "https://activate.example"), fromAPage),
        Case(
            "opens the page from a page of the service", verdict: .breaks("2: \(unchecked)"), code,
            .loginPage().header("Referer", "https://sp.example/somewhere")),
        Case(
            "opens the page, and looks the code up afterwards", verdict: .breaks("2: \(unchecked)"), code, .loginPage(),
            check),
        Case(
            "opens the page of a code that the service does not know", verdict: .breaks("2, 3: \(wrong)"), code,
            check.answered(404), .loginPage()),
        Case(
            "opens the page of a code that the service knows only afterwards", verdict: .breaks("2, 3: \(wrong)"), code,
            check.answered(404), .loginPage(), check),
        Case(
            "opens the page, and the answer about the code was lost", verdict: .nothing, code, check.unanswered,
            .loginPage()),
        Case(
            "opens the page, and a network has answered about the code with its own page", verdict: .nothing, code,
            check.welcomed, .loginPage()),
        Case(
            "opens the page, and a firewall has answered about the code with its own page", verdict: .nothing, code,
            check.answered(403).welcomed, .loginPage()),
        Case(
            "opens the page during an outage of the service", verdict: .nothing, code, check.answered(503),
            .loginPage()),
        Case("looks the code up, and does not open the page", verdict: .nothing, code, check),
        Case(
            "opens the page of a code at once that leads to a web page, six seconds after it was shown",
            verdict: .breaks("3: \(unchecked)"), .session(redirect: "https://app.example").at(0), .look().at(1),
            .loginPage().at(6)),
        Case(
            "opens the page of a code at once that leads to a web page, too soon to have typed it", verdict: .nothing,
            .session(redirect: "https://app.example").at(0), .look().at(0.1), .loginPage().at(0.3)),
        Case(
            "opens the page of a code that leads to a web page, and does not look for the profile", verdict: .nothing,
            .session(redirect: "https://app.example").at(0), .loginPage().at(6)),
        Case(
            "opens the page at once, and again after a check", verdict: .breaks("2: \(unchecked)"), code, .loginPage(),
            check, .loginPage()),
        Case(
            "opens the page of a refused code from a page of the programmer", verdict: .breaks("2, 3: \(wrong)"), code,
            check.answered(404), fromAPage),
        Case(
            "opens the page from a page without a host", verdict: .breaks("2: \(unchecked)"), code,
            .loginPage().header("Referer", "about:blank")),
        Case(
            "opens the page from a page of the programmer, whose browser has opened another one from there",
            verdict: .unsure(unseen), code, .loginPage("OTHER").header("Origin", "https://activate.example"),
            fromAPage),
        Case("opens the page of a code on its own screen", verdict: .nothing, .session(), .loginPage()),
        Case(
            "opens the page with the sandbox's own page", verdict: .nothing, code,
            .typed(), .loginPage()),
        Case(
            "opens the page with a page of its own that has the path of the sandbox's",
            verdict: .breaks("3: \(unchecked)"), code, .typed(host: "www.example.com"), .loginPage()),
        Case(
            "checks another code", verdict: .breaks("3: \(unchecked)"), code,
            .check("OTHER").with("two").from("telephone"),
            .loginPage()),
        Case(
            "the recording lacks the request of a session",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 1."),
            code.body(nil), check, .loginPage()),
    ]

    /// An outage, a throttle and a refused access token say nothing about the code.
    @Test(arguments: [
        (399, false), (400, true), (401, false), (403, true), (410, true), (429, false), (499, true), (500, false),
    ])
    func theStatus_tellsWhetherACodeIsRefused(status: Int, isRefused: Bool) throws {
        let verdict: Case.Verdict = isRefused ? .breaks("2, 3: \(Self.wrong)") : .nothing
        try Case("\(status)", verdict: verdict, Self.code, Self.check.answered(status), .loginPage()).check("CL11")
    }

    @Test(arguments: additions)
    func theSecondScreen_addsWhatIsMissing(one: Case) throws { try one.check("CL29") }

    private static let gaveUp = "The session still lacked parameters when the second screen gave up."

    private static let additions: [Case] = [
        Case("chooses the provider", verdict: .keeps(1, 2), code, resume),
        Case("chooses a provider that needs no login", verdict: .keeps(1, 2), code, .resume(nextStep: "authorize")),
        Case(
            "adds two parameters one after the other", verdict: .keeps(1, 3), code,
            .resume(mvpd: nil, nextStep: "retry"), resume
        ),
        Case(
            "adds one parameter of two", verdict: .breaks("1, 2: \(gaveUp)"), code,
            .resume(mvpd: nil, nextStep: "retry")),
        Case(
            "adds one parameter twice", verdict: .breaks("1, 3: \(gaveUp)"), code, resume,
            .resume(mvpd: nil, nextStep: "retry")),
        Case(
            "adds two parameters one after the other, and the second answer is lost", verdict: .nothing, code,
            .resume(mvpd: nil, nextStep: "retry"), resume.unanswered),
        Case("only looks the code up", verdict: .nothing, code, check.answered(200, ["actionName": "retry"])),
        Case(
            "chooses a provider that the service refuses", verdict: .nothing, code,
            resume.answered(400, ["actionName": "retry"])
        ),
        Case(
            "chooses the provider, and then another one that is refused", verdict: .keeps(1, 2), code, resume,
            resume.answered(400)),
        Case("gets an answer that does not say what comes next", verdict: .nothing, code, resume.answered(200)),
        Case("does no more than to make the session", verdict: .nothing, code),
        Case(
            "the session lacks the redirect alone", verdict: .nothing, .session(redirect: nil, lacks: ["redirectUrl"]),
            resume),
        Case("the session was made before the recording", verdict: .nothing, resume),
    ]

    @Test(arguments: partners)
    func anOrdinarySession_inPlaceOfThePartners_isUsed(one: Case) throws { try one.check("CL30") }

    private static let second = "A second session was made in place of the one that the service had begun."

    private static let partners: [Case] = [
        Case("opens the page of the session", verdict: .keeps(1, 2), .partnerSession(), .loginPage(), .look()),
        Case("looks for the profile of the session", verdict: .keeps(1, 2), .partnerSession(), .look(), .loginPage()),
        Case("chooses the provider of the session", verdict: .keeps(1, 2), .partnerSession(), .resume(), .loginPage()),
        Case("makes a second session", verdict: .breaks("1, 2: \(second)"), .partnerSession(), .session("OTHER")),
        Case(
            "makes a second session after 59 seconds", verdict: .breaks("1, 2: \(second)"), .partnerSession().at(0),
            .session("OTHER").at(59)),
        Case(
            "makes a second session after a minute", verdict: .nothing, .partnerSession().at(0),
            .session("OTHER").at(60)),
        Case("makes a second partner's session", verdict: .nothing, .partnerSession("A"), .partnerSession("B")),
        Case(
            "makes a second session after it has used the first one", verdict: .keeps(1, 2), .partnerSession(), .look(),
            .session("OTHER")),
        Case(
            "uses the first session after it has made a second one", verdict: .keeps(1, 3), .partnerSession(),
            .session("OTHER"),
            .look()),
        Case(
            "makes a second session for another brand", verdict: .nothing, .partnerSession(),
            .session("OTHER").brand("OTHER")),
        Case(
            "gets the partner's own session, and makes an ordinary one", verdict: .nothing,
            .partnerSession().answered(200, ["actionName": "partner_profile"]), .session()),
        Case(
            "makes a second session for another provider than the platform's", verdict: .nothing,
            .partnerSession().answered(200, ["code": "CODE", "mvpd": "cable"]), .session("OTHER", mvpd: "fiber")),
        Case(
            "makes a second session, and the recording lacks its provider", verdict: .nothing,
            .partnerSession().answered(200, ["code": "CODE", "mvpd": "cable"]), .session("OTHER").body(nil)),
        Case(
            "makes a second session for the platform's provider", verdict: .breaks("1, 2: \(second)"),
            .partnerSession().answered(200, ["code": "CODE", "mvpd": "cable"]), .session("OTHER", mvpd: "cable")),
        Case(
            "makes a second session for a provider to choose", verdict: .breaks("1, 2: \(second)"),
            .partnerSession().answered(200, ["code": "CODE", "mvpd": "cable"]), .session("OTHER", mvpd: nil)),
        Case(
            "makes a second session for a provider to choose, and sends an empty one",
            verdict: .breaks("1, 2: \(second)"),
            .partnerSession().answered(200, ["code": "CODE", "mvpd": "cable"]), .session("OTHER", mvpd: "")),
        Case("makes two ordinary sessions", verdict: .nothing, .session("A"), .session("B"), .loginPage("A")),
    ]
}
