import TVEModels
import Testing

/// CL28: the browser and its redirect.
struct RedirectRuleTests {
    @Test(arguments: redirects)
    func theRedirect_isOneOfTheRegistration(one: Case) throws { try one.check("CL28") }

    private static let unknown = "The redirect of the session is not among those of the registration."

    private static func uses(_ redirect: String, of registered: String..., isKnown: Bool) -> Case {
        Case(
            "registers \(registered.joined(separator: " and ")), and uses \(redirect)",
            verdict: isKnown ? .keeps(1, 3) : .breaks("1, 3: \(unknown)"), .registration(redirects: registered),
            .token(),
            .session(redirect: redirect))
    }

    private static let redirects: [Case] = [
        uses("app://done", of: "app://done", isKnown: true), uses("app://else", of: "app://done", isKnown: false),
        uses("other://done", of: "app://done", isKnown: false), uses("app://done", of: "app://", isKnown: true),
        uses("app://done", of: "app:", isKnown: true), uses("other://done", of: "app://", isKnown: false),
        uses("APP://Done", of: "app://done", isKnown: true),
        uses("app://done/now?a=1", of: "app://done", isKnown: true),
        uses("app://done?a=1", of: "app://done", isKnown: true),
        uses("https://app.example#top", of: "https://app.example", isKnown: true),
        uses("https://app.example?a=b/c", of: "https://app.example#top", isKnown: true),
        uses("https://other.example#app.example", of: "https://app.example", isKnown: false),
        uses("https://app.example:8443/x", of: "https://app.example", isKnown: true),
        uses("http://app.example", of: "https://app.example", isKnown: false),
        uses("https://app.example.org", of: "https://app.example", isKnown: false),
        uses("web://b", of: "app://a", "web://b", isKnown: true),
        uses("web://c", of: "app://a", "web://b", isKnown: false),
        Case(
            "uses a redirect for a code of another screen", verdict: .keeps(1, 3),
            .registration(redirects: ["app://done"]),
            .token(), .resume(redirect: "app://done")),
        Case(
            "uses an unknown redirect for a code of another screen", verdict: .breaks("1, 3: \(unknown)"),
            .registration(redirects: ["app://done"]), .token(), .resume(redirect: "web://x")),
        Case(
            "uses an unknown redirect for a platform's session", verdict: .breaks("1, 3: \(unknown)"),
            .registration(redirects: ["app://done"]), .token(), .partnerSession(redirect: "web://x")),
        Case(
            "uses an unknown redirect for a logout", verdict: .nothing, .registration(redirects: ["other://x"]),
            .token(),
            .logout()),
        Case(
            "makes a session without a redirect", verdict: .nothing, .registration(redirects: ["app://done"]), .token(),
            .session(redirect: nil)),
        Case("registers without a redirect", verdict: .nothing, .registration(), .token(), .session()),
        Case(
            "fails to register", verdict: .nothing,
            .registration(redirects: ["other://x"]).answered(400, ["client_id": "a", "redirect_uris": ["other://x"]]),
            .token(), .session()),
        Case("has registered before the recording", verdict: .nothing, .token(), .session()),
        Case(
            "another device has registered", verdict: .nothing, .registration("b", redirects: ["other://x"]), .token(),
            .session()),
        Case(
            "registers again with another redirect", verdict: .keeps(2, 4), .registration(redirects: ["other://x"]),
            .registration(redirects: ["app://done"]), .token(), .session()),
    ]

    @Test(arguments: [
        (
            """
            Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
            Chrome/124.0 Mobile Safari/537.36
            """,
            false
        ),
        (
            """
            Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) \
            Version/4.0 Chrome/124.0 Mobile Safari/537.36
            """,
            true
        ),
        (
            """
            Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
            Version/18.0 Mobile/15E148 Safari/604.1
            """,
            false
        ),
        (
            """
            Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
            Mobile/15E148
            """,
            true
        ),
        (
            """
            Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
            Version/18.0 Mobile/15E148 Safari/604.1
            """,
            false
        ),
        ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", true),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)", false),
        ("App/1 (iPhone; iOS 18.0)", false),
        ("curl/8.9", false),
    ])
    func thePage_isOpenedByABrowser_andNotByAWebView(agent: String, isWebView: Bool) throws {
        let verdict: Case.Verdict =
            isWebView ? .breaks("2: A web view inside the app opened the login page.") : .nothing
        try Case(agent, verdict: verdict, .session(), .loginPage().header("User-Agent", agent)).check("CL28")
    }
}
