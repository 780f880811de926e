import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEConformance

/// Recordings of any origin: complete, without bodies, cut, damaged.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ArchiveTests {
    @Test func anArchiveOfExchanges_isJudgedAsTheExchangesAre() async throws {
        let exchanges = try await FlowRunner.exchanges(.good)
        let archive = try HTTPArchive(Self.archive(exchanges))
        #expect(archive.leftOut == 0 && archive.exchanges.count == exchanges.count)
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

    @Test func withoutAuthorizationHeaders_theRowIsNotSeen() async throws {
        let exchanges = try await FlowRunner.exchanges(.good).map { $0.without("authorization") }
        let report = ConformanceReport(judging: exchanges)
        #expect(report.findings.first { $0.row.id == "CL21" }?.outcome == .notSeen)
        #expect(report.brokenRows == [])
    }

    @Test func aCutRecording_isRefused_whereverItEnds() throws {
        let whole = Data(
            #"{"log":{"version":"1.2","creator":{"a":[1,"}"]},"entries":[\#(Self.entry),\#(Self.entry)]}}"#.utf8)
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
            (#"{"log":{"pages":[]}}"#, .notAnArchive), (#"{"log":{"entries":[1]}}"#, .notAnArchive),
            (#"{"log":{"entries":[{}]}}"#, .damagedEntry(1)),
            (#"{"log":{"entries":[{"request":]]}}"#, .damagedEntry(1)),
            (#"{"log":{"entries":[\#(entry.replacing("2026", with: "yesterday"))]}}"#, .damagedEntry(1)),
            (#"{"log":{"entries":[\#(entry.replacing("https://", with: ""))]}}"#, .damagedEntry(1)),
        ] as [(String, HTTPArchiveError)])
    func whatIsNoArchive_isRefusedWithAReason(text: String, error: HTTPArchiveError) {
        #expect(throws: error) { try HTTPArchive(Data(text.utf8)) }
        #expect(error.description.hasSuffix("."))
    }

    @Test func otherKindsOfFiles_areRefused() {
        #expect(throws: HTTPArchiveError.compressed) { try HTTPArchive(Data([0x1F, 0x8B, 8, 0])) }
        #expect(throws: HTTPArchiveError.notAnArchive) { try HTTPArchive(Data([0xFF, 0xFE, 0x7B, 0])) }
        #expect(throws: HTTPArchiveError.notAnArchive) { try HTTPArchive(Data(repeating: 0, count: 100)) }
    }

    @Test func bodies_areReadInEachFormOfTheFormat() throws {
        func answer(_ content: String) throws -> Data? {
            let entry = Self.entry.replacing(#""content":{"size":2,"text":"{}"}"#, with: "\"content\":\(content)")
            return try HTTPArchive(Data(#"{"log":{"entries":[\#(entry)]}}"#.utf8)).exchanges.first?.answer.body
        }
        #expect(try answer(#"{"size":2,"text":"{}"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"e30=","encoding":"base64"}"#) == Data("{}".utf8))
        #expect(try answer(#"{"size":2,"text":"!","encoding":"base64"}"#) == nil)
        #expect(try answer(#"{"size":2,"text":"e30=","encoding":"rot13"}"#) == nil)
        #expect(try answer(#"{"size":2}"#) == nil)
        #expect(try answer(#"{"size":0}"#) == Data())
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
        #expect(work(40) < work(10) * 8)
    }

    // MARK: - Writing archives

    private static let entry =
        #"{"startedDateTime":"2026-11-24T04:00:00.000Z","time":3,"request":{"method":"GET","url":"https://sp.example/api/v2/DEMO/profiles","headers":[]},"response":{"status":200,"headers":[],"content":{"size":2,"text":"{}"}}}"#

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
                    "content": .object(content),
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

    /// What a recording has that was saved without bodies.
    fileprivate func withoutBodies(keepsQuestions: Bool, keepsAnswers: Bool) -> Exchange {
        func message(_ message: Message, _ isKept: Bool) -> Message? {
            isKept || message.body?.isEmpty == true
                ? nil : Message(headers: message.headers.map { ($0, $1) }, body: nil)
        }
        return changed(message(request, keepsQuestions), message(answer, keepsAnswers))
    }
}
