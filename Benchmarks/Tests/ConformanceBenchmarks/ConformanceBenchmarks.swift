import Foundation
import Harness
import TVEConformance
import XCTest

/// The time to read and to judge a recording.
final class ConformanceBenchmarks: XCTestCase {
    func testTenThousandExchanges_areJudgedInLessThanASecond() throws {
        for clients in [1, 1_000] {
            let exchanges = Self.exchanges(10_000, clients: clients)
            let seconds = Contest.median((0..<5).map { _ in Self.seconds { Self.judge(exchanges) } })
            let score = Score(
                question: "judge 10,000 exchanges, clients: \(clients)", peer: "one second",
                ours: Contest.text(seconds), theirs: "1 s", ratio: seconds, goal: .atMost(1))
            XCTAssertNil(Scoreboard.record(score))
        }
    }

    func testJudging_takesATimeInProportionToTheLength() throws {
        for clients in [1, 1_000] {
            let long = Self.exchanges(20_000, clients: clients)
            let short = Self.exchanges(2_000, clients: clients)
            var contest = Contest("judge 20,000 exchanges of \(clients) clients", rounds: 5) { count in
                for _ in 0..<count { Self.judge(long) }
            }
            contest.peer("10 times 2,000 of them", goal: .atMost(2)) { count in
                for _ in 0..<count * 10 { Self.judge(short) }
            }
            XCTAssertEqual(contest.compare(), [])
        }
    }

    func testAnArchive_isReadInProportionToItsLength() throws {
        let long = Self.archive(Self.exchanges(10_000, clients: 1))
        let short = Self.archive(Self.exchanges(1_000, clients: 1))
        XCTAssertEqual(try HTTPArchive(long).exchanges.count, 10_000)
        var contest = Contest("read an archive of 10,000 exchanges", rounds: 5) { count in
            for _ in 0..<count { _ = try? HTTPArchive(long) }
        }
        contest.peer("10 times one of 1,000", goal: .atMost(2)) { count in
            for _ in 0..<count * 10 { _ = try? HTTPArchive(short) }
        }
        XCTAssertEqual(contest.compare(), [])
    }

    func testMeasuresTheJudge() {
        let exchanges = Self.exchanges(10_000, clients: 1_000)
        measure { Self.judge(exchanges) }
    }

    // MARK: - A recording

    private static func judge(_ exchanges: [Exchange]) {
        XCTAssertEqual(ConformanceReport(judging: exchanges).exchangeCount, exchanges.count)
    }

    private static func seconds(_ work: () -> Void) -> Double {
        let start = ContinuousClock.now
        work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// An exchange, as the method, the path, the body and the answer.
    private typealias Line = (method: String, path: String, body: String, answer: String)

    /// Returns logins with their surroundings, ten exchanges each, on one device in sequence or on many devices.
    private static func exchanges(_ count: Int, clients: Int) -> [Exchange] {
        let logins: [[Line]] = (0..<count / 10).map { login($0, client: $0 % clients, isFirst: $0 < clients) }
        return logins.joined().enumerated().map { place, line in
            let client = place / 10 % clients
            let headers: [(String, String)] = [
                ("Host", "sp.example"), ("Authorization", "Bearer token-\(client)"),
                ("AP-Device-Identifier", "fingerprint device-\(client)"),
                ("X-Device-Info", "eyJwcmltYXJ5SGFyZHdhcmVUeXBlIjoiVFYiLCJtb2RlbCI6Ik0iLCJvc05hbWUiOiJMaW51eCJ9"),
            ]
            let isPage = line.path.contains("authenticate")
            return Exchange(
                id: place + 1, began: Date(timeIntervalSince1970: 1_800_000_000 + Double(place) * 4), milliseconds: 20,
                method: line.method, path: line.path,
                request: .init(headers: headers, body: Data(line.body.utf8)), status: isPage ? 302 : 200,
                answer: .init(
                    headers: isPage ? [("Location", "https://app.example/done")] : [], body: Data(line.answer.utf8)))
        }
    }

    private static func login(_ number: Int, client: Int, isFirst: Bool) -> [Line] {
        let api = "/api/v2/DEMO"
        let code = "C\(number)"
        let permit = #"{"decisions":[{"resource":"DEMO-1","authorized":true}]}"#
        let form = "mvpd=demo-cable&domainName=app.example&redirectUrl=https%3A%2F%2Fapp.example%2Fdone"
        let known: [Line] = [
            ("GET", "\(api)/profiles", "", #"{"profiles":{}}"#), ("GET", "\(api)/profiles", "", #"{"profiles":{}}"#),
        ]
        let new: [Line] = [
            (
                "POST", "/o/client/register", #"{"software_statement":"s"}"#,
                #"{"client_id":"id-\#(client)","redirect_uris":["https://app.example"]}"#
            ),
            (
                "POST", "/o/client/token", "grant_type=client_credentials&client_id=id-\(client)",
                #"{"access_token":"token-\#(client)","expires_in":86400000}"#
            ),
        ]
        let rest: [Line] = [
            ("GET", "\(api)/configuration", "", #"{"requestor":{"mvpds":[{"id":"demo-cable"}]}}"#),
            (
                "POST", "\(api)/sessions", form,
                #"{"actionName":"authenticate","code":"\#(code)","notBefore":"0","notAfter":"1800000"}"#
            ),
            ("GET", "/api/v2/authenticate/DEMO/\(code)", "", ""),
            ("GET", "\(api)/profiles/code/\(code)", "", #"{"profiles":{"demo-cable":{"notAfter":1800000100000}}}"#),
            ("POST", "\(api)/decisions/preauthorize/demo-cable", #"{"resources":["DEMO-1"]}"#, permit),
            ("POST", "\(api)/decisions/authorize/demo-cable", #"{"resources":["DEMO-1"]}"#, permit),
            ("POST", "\(api)/decisions/authorize/demo-cable", #"{"resources":["DEMO-1"]}"#, permit),
            ("GET", "\(api)/logout/demo-cable", "", #"{"logouts":{"demo-cable":{"actionName":"complete"}}}"#),
        ]
        return (isFirst ? new : known) + rest
    }

    /// Returns exchanges in the format in which a browser saves them.
    private static func archive(_ exchanges: [Exchange]) -> Data {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let entries = exchanges.map { exchange in
            #"""
            {"startedDateTime":"\#(exchange.began.formatted(style))","time":20,\#
            "request":{"method":"\#(exchange.method)","url":"https://sp.example\#(exchange.path)",\#
            "headers":[{"name":"Authorization","value":"Bearer t"}]},\#
            "response":{"status":\#(exchange.status),"headers":[],"content":{"size":2,"text":"{}"}}}
            """#
        }
        return Data(#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
    }
}
