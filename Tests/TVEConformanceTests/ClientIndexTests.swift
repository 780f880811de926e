import TVEModels
import Testing

@testable import TVEConformance

/// The attribution of exchanges to the service and to the applications of devices.
struct ClientIndexTests {
    private static let phone = Sent.profiles([]).forwarded(for: "192.0.2.7")
    private static let television = Sent.profiles([]).from("television").forwarded(for: "192.0.2.8")
    private static let nameless = Sent.profiles([]).header("AP-Device-Identifier", nil)
    private static let withoutToken = Sent.profiles([]).header("Authorization", nil)
    /// A page to whose request no proxy has added a header.
    private static let page = Sent.loginPage().header("User-Agent", "browser")

    @Test(
        arguments: [
            (
                "an application, and a request of which the recorder has masked all values", 1,
                [.token(), .profiles([]), .configuration.withoutHeaders.header("AP-Device-Identifier", "••••")]
            ),
            ("an access token that nobody uses, and a report of playback", 2, [.token(), .play()]),
            (
                "an application, and a device whose access token was removed", 2,
                [.token(), .profiles([]), withoutToken.from("television")]
            ),
            (
                "the access tokens of two applications, and a device whose token was removed", 3,
                [.token("one", of: "a"), .token("two", of: "b"), withoutToken]
            ),
            (
                "an application whose access token was removed, and not its header", 1,
                [.token(), .profiles([]).header("Authorization", "")]
            ),
            (
                "an application that names its device when it registers, for a second time", 2,
                [
                    .registration("a").from("phone"), .registration("b").from("phone"), .token("two", of: "b"),
                    .profiles([]).with("two"), .profiles([]).with("unknown"),
                ]
            ),
            (
                "an application that names its device when it gets a token, with its second credentials", 2,
                [
                    .token("one", of: "a").from("phone"), .token("two", of: "b").from("phone"),
                    .profiles([]).with("two"), .profiles([]).with("unknown"),
                ]
            ),
            (
                "two devices, of which one could not register at first", 2,
                [
                    .registration("a").status(400), .registration("a"), .token("one", of: "a"),
                    .profiles([]).with("one"), .token("two", of: "b"), .profiles([]).with("two").from("television"),
                ]
            ),
            (
                "an application, and a server that speaks for its device and another one", 4,
                [
                    .token("one", of: "a"), .profiles([]).with("one"), .token("s", of: "s"), phone.with("s"),
                    television.with("s"),
                ]
            ),
            (
                "a server with a token that names no device, for two addresses", 3,
                [.token(), nameless.forwarded(for: "192.0.2.7"), nameless.forwarded(for: "192.0.2.8")]
            ),
            (
                "an application with a token that names no device, behind a proxy", 1,
                [.token(), nameless.forwarded(for: "192.0.2.7"), nameless.forwarded(for: "192.0.2.7")]
            ),
            (
                "a server whose request for a token names an address", 3,
                [.token().forwarded(for: "192.0.2.7"), page, phone, television]
            ),
            (
                "a server whose registration names an address", 3,
                [
                    .registration().forwarded(for: "192.0.2.7"), .token().forwarded(for: "192.0.2.7"), page, phone,
                    television,
                ]
            ),
            (
                "a server that sends a request for itself", 3,
                [.token(), phone, television, .configuration.header("AP-Device-Identifier", nil)]
            ),
        ] as [(String, Int, [Sent])])
    func aClient_isWhatItsCredentialsShow(what: String, count: Int, sent: [Sent]) {
        #expect(ConformanceReport(judging: sent.exchanges).clientCount == count)
    }

    @Test(
        arguments: [
            (
                "CL2",
                Case(
                    "two devices register, and a tool has put one word in the place of their client ids",
                    verdict: .nothing, .registration("client"), .token("one", of: "client"), .registration("client"),
                    .token("two", of: "client"), .profiles([]).with("one"),
                    .profiles([]).with("two").from("television"))
            ),
            (
                "CL2",
                Case(
                    "two devices get a token each, and a tool has removed their client ids", verdict: .nothing,
                    .token("one", of: ""), .token("two", of: ""), .profiles([]).with("one"),
                    .profiles([]).with("two").from("television"))
            ),
            (
                "CL23",
                Case(
                    "a server speaks for two devices, and the recording has lost one of its tokens", verdict: .nothing,
                    .token(), phone, television, phone.header("Authorization", nil))
            ),
            (
                "CL23",
                Case(
                    "sends another id through a reverse proxy, which another site does not use",
                    verdict: .breaks("2, 3: The device id of an application changed."),
                    .loginPage().forwarded(for: "192.0.2.7"), phone, phone.from("other"),
                    .page("/news").header("User-Agent", "browser"))
            ),
            (
                "CL23",
                Case(
                    "sends another id through a reverse proxy, and a request has lost its headers",
                    verdict: .breaks("3, 4: The device id of an application changed."), .token().withoutHeaders,
                    .loginPage().forwarded(for: "192.0.2.7"), phone, phone.from("other"))
            ),
            (
                "CL16",
                Case(
                    "a server plays for a device whose own application is permitted the same", verdict: .keeps(3, 6),
                    .token("one", of: "a"), .token("s", of: "s"),
                    .authorize().with("s").forwarded(for: "192.0.2.7"),
                    television.with("s"), .authorize().with("one"), .play().forwarded(for: "192.0.2.7"))
            ),
            (
                "CL19",
                Case(
                    "opens the page of the logout, in a recording whose access tokens were removed",
                    verdict: .keeps(4, 5), .token(), withoutToken, .loginPage(),
                    .logout(url: "https://cable.example/logout?id=1", action: "logout").header("Authorization", nil),
                    .page("/logout").query("id=1"))
            ),
        ] as [(String, Case)])
    func aRequest_belongsToItsApplication(row: String, one: Case) throws { try one.check(row) }

    /// Paths that the service shares with other sites.
    @Test(
        arguments: [
            // A header shows that the host is the service's.
            (
                2,
                [
                    .page("/api/OTHER/list", host: "h.example").header("AD-Service-Token", "x"),
                    .page("/api/v2/news", host: "h.example"),
                ]
            ),
            (1, [.page("/o/client/secrets")]),
            // The registration names no service provider.
            (1, [.registration(), .page("/api/client/list", host: "other.example")]),
            (2, [.loginPage(), .page("/api/DEMO/list", host: "other.example")]),
            (0, [.page("/api/v2", host: "x.example")]), (0, [.page("/api/v2/authenticate", host: "x.example")]),
            // An observer that records no hosts observes the service alone.
            (1, [Sent(path: "/api/v2/news").withoutHeaders]),
        ] as [(Int, [Sent])])
    func aRequest_isTheServices_ifSomethingShowsIt(count: Int, sent: [Sent]) {
        #expect(ConformanceReport(judging: sent.exchanges).exchangeCount == count)
    }
}
