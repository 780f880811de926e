#if os(Linux)
import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// All failures of a connection, at every exchange: the documented code, an end in time, no stored data lost.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct BrokenConnectionTests {

    /// Waits long for answers that will come, however busy the machine is, and a short time for those that will not.
    ///
    /// Foundation on Linux sometimes does not notice that a connection has ended. Then the limit of an app ends the
    /// exchange, with the same code.
    private struct Patience: HTTPTransport {
        let proxy: FaultProxy
        /// An endless body ends at the limit, and one of 1 MB shows that as well as one of 16 MB.
        private static let long = URLSessionTransport(timeout: .seconds(30), maximumBytes: 1 << 20)
        private static let short = URLSessionTransport(timeout: .milliseconds(50))

        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            try await (proxy.isEndless(request.path ?? "") ? Self.short : Self.long).send(request, body: body)
        }
    }

    /// A session behind a proxy that breaks connections.
    private struct Desk {
        let proxy: FaultProxy
        let session: SpoiledSession

        init(_ dialect: ServiceDialect) async throws {
            let fixture = try await FlowFixture(dialect, isDirect: false)
            let proxy = try FaultProxy(to: fixture.sandbox.baseURL)
            let (session, log) = try await fixture.session(through: proxy.url) {
                $0.transport = Patience(proxy: proxy)
            }
            try await session.authenticate(using: ViewerWhoLogsIn())
            self.proxy = proxy
            self.session = SpoiledSession(fixture: fixture, session: session, log: log)
        }

        func code(of endpoint: Endpoint, _ fault: FaultProxy.Fault) async -> String? {
            await session.code(of: endpoint) {
                proxy.spoil($0, fault)
            } mend: {
                proxy.spoil("", nil)
            }
        }
    }

    @Test(arguments: Endpoint.all())
    func everyBrokenConnection_hasItsCode(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        defer { desk.proxy.stop() }
        let faults: [FaultProxy.Fault] = [
            .noAnswer, .stall, .drip(milliseconds: 20), .truncatedBody, .bytes("not HTTP at all\r\n\r\n"),
            .bytes("\0\0\0\0"),
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), .endlessBody,
        ]
        // Each fault at a third of the exchanges; with TVE_LONG_TESTS at all of them.
        for (number, fault) in faults.enumerated() where LongTests.areOn || number % 3 == endpoint.number % 3 {
            let code = await desk.code(of: endpoint, fault)
            switch (endpoint, fault) {
            // These are valid answers for a client that reads only the head, or they have an invalid length.
            case (.loginPage, .endlessBody), (.loginPage, .bytes), (_, .bytes):
                #expect(
                    code == nil || code == endpoint.failure || code?.hasSuffix("500") == true || code == "P100",
                    "\(endpoint) \(fault): \(code ?? "")")
            default: #expect(code == endpoint.failure, "\(endpoint) \(fault)")
            }
        }
        #expect(await desk.code(of: endpoint, .redirectLoop) == endpoint.code(for: 302, dialect), "\(endpoint)")
    }

    /// The statuses that HTTP clients treat specially; with TVE_LONG_TESTS every one of ``StatusTests``.
    @Test(arguments: Endpoint.all())
    func everyStatus_hasItsCode_onAConnection(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        defer { desk.proxy.stop() }
        for status in LongTests.areOn ? StatusTests.statuses : [204, 302, 304, 401] {
            let code = await desk.code(of: endpoint, .page(status: status))
            #expect(code == endpoint.code(for: status, dialect), "\(endpoint) \(status)")
        }
    }

    /// Every 509th byte and the last few; with TVE_LONG_TESTS every byte.
    @Test(arguments: Endpoint.all([.configuration, .session, .authorization, .mediaToken, .preauthorization]))
    func everyCut_fails_andNothingIsLost(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        defer { desk.proxy.stop() }
        _ = await desk.session.call(endpoint)
        desk.proxy.spoil(endpoint.path(dialect) ?? "", .cut(after: .max))
        _ = await desk.session.call(endpoint)
        let answer = desk.proxy.lastAnswer.withLock(\.self)
        let length = answer.count
        let status = try #require(answer.firstRange(of: Array("\r\n".utf8))?.upperBound)
        let head = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound)
        let counts = Array(stride(from: 0, to: length - 20, by: LongTests.areOn ? 1 : 509)) + [length - 2, length - 1]
        // A connection that ends between status line and end of the head makes Foundation on Linux end the program
        // (NativeProtocol.swift, "Transfer completed, but there's no response"); see
        // Documentation/Specification/Decided.md.
        for count in counts where !(status..<head).contains(count) {
            let code = await desk.code(of: endpoint, .cut(after: count))
            #expect(
                code == endpoint.failure || code == "CFG500",
                "\(endpoint) after \(count) of \(length): \(code ?? "succeeded")")
        }
    }
}
#endif
