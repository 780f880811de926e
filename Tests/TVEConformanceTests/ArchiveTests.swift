import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEConformance

/// Recordings of any origin: complete, without bodies, truncated or damaged.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ArchiveTests {
    @Test func anArchiveOfExchanges_isJudgedAsTheExchangesAre() async throws {
        let exchanges = try await FlowRunner.exchanges(.good)
        let archive = try HTTPArchive(Self.archive(exchanges))
        #expect(archive.leftOut.isEmpty && archive.exchanges.count == exchanges.count)
        let report = ConformanceReport(judging: archive.exchanges)
        let direct = ConformanceReport(judging: exchanges)
        #expect(report.findings.map(\.outcome) == direct.findings.map(\.outcome))
        #expect(report.findings.map(\.evidenceCount) == direct.findings.map(\.evidenceCount))
    }

    @Test(arguments: Break.all)
    func withoutBodies_whatWasBrokenNeverPasses(one: Break) async throws {
        let exchanges = try await FlowRunner.exchanges(one)
        for (keepsQuestions, keepsAnswers) in [(true, false), (false, true), (false, false)] {
            let left = exchanges.map { $0.withoutBodies(keepsQuestions: keepsQuestions, keepsAnswers: keepsAnswers) }
            let report = ConformanceReport(judging: left)
            let outcome = report.findings.first { $0.row.id == one.row }?.outcome
            #expect(outcome != .pass, "\(keepsQuestions) \(keepsAnswers)")
            // Nor does a client look guilty of something else.
            #expect(Set(report.brokenRows).isSubset(of: [one.row]), "\(report.findings(.fail).flatMap(\.problems))")
        }
    }

    @Test func withoutAuthorizationHeaders_theRowsAboutThemAreNotSeen() async throws {
        let exchanges = try await FlowRunner.exchanges(.good).map { $0.without("authorization") }
        let report = ConformanceReport(judging: exchanges)
        for row in ["CL21", "CL23"] {
            #expect(report.findings.first { $0.row.id == row }?.outcome == .notSeen, "\(row)")
        }
        #expect(report.brokenRows == [])
    }

    @Test func withoutAuthorizationHeaders_aChangedDeviceIDDoesNotPass() async throws {
        let change = try #require(Break.all.first { $0.row == "CL23" })
        let exchanges = try await FlowRunner.exchanges(change).map { $0.without("authorization") }
        let report = ConformanceReport(judging: exchanges)
        #expect(report.findings.first { $0.row.id == "CL23" }?.outcome != .pass)
    }

    @Test func aCutRecording_isRefused_whereverItEnds() throws {
        let later = Self.entry.replacing("04:00:00", with: "04:00:02")
        let whole = Data(
            #"{"log":{"version":"1.2","creator":{"a":[1,"}"]},"entries":[\#(Self.entry),\#(later)]}}"#.utf8)
        #expect(try HTTPArchive(whole).exchanges.count == 2)
        let end = whole.count - "]}}".utf8.count
        for length in 1...end {
            #expect(throws: HTTPArchiveError.cut) { try HTTPArchive(whole.prefix(length)) }
        }
    }

    @Test(
        arguments: [
            ("", .empty), ("\u{1F}\u{8B}", .notAnArchive), ("hello", .notAnArchive), ("[]", .notAnArchive),
            ("{}", .notAnArchive), (#"{"log":[]}"#, .notAnArchive), (#"{"log":{"entries":{}}}"#, .notAnArchive),
            (#"{"log":{"pages":[]}}"#, .notAnArchive), (#"{"log":{"entries":[{} {}]}}"#, .notAnArchive),
            (#"{"log":{"entries":[{}]}}{"log":{"entries":[]}}"#, .notAnArchive),
            (#"{"log":{"entries":[{}],}}"#, .notAnArchive), (#"{"entries":{"entries":[]}}"#, .notAnArchive),
        ] as [(String, HTTPArchiveError)])
    func whatIsNoArchive_isRefusedWithAReason(text: String, error: HTTPArchiveError) {
        #expect(throws: error) { try HTTPArchive(Data(text.utf8)) }
        #expect(error.description.hasSuffix("."))
    }

    /// The additions of recorders to exchanges, and the browser's own entries.
    @Test(
        arguments: [
            // A tunnel through a proxy, and pages that no server sent.
            (asked("CONNECT", "sp.example:443"), answered, "it is not a request over HTTP"),
            (asked("GET", "data:image/png;base64,AAAA"), answered, "it is not a request over HTTP"),
            (asked("GET", "blob:https://sp.example/1"), answered, "it is not a request over HTTP"),
            (asked("GET", "file:///index.html"), answered, "it is not a request over HTTP"),
            (asked("GET", "wss://sp.example/live"), answered, "it is not a request over HTTP"),
            (asked("GET", "/status.dat"), answered, "it is not a request over HTTP"),
            (asked("GET", "//sp.example/x"), answered, "it is not a request over HTTP"),
            (asked("GET", "http:///x"), answered, "it is not a request over HTTP"),
            (asked("GET", "http://?x"), answered, "it is not a request over HTTP"),
            (asked("GET", ""), answered, "it is not a request over HTTP"),
            // These requests were in progress when the recording was saved.
            (asked(), "null", "it has no answer"), (asked(), "{}", "it has no answer"),
            (asked(), #"{"status":null,"headers":[]}"#, "it has no answer"), ("null", answered, "it has no request"),
            ("{}", answered, "it has no request"), (#"{"method":1,"url":"http://a/b"}"#, answered, "it has no request"),
            (asked(), #"{"status":407,"headers":[]}"#, "a proxy that requires a login answered it"),
            // Answers from the browser's own store.
            (
                asked(), #"{"status":200,"headers":[],"_fetchedViaServiceWorker":true}"#, fromStore
            ),
            (asked(), #"\#(answered),"_fromCache":"disk""#, fromStore),
            (asked(), #"\#(answered),"_fromCache":true"#, fromStore),
            (asked(), #"\#(answered),"_fetchType":"Memory Cache""#, fromStore),
            (asked(), #"\#(answered),"_fetchType":"Inspector Override""#, fromStore),
            (asked(), #"\#(answered),"cache":{"beforeRequest":{"hitCount":0}}"#, fromStore),
            (asked(), #"{"status":307,"headers":[{"name":"Non-Authoritative-Reason","value":"HSTS"}]}"#, fromStore),
        ])
    func whatIsNoExchange_isLeftOut_withItsReason(request: String, response: String, reason: String) throws {
        let entry = #"{"startedDateTime":"2026-11-24T04:00:01Z","request":\#(request),"response":\#(response)}"#
        let later = Self.entry.replacing("04:00:00", with: "04:00:02")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(Self.entry),\#(entry),\#(later)]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [1, 3])
        #expect(archive.leftOut.map(\.description) == ["Entry 2: \(reason)."])
    }

    @Test(
        arguments: [
            ("1", "it cannot be read"), ("null", "it cannot be read"), ("[]", "it cannot be read"),
            (#"{"request" 1}"#, "it cannot be read"), (#"{"request":]"#, "it cannot be read"),
            ("{}", "it has no request"),
            (entry.replacing("2026", with: "yesterday"), "the time of its request is in a form that is not read"),
            (
                entry.replacing(#""2026-11-24T04:00:00.000Z""#, with: #""""#),
                "it does not say when the request was sent"
            ),
            (entry.replacing("00.000Z", with: "00.000"), "the time of its request has no time zone"),
            (entry.replacing("00.000Z", with: "00"), "the time of its request has no time zone"),
            (
                entry.replacing(#""2026-11-24T04:00:00.000Z""#, with: "0.5"),
                "the time of its request is in a form that is not read"
            ),
            (
                entry.replacing(#""2026-11-24T04:00:00.000Z""#, with: "253402300800000"),
                "the time of its request is in a form that is not read"
            ),
            (
                entry.replacing(#""2026-11-24T04:00:00.000Z""#, with: "-5"),
                "the time of its request is in a form that is not read"
            ),
            (entry.replacing("T04:00:00.000Z", with: " 04:00:00"), "the time of its request has no time zone"),
        ])
    func anEntryThatCannotBeRead_doesNotSpoilTheOthers(entry: String, reason: String) throws {
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry),\#(Self.entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [2])
        #expect(archive.leftOut.map(\.description) == ["Entry 1: \(reason)."])
    }

    @Test func anEntryLongerThanAnyAnswer_isLeftOut() throws {
        // Replacing by a text of this length would copy each of its characters.
        let parts = Self.entry.components(separatedBy: #""time":3"#)
        let comment = #""comment":"\#(String(repeating: "x", count: 16 << 20))""#
        let long = try #require(parts.first) + comment + #require(parts.last)
        #expect(parts.count == 2)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(long),\#(Self.entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [2])
        #expect(archive.leftOut.map(\.description) == ["Entry 1: it is longer than 16 MB."])
    }

    /// Content that no reader needs is ignored, whatever it is, and the exchange is read as if it were missing.
    @Test(
        arguments: [
            // The call stack of an asynchronous script, in which the ellipsis stands for 5,000 calls.
            #""_initiator":…"#,
            #""comment":"\ud800 \udc00 \q \u12""#, "\"comment\":\"\u{1}\n\"",
            #""timings":{"send":NaN,"wait":-Infinity}"#,
            #""timings":{"send":01,"wait":1.,"receive":.5}"#, #""time":null"#, #""time":NaN"#, #""time":"soon""#,
            #""time":-1"#, #""cache":tru"#, #""cache":{"beforeRequest" 1}"#, #""cache":{"beforeRequest":null}"#,
            #""cache":{"afterRequest":{}}"#, #""_fromCache":null"#, #""_fromCache":"""#, #""_fromCache":false"#,
            #""_fetchType":"Network Load""#, #""_fetchType":"""#,
            #""\#(String(repeating: "n", count: 300))":1"#,
        ])
    func aFieldThatNobodyNeeds_doesNotMatter(field: String) throws {
        let calls = String(repeating: #"{"parent":"#, count: 5_000) + "null" + String(repeating: "}", count: 5_000)
        let entry = Self.entry.replacing(#""time":3"#, with: field.replacing("…", with: calls))
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.leftOut.isEmpty && archive.exchanges.map(\.path) == ["/api/v2/DEMO/profiles"])
        #expect(archive.exchanges.first?.answer.body == Data("{}".utf8))
    }

    /// Firefox has this field for responses from its cache alone.
    @Test(arguments: [
        (#"{"name":"Firefox"}"#, #"{"afterRequest":{"hitCount":2}}"#, true),
        (#"{"version":"1","name":"Firefox"}"#, #"{"afterRequest":null}"#, true),
        (#"{"name":"Firefox"}"#, "{}", false), (#"{"name":"Other"}"#, #"{"afterRequest":{}}"#, false),
        (#"{"name" 1}"#, #"{"afterRequest":{}}"#, false), ("null", #"{"afterRequest":{}}"#, false),
    ])
    func theCacheAfterARequest_isASignOfFirefoxAlone(creator: String, cache: String, isLeftOut: Bool) throws {
        let entry = Self.entry.replacing(#""time":3"#, with: "\"cache\":\(cache)")
        let archive = try HTTPArchive(Data(#"{"log":{"creator":\#(creator),"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.isEmpty == isLeftOut)
        #expect(archive.leftOut.map(\.reason) == (isLeftOut ? [Self.fromStore] : []))
    }

    @Test func bytesThatAreNoText_areReplaced() throws {
        let comment = Array(#""comment":""#.utf8) + [0xC3, 0x28, 0xFF] + Array(#"""#.utf8)
        var bytes = Array(#"{"log":{"entries":["#.utf8)
        bytes += Self.entry.replacing(#""time":3"#, with: "@").utf8.flatMap { $0 == UInt8(ascii: "@") ? comment : [$0] }
        #expect(try HTTPArchive(Data(bytes + Array("]}}".utf8))).exchanges.count == 1)
    }

    @Test(
        arguments: [
            ("1732420800000", 1_732_420_800), (#""1732420800000""#, 1_732_420_800),
            ("1732420800", 1_732_420_800), (#""1732420800.5""#, 1_732_420_800.5),
            ("1795648561572.25", 1_795_648_561_572.25 / 1_000), ("1795648561.572", 1_795_648_561.572),
            ("1.795648561572e12", 1_795_648_561.572),
            // The first date that is one in milliseconds, and the last one in seconds.
            ("100000000000", 100_000_000), ("99999999999", 99_999_999_999),
            // The last millisecond of the year 9999.
            ("253402300799999", 253_402_300_799.999),
            (#""2026-11-24 04:00:00Z""#, 1_795_492_800), (#""2026-11-24t04:00:00.000z""#, 1_795_492_800),
            (#""2026-11-24 05:00:00,500+01:00""#, 1_795_492_800.5),
            (#""2026-11-24T04:00:00Z""#, 1_795_492_800), (#""2026-11-24T05:00:00.000+01:00""#, 1_795_492_800),
        ] as [(String, Double)])
    func readsTheDatesThatRecordersWrite(date: String, seconds: Double) throws {
        let entry = Self.entry.replacing(#""2026-11-24T04:00:00.000Z""#, with: date)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.began) == [Date(timeIntervalSince1970: seconds)])
    }

    /// Some programs write one time for all requests of an export, and exports can be merged.
    @Test(
        arguments: [
            (["00.000", "00.000", "00.000"], "20.000", true), (["00.000", "00.000"], "20.000", false),
            (["00.000", "05.000", "00.000", "05.000", "05.000", "00.000"], "20.000", true),
            // The login page is in the export too.
            (["00.000", "00.000"], "00.000", true), (["00.000"], "00.000", false),
            // A client has sent requests at the same time.
            (["00.000", "00.000", "00.001"], "20.000", false),
            (["00.000", "00.000", "00.000", "05.000"], "20.000", false),
            (["00.000", "00.000", "00.000", "05.000", "05.000"], "20.000", false),
        ] as [([String], String, Bool)])
    func requestsWithoutTimesOfTheirOwn_areLeftOut(times: [String], page: String, areLeftOut: Bool) throws {
        var entries = times.enumerated().map { number, time in
            Self.entry.replacing("00.000", with: time).replacing("/profiles", with: "/profiles/cable-\(number)")
        }
        // The login page, mostly from the browser's own recording.
        entries.append(
            Self.entry.replacing("00.000", with: page)
                .replacing("/api/v2/DEMO/profiles", with: "/api/v2/authenticate/DEMO/CODE"))
        let count = areLeftOut ? entries.count : 0
        // The times of requests to other services do not matter.
        entries.append(
            Self.entry.replacing("00.000", with: "30.000").replacing("/api/v2/DEMO/profiles", with: "/login"))
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
        let reason = "the requests of the recording have no times of their own"
        #expect(archive.leftOut == (0..<count).map { HTTPArchive.Omission(entry: $0 + 1, reason: reason) })
        #expect(archive.leftOutCallCount == count)
        #expect(ConformanceReport(judging: archive.exchanges).exchangeCount == times.count + 1 - count)
    }

    @Test(arguments: [
        ("https://sp.example", "/", ""), ("https://sp.example/", "/", ""), ("https://sp.example#top", "/", ""),
        ("HTTP://sp.example/a", "/a", ""), ("https://sp.example/a/b?c=d/e?f#g?h", "/a/b", "c=d/e?f"),
        ("https://sp.example//a", "//a", ""), ("https://sp.example/?a=b", "/", "a=b"),
        ("https://sp.example?a=b", "/", "a=b"), ("https://sp.example?a=/b", "/", "a=/b"),
    ])
    func aURL_isReadInItsParts(url: String, path: String, query: String) throws {
        let entry = Self.entry.replacing("https://sp.example/api/v2/DEMO/profiles", with: url)
        let exchange = try #require(
            try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8)).exchanges.first)
        #expect(exchange.path == path && exchange.query == query)
        #expect(exchange.request.header("host") == "sp.example")
    }

    /// A report names the calls of REST API v2 that it could not judge.
    @Test(arguments: [("/api/v2/DEMO/profiles", 1), ("/api/DEMO/list", 0), ("/news", 0)])
    func aCallThatIsLeftOut_counts(path: String, count: Int) throws {
        let entry = Self.entry.replacing("/api/v2/DEMO/profiles", with: path)
            .replacing(#""2026-11-24T04:00:00.000Z""#, with: "-5")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry),\#(Self.entry)]}}"#.utf8))
        #expect(archive.leftOut.map(\.entry) == [1] && archive.leftOutCallCount == count)
    }

    /// Some recorders write methods in lower case, and omit headers or their values for privacy.
    @Test func whatARecorderLeavesOut_isNotHeldAgainstTheClient() async throws {
        let exchanges = try await FlowRunner.exchanges(.good)
        let whole = String(decoding: Self.archive(exchanges), as: UTF8.self)
        let direct = ConformanceReport(judging: exchanges).findings.map(\.outcome)
        let lower = whole.replacing(#""method":"GET""#, with: #""method":"get""#)
            .replacing(#""method":"POST""#, with: #""method":"post""#)
        #expect(lower != whole)
        #expect(try Self.report(lower).findings.map(\.outcome) == direct)
        for changed in [
            whole.replacing(/"headers":\[[^\]]*\]/, with: #""headers":[]"#),
            whole.replacing(/"headers":\[[^\]]*\]/, with: #""headers":null"#),
            whole.replacing(/"value":"[^"]*"/, with: #""value":null"#),
            whole.replacing(/"value":"[^"]*"/, with: #""x":1"#),
        ] {
            #expect(changed != whole)
            let report = try Self.report(changed)
            #expect(report.brokenRows == [], "\(report.findings(.fail).flatMap(\.problems).map(\.sentence))")
        }
    }

    private static func report(_ archive: String) throws -> ConformanceReport {
        ConformanceReport(judging: try HTTPArchive(Data(archive.utf8)).exchanges)
    }

    @Test(
        arguments: [
            (#""text":"!","encoding":"base64""#, "the Base64 of a body is damaged"),
            // The two bytes that begin what gzip has compressed.
            (#""text":"H4sIAAAAAAAC","encoding":"base64""#, "a body is still compressed or is not in UTF-8"),
            (#""text":"e30=","encoding":"rot13""#, "a body is not written as it was sent"),
            (
                #""mimeType":"application/x-www-form-urlencoded; charset=utf-8","text":"mvpd = a\ndomainName = b""#,
                "a body is not written as it was sent"
            ),
            (#""text":"""#, "a body is missing"), (#""mimeType":"x""#, "a body is missing"),
        ])
    func aBodyThatCannotBeRead_isNamed(text: String, reason: String) throws {
        let entry = Self.entry.replacing(#""text":"{}""#, with: text)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(Self.entry),\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.id) == [1, 2] && archive.exchanges.last?.answer.body == nil)
        #expect(archive.leftOut.isEmpty && archive.incomplete.map(\.description) == ["Entry 2: \(reason)."])
    }

    /// A failed request, a page and another service may have no body.
    @Test(arguments: [
        (#""status":200"#, #""status":304"#), (#""status":200"#, #""status":500"#),
        ("/api/v2/DEMO/profiles", "/api/v2/authenticate/DEMO/CODE"), ("/api/v2/DEMO/profiles", "/news"),
    ])
    func aBodyThatNobodyNeeds_isNotMissing(part: String, change: String) throws {
        let entry = Self.entry.replacing(#","text":"{}""#, with: "").replacing(part, with: change)
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.count == 1 && archive.incomplete.isEmpty)
    }

    @Test func aBodyOfAnotherService_thatCannotBeRead_isNotNamed() throws {
        let entry = Self.entry.replacing(#""text":"{}""#, with: #""text":"!","encoding":"base64""#)
            .replacing("/api/v2/DEMO/profiles", with: "/news/today")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.count == 1 && archive.incomplete.isEmpty)
    }

    @Test func otherKindsOfFiles_areRefused() {
        for compressed: [UInt8] in [[0x1F, 0x8B, 8, 0], [0x28, 0xB5, 0x2F, 0xFD], Array("BZh9".utf8)] {
            #expect(throws: HTTPArchiveError.compressed) { try HTTPArchive(Data(compressed)) }
        }
        for text: [UInt8] in [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x22, 0], [0, 0x7B, 0, 0x22]] {
            #expect(throws: HTTPArchiveError.utf16) { try HTTPArchive(Data(text)) }
        }
        #expect(throws: HTTPArchiveError.notAnArchive) { try HTTPArchive(Data(repeating: 0, count: 100)) }
    }

    @Test func bodies_areReadInEachFormOfTheFormat() throws {
        func answer(_ content: String) throws -> Data? {
            let entry = Self.entry.replacing(#""content":{"size":2,"text":"{}"}"#, with: "\"content\":\(content)")
            return try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8)).exchanges.first?.answer.body
        }
        #expect(try answer(#"{"size":2,"text":"{}"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"e30=","encoding":"base64"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"e3\r\n0=\r\n","encoding":"base64"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"e30","encoding":"base64"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"{}","encoding":"UTF-8"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"!","encoding":"base64"}"#) == nil)
        #expect(try answer(#"{"size":2,"text":"e30=","encoding":"rot13"}"#) == nil)
        #expect(try answer(#"{"size":2,"text":""}"#) == nil)
        #expect(try answer(#"{"size":-1,"text":""}"#) == Data())
        #expect(try answer(#"{"size":2}"#) == nil)
        #expect(try answer(#"{"size":0}"#) == Data())
    }

    @Test(
        arguments: [
            (#""postData":{"text":"mvpd=a"}"#, "mvpd=a"),
            (#""postData":{"text":"","params":[{"name":"mvpd","value":"a b"},{"name":"x"}]}"#, "mvpd=a%20b&x="),
            (#""postData":{"text":"","params":[{"name":"a","value":"x%3A%2F+"},{"name":"b"}]}"#, "a=x%3A%2F+&b="),
            (#""postData":{"params":[{"name":"a","value":"x%3A"},{"name":"b","value":"y:"}]}"#, "a=x%253A&b=y%3A"),
            (#""postData":{"params":[{"name":"a","value":"x%3A"},{"name":"b","value":"(!)"}]}"#, "a=x%3A&b=%28%21%29"),
            (#""postData":{"params":[{"name":"a","value":"x%3A"},{"name":"b","value":"50%"}]}"#, "a=x%253A&b=50%25"),
            (#""postData":{"text":""},"bodySize":9"#, nil), (#""postData":{"text":""},"bodySize":0"#, ""),
        ] as [(String, String?)])
    func formsAndTexts_areReadAsTheyWereSent(fields: String, body: String?) throws {
        let entry = Self.entry.replacing(#""method":"GET""#, with: #""method":"POST",\#(fields)"#)
            .replacing("/profiles", with: "/sessions")
        let archive = try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8))
        #expect(archive.exchanges.map(\.request.body) == [body.map { Data($0.utf8) }])
    }

    @Test func callsOfOlderDialects_getWhatReplacesThem() throws {
        let paths = [
            "/adobe-services/config/DEMO", "/api/v1/tokens/media", "/reggie/v1/DEMO/regcode", "/api/v1/checkauthn/ABC",
            "/else",
        ]
        let exchanges = paths.enumerated().map { number, path in
            Exchange(
                id: number + 1, began: Date(timeIntervalSince1970: Double(number)), method: "GET", path: path,
                request: .init(headers: [], body: Data()), status: 200, answer: .init(headers: [], body: Data()))
        }
        let report = ConformanceReport(judging: exchanges)
        #expect(report.oldCalls.count == 4 && report.oldCalls.allSatisfy { $0.count == 1 })
        #expect(report.exchangeCount == 0)
    }

    @Test func judging_takesATimeInProportionToTheLength() async throws {
        let exchanges = try await FlowRunner.exchanges(.good)
        func work(_ rounds: Int) -> Duration {
            let many = (0..<rounds).flatMap { round in
                exchanges.map { $0.later(by: Double(round) * 200_000, id: round * 1_000) }
            }
            let before = Duration.workOfThisThread
            _ = ConformanceReport(judging: many)
            return Duration.workOfThisThread - before
        }
        _ = work(1)
        // Eight times the exchanges cost 64 times as much if each was compared with each. A busy neighbour on the same
        // core can double the time of either measurement.
        #expect(work(40) < work(5) * 24)
    }

    // MARK: - Writing archives

    private static let fromStore = "the browser answered it from its own store, and sent nothing"

    private static func asked(_ method: String = "GET", _ url: String = "https://sp.example/x") -> String {
        #"{"method":"\#(method)","url":"\#(url)","headers":[]}"#
    }

    private static let answered = #"{"status":200,"headers":[]}"#

    static let entry =
        #"""
        {"startedDateTime":"2026-11-24T04:00:00.000Z","time":3,\#
        "request":{"method":"GET","url":"https://sp.example/api/v2/DEMO/profiles","headers":[]},\#
        "response":{"status":200,"headers":[],"content":{"size":2,"text":"{}"}}}
        """#

    private static func archive(_ exchanges: [Exchange]) -> Data {
        let entries = exchanges.map { exchange -> MetadataValue in
            let query = exchange.query.isEmpty ? "" : "?\(exchange.query)"
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            var request: [String: MetadataValue] = [
                "method": .string(exchange.method), "url": .string("http://127.0.0.1\(exchange.path)\(query)"),
                "headers": fields(exchange.request), "bodySize": .number(Double(exchange.request.body?.count ?? 0)),
            ]
            if let body = exchange.request.body, !body.isEmpty {
                request["postData"] = ["mimeType": "", "text": .string(String(decoding: body, as: UTF8.self))]
            }
            var content: [String: MetadataValue] = ["size": .number(Double(exchange.answer.body?.count ?? 0))]
            content["text"] = exchange.answer.body.map { .string(String(decoding: $0, as: UTF8.self)) }
            return [
                "startedDateTime": .string(exchange.began.formatted(style)), "time": .number(exchange.milliseconds),
                "request": .object(request),
                "response": [
                    "status": .number(Double(exchange.status)), "headers": fields(exchange.answer),
                    "content": .object(content), "redirectURL": .string(exchange.answer.headers["location"] ?? ""),
                ],
            ]
        }
        return (try? JSONEncoder().encode(["log": ["entries": MetadataValue.array(entries)]])) ?? Data()
    }

    private static func fields(_ message: Exchange.Message) -> MetadataValue {
        .array(message.headers.map { ["name": .string($0.key), "value": .string($0.value)] })
    }
}

extension Exchange {
    private func changed(
        _ request: Message? = nil, _ answer: Message? = nil, id: Int = 0, later seconds: Double = 0
    ) -> Exchange {
        Exchange(
            id: self.id + id, began: began.addingTimeInterval(seconds), milliseconds: milliseconds, method: method,
            path: path, query: query, address: address, request: request ?? self.request, status: status,
            answer: answer ?? self.answer)
    }

    fileprivate func later(by seconds: Double, id: Int) -> Exchange { changed(id: id, later: seconds) }

    fileprivate func without(_ header: String) -> Exchange {
        changed(Message(headers: request.headers.filter { $0.key != header }.map { ($0, $1) }, body: request.body))
    }

    /// The content of a recording that was saved without bodies.
    fileprivate func withoutBodies(keepsQuestions: Bool, keepsAnswers: Bool) -> Exchange {
        func message(_ message: Message, _ isKept: Bool) -> Message? {
            isKept || message.body?.isEmpty == true
                ? nil : Message(headers: message.headers.map { ($0, $1) }, body: nil)
        }
        return changed(message(request, keepsQuestions), message(answer, keepsAnswers))
    }
}
