import Foundation
import Testing

@testable import TVEConformance

/// Tests of what entries of a recording show: to whom a request went, whether it was sent, and with which body.
struct ArchiveEntryTests {
    /// Paths that the service shares with other sites, with the number of the two recorded exchanges that are judged.
    @Test(arguments: [
        // Nothing shows that these requests go to the service.
        ("https://news.example/api/news/list", "User-Agent", 1, false),
        ("https://news.example/api/v2/news", "User-Agent", 1, false),
        ("https://www.example.com/activate", "User-Agent", 1, false),
        // The service provider, the host or a header shows it.
        ("https://other.example/api/DEMO/list", "User-Agent", 2, true),
        ("https://other.example/api/v2/DEMO/news", "User-Agent", 2, true),
        ("https://SP.example/api/OTHER/list", "User-Agent", 2, true),
        ("https://sp.example/api/v2/news", "User-Agent", 2, true),
        ("https://sp.example/activate", "User-Agent", 1, true),
        ("https://other.example/api/OTHER/list", "AD-Service-Token", 2, true),
        ("https://other.example/api/OTHER/list", "X-SSO-ID", 2, true),
        ("https://other.example/api/OTHER/list", "X-SSO-LINK", 2, true),
        ("https://other.example/api/v2/OTHER", "AP-Device-Identifier", 2, true),
    ])
    func aPathOfOtherSites_isJudgedAtTheServiceAlone(
        url: String, header: String, count: Int, keepsBody: Bool
    ) throws {
        let other = ArchiveTests.entry.replacing("https://sp.example/api/v2/DEMO/profiles", with: url).replacing(
            #""headers":[]},"response""#, with: #""headers":[{"name":"\#(header)","value":"x"}]},"response""#)
        // What is known of the service may come after the request.
        for entries in ["\(ArchiveTests.entry),\(other)", "\(other),\(ArchiveTests.entry)"] {
            let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8))
            #expect(ConformanceReport(judging: archive.exchanges).exchangeCount == count)
            let bodies = archive.exchanges.map(\.answer.body)
            #expect(bodies.count == 2 && bodies.contains(Data()) == !keepsBody)
        }
        let bare = other.replacing(#","text":"{}""#, with: "")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(ArchiveTests.entry),\#(bare)]}}"#.utf8))
        #expect(archive.incomplete.count == (count == 2 && url.hasSuffix("list") ? 1 : 0))
    }

    /// A site of the programmer can receive a header of the service, and have a path that the service has too.
    @Test func aSiteThatReceivesAHeaderOfTheService_isNotTheService() {
        let sent: [Sent] = [
            .profiles([]), .page("/own", host: "news.example").header("AP-Device-Identifier", Sent.identifier("phone")),
            .page("/api/v2/news", host: "news.example"),
        ]
        #expect(ConformanceReport(judging: sent.exchanges).exchangeCount == 1)
    }

    /// Some recorders also write the state of the cache for a request that the browser has sent.
    @Test(arguments: [
        ("", 200, true), (#","serverIPAddress":"","timings":{"send":0,"wait":-1,"receive":3}"#, 200, true),
        (#","timings":{"send":"soon","wait":NaN}"#, 200, true), ("", 304, false),
        (#","serverIPAddress":"192.0.2.1""#, 200, false), (#","timings":{"send":0.1,"wait":0}"#, 200, false),
        (#","timings":{"send":0,"wait":12}"#, 200, false),
    ])
    func theCacheBeforeARequest_showsNothing_whereBytesWereSent(fields: String, status: Int, isLeftOut: Bool) throws {
        let entry = ArchiveTests.entry.replacing(
            #""time":3"#, with: #""cache":{"beforeRequest":{"hitCount":0}}\#(fields)"#
        ).replacing(#""status":200"#, with: #""status":\#(status)"#)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.leftOut.count == (isLeftOut ? 1 : 0) && archive.exchanges.isEmpty == isLeftOut)
    }

    /// A request without a network, or one that an extension of the browser blocks, never leaves the device.
    @Test(arguments: [
        (#","serverIPAddress":"","timings":{"blocked":-1,"connect":-1,"send":0,"wait":0,"receive":0.8}"#, true),
        (#","serverIPAddress":"","timings":{"blocked":2.1,"send":-1,"wait":-1,"receive":-1}"#, true), ("", true),
        // A server has received these, and did not answer in time.
        (#","serverIPAddress":"192.0.2.1","timings":{"send":0,"wait":0}"#, false),
        (#","timings":{"send":0.1,"wait":30000,"receive":0}"#, false),
    ])
    func aRequestThatWasNotSent_isLeftOut(fields: String, isLeftOut: Bool) throws {
        try Self.check(fields: fields, error: "net::ERR_INTERNET_DISCONNECTED", isLeftOut: isLeftOut)
    }

    /// Chrome writes the same times for a request that was sent and got no response.
    @Test(arguments: [
        ("net::ERR_BLOCKED_BY_CLIENT", true), ("net::ERR_NAME_NOT_RESOLVED", true), ("", true),
        ("net::ERR_ADDRESS_UNREACHABLE", true), ("net::ERR_CONNECTION_REFUSED", true),
        ("net::ERR_CONNECTION_TIMED_OUT", true), ("net::ERR_PROXY_CONNECTION_FAILED", true),
        ("net::ERR_TUNNEL_CONNECTION_FAILED", true), ("net::ERR_CERT_DATE_INVALID", true),
        ("net::ERR_CONNECTION_RESET", false), ("net::ERR_EMPTY_RESPONSE", false), ("net::ERR_ABORTED", false),
    ])
    func theErrorOfARequest_tellsWhetherItWasSent(error: String, isLeftOut: Bool) throws {
        let fields = #","serverIPAddress":"","timings":{"blocked":5,"send":0,"wait":0}"#
        try Self.check(fields: fields, error: error, isLeftOut: isLeftOut)
    }

    private static func check(fields: String, error: String, isLeftOut: Bool) throws {
        let failed = #""status":0,"_error":"\#(error)""#
        let entry = ArchiveTests.entry.replacing(#""time":3"#, with: #""time":0.8\#(fields)"#)
            .replacing(#""status":200"#, with: failed)
        let archive = try HTTPArchive(Self.archive(Array(repeating: entry, count: 30)))
        #expect(archive.exchanges.count == (isLeftOut ? 0 : 30))
        #expect(archive.leftOut.first?.description == (isLeftOut ? "Entry 1: it was not sent." : nil))
    }

    /// Returns a recording in which an entry begins ten milliseconds after the one before it.
    private static func archive(_ entries: [String]) -> Data {
        let timed = entries.enumerated().map { number, entry in
            entry.replacing("00.000Z", with: "00.\(String(1_000 + 10 * number).dropFirst())Z")
        }
        return Data(#"{"log":{"entries":[\#(timed.joined(separator: ","))]}}"#.utf8)
    }

    @Test func aClientThatAsksAgainWithoutANetwork_keepsThePace() throws {
        let offline = ArchiveTests.entry.replacing(#""headers":[]}"#, with: #""headers":\#(Self.device)}"#)
            .replacing(#""status":200"#, with: #""status":0"#)
        let online = offline.replacing(#""status":0"#, with: #""status":200"#)
        for (entry, breaks) in [(offline, false), (online, true)] {
            let archive = try HTTPArchive(Self.archive(Array(repeating: entry, count: 30)))
            let report = ConformanceReport(judging: archive.exchanges)
            #expect(report.brokenRows.contains("CL27") == breaks)
        }
    }

    /// A browser redirects to HTTPS, or to what an extension names, before it sends the request.
    @Test(arguments: [
        (307, "Non-Authoritative-Reason", true), (302, "non-authoritative-reason", true),
        (307, "Location", false), (404, "Non-Authoritative-Reason", false),
    ])
    func aRedirectOfTheBrowserItself_isNoRequest(status: Int, header: String, isLeftOut: Bool) throws {
        let entry = ArchiveTests.entry.replacing(#""headers":[]}"#, with: #""headers":\#(Self.device)}"#)
        let redirect = entry.replacing(
            #""status":200,"headers":[]"#,
            with: #""status":\#(status),"headers":[{"name":"\#(header)","value":"HSTS"}]"#)
        let pairs = (0..<9).flatMap { number in
            [redirect, entry].map { $0.replacing("/profiles", with: "/profiles/cable-\(number)") }
        }
        let archive = try HTTPArchive(Self.archive(pairs))
        #expect(archive.leftOut.count == (isLeftOut ? 9 : 0))
        #expect(ConformanceReport(judging: archive.exchanges).brokenRows.contains("CL27") == !isLeftOut)
    }

    private static let device =
        #"[{"name":"Authorization","value":"Bearer a"},{"name":"AP-Device-Identifier","value":"fingerprint YQ=="}]"#

    /// Recorders that do not save the body of a request do not all give its size.
    @Test(
        arguments: [
            (length("9"), nil), (#"\#(length("9")),"bodySize":-1"#, nil), (#"\#(length(" 9 ")),"bodySize":0"#, nil),
            (#"\#(length("9")),"bodySize":-1,"postData":{"text":""}"#, nil),
            (#"\#(length("9")),"bodySize":-1,"postData":{"text":"mvpd=a"}"#, "mvpd=a"),
            (#""headers":[],"postData":{"text":"!","encoding":"base64"}"#, nil),
            (length("0"), ""), (length("soon"), ""), (#"\#(length("••••")),"bodySize":-1"#, ""),
            (#""headers":[],"bodySize":-1"#, ""),
            // The sandbox records a body in this way if it does not read the transfer coding.
            (#"\#(chunked),"bodySize":-1,"postData":{"text":"","size":-1}"#, nil), (chunked, nil),
            (#"\#(chunked),"bodySize":-1,"postData":{"text":"mvpd=a"}"#, "mvpd=a"),
        ] as [(String, String?)])
    func aBodyThatWasNotSaved_isNotEmpty(fields: String, body: String?) throws {
        let entry = ArchiveTests.entry.replacing(#""method":"GET""#, with: #""method":"POST""#)
            .replacing(#"/profiles","headers":[]"#, with: #"/sessions",\#(fields)"#)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.request.body) == [body.map { Data($0.utf8) }])
        #expect(archive.incomplete.count == (body == nil ? 1 : 0))
    }

    /// Some recorders write the query beside the URL alone.
    @Test(arguments: [
        ("", #"[{"name":"redirectUrl","value":"app://a b"},{"name":"x"}]"#, "redirectUrl=app%3A%2F%2Fa%20b&x="),
        ("", #"[{"name":"redirectUrl","value":"app%3A%2F%2Fa"}]"#, "redirectUrl=app%3A%2F%2Fa"),
        ("?a=1", #"[{"name":"b","value":"2"}]"#, "a=1"), ("?", #"[{"name":"b","value":"2"}]"#, ""), ("", "[]", ""),
        ("", "null", ""), ("", #""b=2""#, ""), ("", "[7]", ""),
        // These are the fields of the body.
        ("", #"[{"name":"b","value":"2"}],"postData":{"text":"b=2"}"#, ""),
    ])
    func theQuery_isReadBesideTheURL_whereThatHasNone(end: String, fields: String, query: String) throws {
        let entry = ArchiveTests.entry.replacing(
            #"/profiles","headers":[]"#, with: #"/profiles\#(end)","headers":[],"queryString":\#(fields)"#)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.query) == [query])
    }

    private static func identified(_ device: String) -> String {
        #""headers":[{"name":"AP-Device-Identifier","value":"\#(device)"}]},"response""#
    }

    /// Two recordings of the same client can be merged.
    @Test(
        arguments: [
            // The request took three milliseconds.
            ("00.000Z", "00.000Z", 2), ("00.000Z", "00.002Z", 2), ("00.000Z", "00.004Z", nil),
            // The entry with more headers is the better one.
            (#""headers":[]},"response""#, identified("a"), 1),
            // Another request, another host and another response.
            (#""method":"GET""#, #""method":"POST""#, nil), ("/profiles", "/profiles?a=1", nil),
            ("sp.example", "sp2.example", nil), (#""status":200"#, #""status":500"#, nil),
            (#""text":"{}""#, #""text":"[]""#, nil),
        ] as [(String, String, Int?)])
    func aRequestThatIsRecordedTwice_isJudgedOnce(part: String, change: String, copy: Int?) throws {
        let other = ArchiveTests.entry.replacing(part, with: change)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[1,\#(ArchiveTests.entry),\#(other)]}}"#.utf8))
        let twice = copy.map { ["Entry \($0 + 1): it is recorded twice."] } ?? []
        #expect(archive.leftOut.map(\.description) == ["Entry 1: it cannot be read."] + twice)
        #expect(archive.exchanges.map(\.id) == [2, 3].filter { $0 - 1 != copy })
    }

    /// A second report of one playback would be a playback without a permission.
    @Test(arguments: [("00.000Z", "00.002Z", [1]), ("00.000Z", "00.004Z", [1, 2]), ("DEMO-1", "DEMO-2", [1, 2])])
    func aReportOfPlaybackThatIsRecordedTwice_isJudgedOnce(part: String, change: String, judged: [Int]) throws {
        let report = ArchiveTests.entry.replacing(#""method":"GET""#, with: #""method":"POST""#)
            .replacing("/api/v2/DEMO/profiles", with: "/conformance/plays/DEMO-1")
        let entries = [report, report.replacing(part, with: change)]
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == judged)
    }

    @Test func twoDevicesThatSendTheSameRequest_areTwo() throws {
        let entries = ["a", "b", "a", "••••"].map { device in
            ArchiveTests.entry.replacing(#""headers":[]},"response""#, with: Self.identified(device))
        }
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [1, 2])
    }

    @Test(arguments: [
        "Authorization", "AP-Device-Identifier", "X-Device-Info", "X-Forwarded-For", "AD-Service-Token", "X-SSO-ID",
        "X-SSO-LINK",
    ])
    func twoClientsThatDifferInAHeader_areTwo(header: String) throws {
        let entries = ["a", "b"].map { value in
            ArchiveTests.entry.replacing(
                #""headers":[]},"response""#,
                with: #""headers":[{"name":"\#(header)","value":"\#(value)"}]},"response""#)
        }
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [1, 2])
    }

    /// Nothing shows that two requests without a response are the same, and a third request is no copy of a copy.
    @Test(arguments: [
        (#""status":0,"_error":"net::ERR_CONNECTION_RESET""#, 2, [1, 2]), (#""status":200"#, 3, [1, 3]),
    ])
    func aRequest_hasOneCopy_ifItHasAResponse(status: String, count: Int, left: [Int]) throws {
        let entry = ArchiveTests.entry.replacing(#""status":200"#, with: status)
        let entries = Array(repeating: entry, count: count).joined(separator: ",")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == left)
    }

    private static let chunked = #""headers":[{"name":"Transfer-Encoding","value":"gzip, chunked"}]"#

    private static func length(_ value: String) -> String {
        #""headers":[{"name":"content-Length","value":"\#(value)"}]"#
    }
}
