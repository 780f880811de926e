import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import TVETestSupport

@Suite(.fewAtATime)
struct URLSessionTransportTests {
    @Test(.row("SE2"), .timeLimit(.hanging)) func keepsTheContract() async throws {
        let violations = try await HTTPTransportConformance.violations {
            URLSessionTransport(timeout: $0, maximumBytes: $1)
        }
        #expect(violations == [])
    }

    /// With such a limit, a program means that there is none.
    @Test(.timeLimit(.hanging), arguments: [.milliseconds(Int64.max), .seconds(Int64.max)] as [Duration])
    func acceptsALimit_thatNoClockReaches(limit: Duration) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", socket)
        }
        let url = try #require(URL(string: server.url("/")))
        let answer = try await URLSessionTransport(timeout: limit).send(HTTPRequest(method: .get, url: url), body: nil)
        #expect(answer.0.status == .ok && answer.1 == Data("ok".utf8))
    }

    /// Foundation on Linux would end the program if a redirect arrived in the moment of a cancellation.
    @Test(
        .timeLimit(.hanging),
        arguments: [
            "302 Found\r\nLocation: /\r\nContent-Length: 4\r\n\r\nbody", "302 Found\r\nLocation: /\r\n\r\n",
            "200 OK\r\nContent-Length: 4\r\n\r\nbody",
            "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
            "401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 4\r\n\r\nbody",
        ])
    func aRequest_isCancelledWhileItsAnswerArrives(answer: String) async throws {
        let arrived = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _, socket in
            arrived.continuation.yield()
            LoopbackServer.send("HTTP/1.1 \(answer)", socket)
        }
        let transport = URLSessionTransport(timeout: .hanging)
        let request = HTTPRequest(method: .get, url: try #require(URL(string: server.url("/"))))
        var arrivals = arrived.stream.makeAsyncIterator()
        var codes: Set<Int> = []
        for turns in 0..<100 {
            let task = Task { try await transport.send(request, body: nil).0.status.code }
            _ = await arrivals.next()
            for _ in 0..<turns % 20 { await Task.yield() }
            task.cancel()
            codes.insert((try? await task.value) ?? 0)
        }
        #expect(codes.isSubset(of: [0, Int(answer.prefix(3)) ?? 0]))
    }

    /// The suite reports each breakage, and nothing else.
    @Test(.timeLimit(.hanging), arguments: BrokenTransport.Breakage.allCases)
    func suite_findsBrokenTransports(breakage: BrokenTransport.Breakage) async throws {
        let violations = try await HTTPTransportConformance.violations(hangsUp: false) {
            let bytes = breakage == .hasNoLimit ? .max : $1
            return BrokenTransport(next: URLSessionTransport(timeout: $0, maximumBytes: bytes), breakage: breakage)
        }
        #expect(!violations.isEmpty)
        #expect(violations.filter { said in !breakage.words.contains { said.contains($0) } } == [])
    }
}

/// A transport that breaks one promise.
struct BrokenTransport: HTTPTransport {
    enum Breakage: CaseIterable {
        case followsRedirects, keepsCookies, keepsAnswers, hasNoLimit, throwsStatuses, losesBodies, losesFields
        case encodesTwice, saysNoReason
        case sendsGET, losesQueries, losesRefusals, losesAnswerFields

        /// Words from the sentences with which the suite reports the breakage.
        var words: [String] {
            switch self {
            case .followsRedirects: ["redirect is an answer", "redirect is not followed"]
            case .keepsCookies: ["Cookies are not kept"]
            case .keepsAnswers: ["An answer is not kept for later"]
            case .hasNoLimit: ["meets a limit of 1999"]
            case .throwsStatuses: ["is an answer, with its body", "redirect is an answer"]
            case .losesBodies: ["byte for byte"]
            case .losesFields: ["byte for byte", "is an answer, with its body", "gets its own answer"]
            case .encodesTwice, .sendsGET, .losesQueries: ["encoded a second time"]
            case .losesRefusals: ["is an answer, with its body"]
            case .losesAnswerFields: ["encoded a second time", "header fields come back"]
            case .saysNoReason: ["limit", ".timedOut", ".unreachable", ".cancelled"]
            }
        }
    }

    let next: any HTTPTransport
    let breakage: Breakage
    private let kept = Guarded<[String: (HTTPResponse, Data)]>([:])
    private let cookie = Guarded<String?>(nil)

    init(next: any HTTPTransport, breakage: Breakage) {
        self.next = next
        self.breakage = breakage
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        var request = request
        var body = body
        let key = request.path ?? ""
        switch breakage {
        case .keepsCookies: request.headerFields[.cookie] = cookie.withLock(\.self)
        case .keepsAnswers:
            // The transport returns an answer that it has stored, as a cache does.
            if let answer = kept.withLock({ $0[key] }) { return answer }
        case .losesBodies: body = nil
        case .losesFields: request.headerFields = [:]
        case .encodesTwice: request.path = key.replacing("%", with: "%25")
        case .sendsGET: if request.method == .delete { request.method = .get }
        case .losesQueries: request.path = String(key.divided(at: "?").before)
        default: break
        }
        do throws(TransportError) {
            var answer = try await next.send(request, body: body)
            if breakage == .followsRedirects, let place = answer.0.headerFields[.location] {
                request.path = place
                answer = try await next.send(request, body: nil)
            }
            if breakage == .throwsStatuses, answer.0.status.kind != .successful { throw .other(code: 1) }
            if breakage == .losesRefusals, answer.0.status.code >= 400 { answer.1 = Data() }
            if breakage == .losesAnswerFields { answer.0.headerFields = [:] }
            if let given = answer.0.headerFields[.setCookie] { cookie.withLock { $0 = given } }
            if answer.0.headerFields[.cacheControl] != nil { kept.withLock { [answer] in $0[key] = answer } }
            return answer
        } catch {
            throw breakage == .saysNoReason ? .other(code: 1) : error
        }
    }
}
