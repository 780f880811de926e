import Foundation
import Testing

@testable import TVEConformance

/// Recordings that a hurried client leaves, and could be taken for something else.
struct JudgementTests {
    private static func exchange(
        _ id: Int, at seconds: Double, _ method: String, _ path: String, body: String = "", answer: String = "{}",
        token: String = "token"
    ) -> Exchange {
        Exchange(
            id: id, began: Date(timeIntervalSince1970: 1_800_000_000 + seconds), method: method, path: path,
            request: .init(
                headers: [("AP-Device-Identifier", "fingerprint dHY="), ("Authorization", "Bearer \(token)")],
                body: Data(body.utf8)),
            status: 200, answer: .init(headers: [], body: Data(answer.utf8)))
    }

    private func broken(_ exchanges: [Exchange]) -> Set<String> {
        Set(ConformanceReport(judging: exchanges).findings(.fail).map(\.row.id))
    }

    @Test(arguments: [(0.3, Set(["CL7"])), (6.0, Set(["CL11"]))])
    func aLookBeforeThePage_isASecondScreen_onlyWhereACodeCouldBeTyped(opened: Double, rows: Set<String>) {
        let form = "mvpd=demo-cable&domainName=localhost&redirectUrl=https%3A%2F%2Fapp.example%2Fdone"
        let made = #"{"actionName":"authenticate","code":"ABC","notBefore":"0","notAfter":"1800000"}"#
        let found = broken([
            Self.exchange(1, at: 0, "POST", "/api/v2/DEMO/sessions", body: form, answer: made),
            Self.exchange(2, at: 0.1, "GET", "/api/v2/DEMO/profiles/code/ABC"),
            Self.exchange(3, at: opened, "GET", "/api/v2/authenticate/DEMO/ABC"),
            Self.exchange(4, at: opened + 4, "GET", "/api/v2/DEMO/profiles/code/ABC"),
        ])
        #expect(found.intersection(["CL7", "CL8", "CL11"]) == rows)
    }

    /// The service counts devices.
    @Test(arguments: [(0.1, true), (1.0, false)])
    func thePaceIsThatOfADevice_whateverItsTokens(distance: Double, isBroken: Bool) {
        let exchanges = (0..<20).map {
            Self.exchange($0 + 1, at: Double($0) * distance, "GET", "/api/v2/DEMO/profiles", token: "\($0)")
        }
        #expect(broken(exchanges).contains("CL27") == isBroken)
    }

    @Test func aRedirectOfASecondScreen_isComparedToo() {
        let answer = #"{"client_id":"a","redirect_uris":["https://app.example"]}"#
        let token = #"{"access_token":"token","expires_in":86400}"#
        for (redirect, isBroken) in [("https%3A%2F%2Fapp.example%2Fdone", false), ("https%3A%2F%2Felse.example", true)]
        {
            let found = broken([
                Self.exchange(1, at: 0, "POST", "/o/client/register", body: "{}", answer: answer),
                Self.exchange(2, at: 1, "POST", "/o/client/token", body: "client_id=a", answer: token),
                Self.exchange(3, at: 2, "POST", "/api/v2/DEMO/sessions/ABC", body: "redirectUrl=\(redirect)"),
            ])
            #expect(found.contains("CL28") == isBroken)
        }
    }

    @Test(arguments: [("", "client_id=a", false), ("client_id=a", "", true)])
    func aParameterOfTheBody_isUnknownInTheQuery(query: String, body: String, isBroken: Bool) {
        let exchange = Exchange(
            id: 1, began: Date(timeIntervalSince1970: 0), method: "POST", path: "/o/client/token", query: query,
            request: .init(headers: [], body: Data(body.utf8)), status: 200, answer: .init(headers: [], body: Data()))
        #expect(broken([exchange]).contains("CL24") == isBroken)
    }

    @Test func requestsThatNobodyDescribes_count_andNameNoCode() {
        let report = ConformanceReport(judging: [
            Self.exchange(1, at: 0, "DELETE", "/api/v2/DEMO/sessions/CODE77"),
            Self.exchange(2, at: 1, "PUT", "/api/v2/authenticate/DEMO/CODE77"),
            Self.exchange(3, at: 2, "GET", "/api/v2/DEMO/profiles/code/CODE77/more"),
        ])
        #expect(report.exchangeCount == 3 && !report.isAcceptable)
        let sentences = report.findings(.fail).flatMap(\.problems).map(\.sentence)
        #expect(sentences.contains("No document describes DELETE /api/v2/DEMO/sessions/{code}."), "\(sentences)")
        #expect(sentences.allSatisfy { !$0.contains("CODE77") }, "\(sentences)")
    }
}
