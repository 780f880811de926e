import Foundation
import Testing

@testable import TVEConformance

/// The content of a report in addition to its rows, and the attribution of exchanges to clients.
struct ReportTests {
    @Test func requestsThatNobodyDescribes_count_andNameNoCode() {
        let report = ConformanceReport(
            judging: [
                Sent.check("CODE77").method("DELETE"), .loginPage("CODE77").method("PUT"),
                .look("CODE77").path("/api/v2/DEMO/profiles/code/CODE77/more"),
            ].exchanges)
        #expect(report.exchangeCount == 3 && !report.isAcceptable)
        let sentences = report.findings(.fail).flatMap(\.problems).map(\.sentence)
        #expect(sentences.contains("No document describes DELETE /api/v2/DEMO/sessions/{code}."), "\(sentences)")
        #expect(sentences.allSatisfy { !$0.contains("CODE77") }, "\(sentences)")
    }

    @Test(arguments: [
        ("/api/v2/DEMO/sessions/CODE", "/api/v2/DEMO/sessions/{code}"),
        ("/api/v2/DEMO/sessions/sso/Apple", "/api/v2/DEMO/sessions/sso/Apple"),
        ("/api/v2/DEMO/profiles/code/CODE", "/api/v2/DEMO/profiles/code/{code}"),
        ("/api/v2/DEMO/profiles/cable", "/api/v2/DEMO/profiles/cable"),
        ("/api/v2/authenticate/DEMO/CODE", "/api/v2/authenticate/DEMO/{code}"),
        ("/api/v2/DEMO//decisions/authorize/a%20b/", "/api/v2/DEMO/decisions/authorize/a b"), ("/", "/"),
        ("/" + String(repeating: "x", count: 130), "/" + String(repeating: "x", count: 120)),
    ])
    func theOutlineOfARequest_hasItsPathWithoutACode(path: String, outline: String) {
        #expect(Sent(path: path).exchange(1, at: 0).outline == "GET \(outline)")
    }

    @Test func aPage_isWhatNoClientSends() {
        let pages: [Sent] = [.loginPage(), .page("/news"), .play().method("GET"), .check().method("DELETE")]
        #expect(pages.allSatisfy { $0.exchange(1, at: 0).isPage })
        let calls: [Sent] = [.registration(), .token(), .profiles([]), .authorize(), .play()]
        #expect(!calls.contains { $0.exchange(1, at: 0).isPage })
    }

    @Test(
        arguments: [
            (
                "an application with its credentials", 1,
                [.registration(), .token(), .profiles([]), .authorize(), .play()]
            ),
            (
                "an application that gets a second token", 1,
                [.token("one"), .profiles([]).with("one"), .token("two"), .profiles([]).with("two")]
            ),
            ("an application whose registration is not in the recording", 1, [.profiles([]), .authorize(), .play()]),
            (
                "an application, of which one token is not in the recording", 1,
                [.token(), .profiles([]), .profiles([]).with("unknown")]
            ),
            (
                "two applications of a device", 2,
                [.token("one", of: "a"), .profiles([]).with("one"), .token("two", of: "b"), .profiles([]).with("two")]
            ),
            (
                "an application, and its requests without headers", 1,
                [
                    .token(), .profiles([]), .session().withoutHeaders,
                    .look().withoutHeaders.header("User-Agent", "browser"),
                ]
            ),
            (
                "a device, and its requests without headers", 1,
                [.profiles([]).withoutHeaders, .profiles([]), .configuration.withoutHeaders.header("Cookie", "••••")]
            ),
            (
                "two applications, and a request without headers", 3,
                [
                    .token("one", of: "a"), .profiles([]).with("one"), .token("two", of: "b"),
                    .profiles([]).with("two").from("television"), .profiles([]).withoutHeaders,
                ]
            ),
            ("requests without headers", 1, [.profiles([]).withoutHeaders, .configuration.withoutHeaders]),
            (
                "two applications of a device, and a request that may be of either", 3,
                [
                    .token("one", of: "a"), .profiles([]).with("one"), .token("two", of: "b"),
                    .profiles([]).with("two"), .profiles([]).with("three"),
                ]
            ),
            ("two devices", 2, [.profiles([]), .profiles([]).from("television")]),
            (
                "a server that speaks for two devices", 3,
                [
                    .token(), .profiles([]).header("X-Forwarded-For", "192.0.2.7"),
                    .profiles([]).from("television").header("X-Forwarded-For", "192.0.2.8"),
                ]
            ),
            (
                "two senders that name no device, at two addresses", 2,
                [
                    .profiles([]).header("AP-Device-Identifier", nil),
                    .profiles([]).header("AP-Device-Identifier", nil).address("192.0.2.2"),
                ]
            ),
            (
                "a sender that names no device", 1,
                [.profiles([]).header("AP-Device-Identifier", nil), .profiles([]).header("AP-Device-Identifier", nil)]
            ),
            (
                "a server that names no device, for two addresses", 2,
                [
                    .profiles([]).header("AP-Device-Identifier", nil).header("X-Forwarded-For", "192.0.2.7"),
                    .profiles([]).header("AP-Device-Identifier", nil).header("X-Forwarded-For", "192.0.2.8"),
                ]
            ),
            ("a registration whose answer says no client id", 1, [.registration().answered(500)]),
            (
                "an application, and a request without one of its access tokens", 2,
                [.token("x"), .profiles([]).header("Authorization", "Basic x"), .token("x")]
            ),
            (
                "an application whose access tokens were removed", 1,
                [
                    .registration(), .token(), .profiles([]).header("Authorization", nil),
                    .configuration.header("Authorization", "Bearer [REDACTED]"), .play(),
                ]
            ),
            (
                "two devices whose client ids a tool has masked", 2,
                [
                    .token("one", of: "[hidden]"), .token("two", of: "[hidden]"), .profiles([]).with("one"),
                    .profiles([]).with("two").from("television"),
                ]
            ),
            (
                "two devices whose access tokens were removed", 3,
                [
                    .token(), .profiles([]).header("Authorization", nil),
                    .profiles([]).from("television").header("Authorization", nil),
                ]
            ),
            (
                "an application, and a device that no service answers because it sends no access token", 2,
                [.token(), .profiles([]).answered(401).header("Authorization", nil)]
            ),
            ("a browser", 0, [.loginPage(), .page("/news"), .page("/news").header("AP-Device-Identifier", "x")]),
        ] as [(String, Int, [Sent])])
    func aClient_isWhatSharesCredentialsOrADevice(what: String, count: Int, sent: [Sent]) {
        #expect(ConformanceReport(judging: sent.exchanges).clientCount == count)
    }

    /// A reverse proxy that records the requests adds the header to all of them, the browser's included.
    @Test(
        arguments: [
            (
                "an application and its second token",
                [
                    .registration(), .token("one"), .loginPage(), .profiles([]).with("one"), .authorize().with("one"),
                    .play(), .token("two"), .profiles([]).with("two"),
                ]
            ),
            ("a device whose id changes", [.token(), .loginPage(), .profiles([]), .profiles([]).from("other")]),
            (
                "two devices of one model",
                [
                    .registration("a"), .token("one", of: "a"), .profiles([]).with("one"), .registration("b"),
                    .token("two", of: "b"), .profiles([]).with("two").from("television"),
                ]
            ),
            ("a sender that names no device", [.token(), .profiles([]).header("AP-Device-Identifier", nil)]),
        ] as [(String, [Sent])])
    func theHeaderOfARecordingProxy_changesNoVerdict(what: String, sent: [Sent]) {
        let report = ConformanceReport(judging: sent.exchanges)
        let proxied = ConformanceReport(judging: sent.map { $0.forwarded(for: "192.0.2.7") }.exchanges)
        #expect(proxied.clientCount == report.clientCount)
        #expect(proxied.findings.map(\.outcome) == report.findings.map(\.outcome))
    }

    @Test(
        arguments: [
            ("CL2", .token()), ("CL3", .token()), ("CL4", .profiles([])), ("CL4", .profile("cable")), ("CL4", .look()),
            ("CL4", .partnerProfile([])), ("CL7", .session()), ("CL7", .look()), ("CL8", .session()), ("CL8", .look()),
            ("CL9", .session()), ("CL9", .look()), ("CL10", .profiles([])), ("CL10", .profile("cable")),
            ("CL10", .look()),
            ("CL10", .partnerProfile([])), ("CL11", .session()), ("CL12", .profiles([])), ("CL12", .profile("cable")),
            ("CL12", .look()), ("CL12", .partnerProfile([])), ("CL14", .preauthorize()), ("CL14", .authorize()),
            ("CL15", .preauthorize()), ("CL19", .logout()), ("CL20", .preauthorize()), ("CL20", .authorize()),
            ("CL25", .preauthorize()), ("CL25", .authorize()),
        ] as [(String, Sent)])
    func aRow_isNotSeen_withoutAnAnswerThatItNeeds(row: String, sent: Sent) {
        func note(_ sent: Sent) -> String? {
            ConformanceReport(judging: [sent].exchanges).findings.first { $0.row.id == row }?.note
        }
        let lacks = "The recording does not have a body of these exchanges, or it cannot be read: 1."
        #expect(note(sent.answer(nil)) == lacks && note(sent.answer("<html>")) == lacks)
        // Failed requests do not decide anything.
        #expect(note(sent.answered(500).answer(nil)) != lacks)
    }

    @Test(arguments: [(10, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10."), (11, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ….")])
    func aNoteAboutMissingBodies_namesTenExchanges(count: Int, named: String) throws {
        let sent = Array(repeating: Sent.token().answer(nil), count: count)
        let finding = try #require(ConformanceReport(judging: sent.exchanges).findings.first { $0.row.id == "CL2" })
        #expect(
            finding.note == "The recording does not have a body of these exchanges, or it cannot be read: \(named)")
    }

    @Test(arguments: [
        ("/adobe-services/config/DEMO", "/adobe-services/config/{requestor}"),
        ("/adobe-services/config/DEMO/more", nil), ("/adobe-services/config", nil),
        ("/reggie/v1/DEMO/regcode", "/reggie/v1/{requestor}/regcode/…"),
        ("/reggie/v1/DEMO/regcode/ABC", "/reggie/v1/{requestor}/regcode/…"), ("/reggie/v1/DEMO", nil),
        ("/adobe-services/session", "/adobe-services/session"), ("/api/v1/tokens/media", "/api/v1/tokens/media"),
        ("/api/v1/authenticate/DEMO/ABC/cable", "/api/v1/authenticate/…"), ("/api/v1/else", nil),
        ("/api/v1/DEMO/profile-requests/cable", "/api/v1/{requestor}/profile-requests/{mvpd}"),
        ("/indiv/devices", "/indiv/devices"), ("/news", nil),
    ])
    func aCallOfAnOlderDialect_hasItsReplacement(path: String, call: String?) {
        let report = ConformanceReport(judging: [.page(path), .page("/news"), .page(path)].exchanges)
        #expect(report.oldCalls.map(\.call) == (call.map { [$0] } ?? []))
        #expect(report.oldCalls.allSatisfy { $0.exchanges == [1, 3] && $0.count == 2 && !$0.replacement.isEmpty })
    }

    /// The pages of a login and a logout have the same paths in REST API v2.
    @Test func pagesOfALogin_areNoOldCalls_inARecordingOfRESTv2() {
        let pages: [Sent] = [
            .page("/adobe-services/logout"), .page("/adobe-services/authenticate/saml"),
            .page("/adobe-services/session"), .page("/api/v1/logout"),
        ]
        func calls(_ sent: [Sent]) -> [String] { ConformanceReport(judging: sent.exchanges).oldCalls.map(\.call) }
        let others = ["/adobe-services/session", "/api/v1/logout"]
        #expect(calls([.profiles([])] + pages) == others)
        // Credentials are registered for all dialects.
        let all = [
            "/adobe-services/authenticate/…", "/adobe-services/session", "/adobe-services/logout", "/api/v1/logout",
        ]
        #expect(calls([.registration(), .token()] + pages) == all)
    }

    @Test func anOldCall_namesTenExchanges_andCountsAll() throws {
        let report = ConformanceReport(judging: Array(repeating: Sent.page("/indiv/devices"), count: 12).exchanges)
        let call = try #require(report.oldCalls.first)
        #expect(call.exchanges == Array(1...10) && call.count == 12)
    }

    /// Reports put a full stop behind the evidence, and show a note as it is.
    @Test func aNote_isASentence_andEvidenceIsNone() {
        let findings = ConformanceReport(judging: []).findings
        let wrong = findings.filter { $0.note?.hasSuffix(".") != true || $0.note?.hasSuffix("..") == true }
        #expect(wrong.isEmpty)
        #expect(findings.filter { $0.row.evidence.hasSuffix(".") }.isEmpty)
    }

    @Test func exchanges_areJudgedInTheOrderOfTheirTimes() throws {
        try Case(
            "sends the 401 last in the list, and first in time",
            verdict: .breaks("2, 1: The access token that got a 401 was sent again."),
            .profiles([]).at(5), .profiles([]).answered(401).at(1)
        ).check("CL3")
    }

    @Test func aFinding_namesTenPlaces_andCountsAll() throws {
        let sent =
            (1...11).map { _ in Sent.profiles([]).header("X-Device-Info", nil) } + (1...12).map { _ in .profiles([]) }
        let finding = try #require(ConformanceReport(judging: sent.exchanges).findings.first { $0.row.id == "CL21" })
        #expect(finding.outcome == .fail && finding.note == nil)
        #expect(finding.problems.count == 10 && finding.problemCount == 11)
        #expect(finding.problems.first?.exchanges == [1] && finding.problems.last?.exchanges == [10])
        #expect(finding.evidence == Array(12...21) && finding.evidenceCount == 12)
    }

    @Test func aProblem_namesTenExchanges() throws {
        let sent = [.profile("cable")] + (1...11).map { _ in Sent.configuration } + [.authorize()]
        let finding = try #require(ConformanceReport(judging: sent.exchanges).findings.first { $0.row.id == "CL4" })
        #expect(finding.problems.map(\.exchanges) == [Array(2...11)])
    }

    /// A recommended row does not decide about acceptance.
    @Test(arguments: [("CL3", true), ("CL21", false)])
    func aRecording_isAcceptable_unlessAMandatoryRowIsBroken(row: String, isAcceptable: Bool) {
        let second = Sent.profiles([]).answered(401)
        let report = ConformanceReport(
            judging: [second, row == "CL3" ? second : second.header("X-Device-Info", nil).with("two")].exchanges)
        #expect(report.brokenRows == [row])
        #expect(report.isAcceptable == isAcceptable)
    }

    @Test func calls_areReadAsServicesReadThem() {
        let call = Call(
            Sent.session().body("mvpd=a%26b+c&mvpd=other&redirectUrl=%zz").query("code=x").exchange(1, at: 0), at: 0)
        #expect(call.field("mvpd") == "a&b c" && call.field("redirectUrl") == "%zz" && call.field("code") == "x")
        #expect(call.queryNames == ["code"])
    }
}
