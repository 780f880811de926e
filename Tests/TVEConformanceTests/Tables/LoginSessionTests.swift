import TVEConformance
import TVEModels
import Testing

/// CL7 to CL9: the requests and the pages that belong to one code.
struct LoginSessionTests {
    @Test(arguments: firstScreens)
    func theRedirect_belongsToTheSessionThatIsOpen(one: Case) throws { try one.check("CL7") }

    /// The provider's page sends the browser to the redirect.
    private static let done = Sent.page("/done").leads(to: "app://done")

    /// The session of another device with the same app, and its polling request.
    private static func other(_ code: String) -> Sent { .session(code).with("two").from("other") }

    private static let otherLooks = Sent.look("B").with("two").from("other")

    /// A session whose times the service does not state.
    private static func timeless(_ sent: Sent, _ code: String) -> Sent {
        sent.answered(201, ["code": .string(code)])
    }

    private static let firstScreens: [Case] = [
        Case(
            "a device logs in when another one has found its profile", verdict: .keeps(4, 6, 7), .session("A"),
            .loginPage("A"), .look("A", finds: ["cable"]), other("B"), .loginPage("B"), done, otherLooks),
        Case(
            "a device logs in in the moment in which the code of another one ends", verdict: .nothing,
            .session("A", lasts: 60).at(0), .loginPage("A"), other("B").at(50), .loginPage("B"), done.at(60),
            otherLooks),
        Case(
            "two devices log in at the same time with codes whose ends are unknown", verdict: .nothing,
            timeless(.session("A"), "A"), .loginPage("A"), timeless(other("B"), "B"), .loginPage("B"), done,
            otherLooks),
        Case(
            "finds the profile before the browser has reached the redirect",
            verdict: .breaks(
                "3, 4: The client looked for the profile before the browser had reached the redirect."), .session(),
            .loginPage(), .look(finds: ["cable"]), done),
        Case(
            "chooses the provider afterwards, and keeps the redirect", verdict: .keeps(1, 4, 5), .session(),
            .resume(), .loginPage(), done, .look(finds: ["cable"])),
        Case(
            "sends a request itself to the address of its redirect",
            verdict: .breaks("2, 4, 5: The client looked for the profile, and no browser had reached the redirect."),
            .session(redirect: "https://sp.example/api/v2/DEMO/profiles"), .loginPage(), .profiles([]), .look(),
            .look().at(10)),
    ]

    @Test func aProviderThatIsEmpty_isChosenLater() throws {
        let valid: MetadataValue = ["notAfter": 1_900_000_000_000]
        try Case(
            "goes on where its own profile cannot be read", verdict: .keeps(4, 5), .session(mvpd: ""),
            .resume().from("telephone"), .look().finding(["cable": [:], "fiber": valid]), .look(finds: ["cable"]),
            .authorize()
        ).check("CL9")
    }

    @Test(
        arguments: [
            [.session().at(0), .look().at(1), .look().at(2), .typed("code").withoutHeaders],
            [.session(redirect: "HTTPS://app.example").at(0), .look().at(1), .look().at(2)],
        ] as [[Sent]])
    func aSecondScreen_isSeen_withoutAHostAndInCapitals(sent: [Sent]) {
        let broken = ConformanceReport(judging: sent.exchanges).brokenRows
        #expect(broken.contains("CL8") && !broken.contains("CL7"))
    }
}
