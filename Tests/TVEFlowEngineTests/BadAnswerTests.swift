#if os(Linux)
import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

/// Every answer a server can get wrong, at every place where it can: the documented code, an end in time, nothing stored lost.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct BadAnswerTests {
    /// A call whose exchange a test spoils.
    enum Endpoint: CaseIterable, Sendable {
        case configuration, registrationCode, loginPage, session, authorization, mediaToken, preauthorization

        /// What is in the path of the exchange, nil where a dialect has no such exchange.
        func path(_ dialect: ServiceDialect) -> String? {
            switch (self, dialect) {
            case (.configuration, .classic): "/config/"
            case (.registrationCode, .classic): "/regcode"
            case (.loginPage, .classic): "/authenticate/saml"
            case (.session, .classic): "/sessionDevice"
            case (.authorization, .classic): "/authorizeDevice"
            case (.mediaToken, .classic): "/deviceShortAuthorize"
            case (.preauthorization, .classic): "/preauthorize"
            case (.configuration, .restV2): "/configuration"
            case (.registrationCode, .restV2): "/DEMO/sessions"
            case (.session, .restV2): "/profiles/code/"
            case (.authorization, .restV2): "/decisions/authorize/"
            case (.preauthorization, .restV2): "/decisions/preauthorize/"
            // The page is opened by the browser alone, and media tokens come with decisions.
            case (.loginPage, .restV2), (.mediaToken, .restV2): nil
            }
        }

        /// Every exchange of every dialect.
        static func all(_ some: [Endpoint] = allCases) -> [(ServiceDialect, Endpoint)] {
            ServiceDialect.allCases.flatMap { dialect in
                some.filter { $0.path(dialect) != nil }.map { (dialect, $0) }
            }
        }

        /// The code for "no answer that could be read".
        var failure: String {
            switch self {
            case .configuration: "CFG404"
            case .registrationCode, .loginPage, .session: "N500"
            case .authorization, .mediaToken: "Z500"
            case .preauthorization: "P100"
            }
        }

        /// The code for a status with a page for people.
        func code(for status: Int, _ dialect: ServiceDialect) -> String {
            // Of an access token, whatever was asked for with it.
            if dialect == .restV2, status == 401 { return "R401" }
            return switch (self, status) {
            case (.configuration, 400), (.configuration, 404), (.configuration, 410), (.configuration, 429):
                "CFG\(status)"
            case (.configuration, 401), (.configuration, 403): "SEC403"
            case (.configuration, 500...): "CFG\(status)"
            case (.configuration, _): "CFG500"
            case (.registrationCode, 200...299): "N500"
            case (.registrationCode, _): "REG500"
            // The browser sees the same page, and its viewer leaves.
            case (.loginPage, _): "N005"
            case (.session, 401): "N130"
            case (.session, _): "N500"
            case (.authorization, 429), (.mediaToken, 429): "Z100"
            case (.authorization, _), (.mediaToken, _): "Z500"
            case (.preauthorization, _): "P100"
            }
        }
    }

    /// Waits long for what will come, however busy the machine is, and shortly for what will not.
    private struct Patience: HTTPTransport {
        let proxy: FaultProxy
        private let long = URLSessionTransport(timeout: .seconds(20))
        private let short = URLSessionTransport(timeout: .milliseconds(300))

        init(proxy: FaultProxy) {
            self.proxy = proxy
        }

        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            try await (proxy.isEndless(request.path ?? "") ? short : long).send(request, body: body)
        }
    }

    /// A session behind a proxy, with a login of its own.
    private struct Desk {
        let fixture: FlowFixture
        let proxy: FaultProxy
        let session: EntitlementSession
        let log: EventLog

        init(_ dialect: ServiceDialect) async throws {
            fixture = try await FlowFixture(dialect)
            proxy = try FaultProxy(to: fixture.sandbox.baseURL)
            log = EventLog()
            session = try await EntitlementSession(
                requestorID: "DEMO", softwareStatement: fixture.sandbox.softwareStatement,
                serviceProviders: [try #require(ServiceProvider(proxy.url.absoluteString))],
                service: dialect,
                environment: SessionEnvironment(
                    storage: fixture.storage, transport: Patience(proxy: proxy),
                    clock: fixture.clock.sessionClock, app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                    device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: try #require(FlowFixture.redirect)),
                observer: { [log] in log.append($0) })
            try await session.start()
            try await session.authenticate(using: ViewerAtHome())
            _ = log.take()
        }

        /// Makes the call that asks an endpoint; whether it succeeded.
        func call(_ endpoint: Endpoint) async -> Bool {
            // Every round begins with full buckets and without what an earlier one left.
            fixture.clock.advance(by: 20)
            do {
                switch endpoint {
                case .configuration: try await session.start()
                case .registrationCode, .loginPage, .session:
                    try await session.authenticate(using: ViewerAtHome(), isForced: true)
                case .authorization:
                    _ = try await session.authorize(
                        Resource.mrss(channel: "DEMO-1", item: .init(guid: UUID().uuidString)))
                case .mediaToken: _ = try await session.authorize("DEMO-1")
                case .preauthorization: _ = try await session.preauthorize(["DEMO-1"], caches: [])
                }
                return true
            } catch {
                return false
            }
        }

        /// Spoils an exchange, and says which code came; then the login must still be there and everything work again.
        func spoil(_ endpoint: Endpoint, _ fault: FaultProxy.Fault) async -> String? {
            _ = log.take()
            proxy.spoil(endpoint.path(fixture.dialect) ?? "", fault)
            let succeeded = await call(endpoint)
            let words = log.take()
            proxy.spoil("", nil)
            guard case .authenticated = await session.authenticationStatus() else { return "logged out" }
            guard await call(endpoint) else { return "does not work again: \(log.take())" }
            return succeeded ? nil : words.first { $0.wholeMatch(of: /[A-Z]+[0-9]+/) != nil } ?? "no code: \(words)"
        }
    }

    @Test(arguments: Endpoint.all())
    func everyStatus_hasItsCode(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        let statuses = [
            200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409,
            410, 411,
            413, 415, 418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 599,
        ]
        for status in statuses {
            #expect(
                await desk.spoil(endpoint, .page(status: status)) == endpoint.code(for: status, dialect),
                "\(endpoint) \(status)")
        }
        desk.proxy.stop()
    }

    @Test(arguments: Endpoint.all())
    func everyBrokenConnection_hasItsCode(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        let faults: [FaultProxy.Fault] = [
            .noAnswer, .stall, .drip(milliseconds: 20), .truncatedBody, .bytes("not HTTP at all\r\n\r\n"),
            .bytes("\0\0\0\0"),
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), .endlessBody,
        ]
        for fault in faults {
            let code = await desk.spoil(endpoint, fault)
            switch (endpoint, fault) {
            // These are an answer to whoever looks at its head alone, or with a length that is none.
            case (.loginPage, .endlessBody), (.loginPage, .bytes), (_, .bytes):
                #expect(
                    code == nil || code == endpoint.failure || code?.hasSuffix("500") == true || code == "P100",
                    "\(endpoint) \(fault): \(code ?? "")")
            default: #expect(code == endpoint.failure, "\(endpoint) \(fault)")
            }
        }
        #expect(await desk.spoil(endpoint, .redirectLoop) == (endpoint.code(for: 302, dialect)), "\(endpoint)")
        desk.proxy.stop()
    }

    /// Every 61st byte and the last few; with TVE_LONG_TESTS every byte.
    @Test(arguments: Endpoint.all([.configuration, .session, .authorization, .mediaToken, .preauthorization]))
    func everyCut_fails_andNothingIsLost(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let desk = try await Desk(dialect)
        _ = await desk.call(endpoint)
        desk.proxy.spoil(endpoint.path(dialect) ?? "", .cut(after: .max))
        _ = await desk.call(endpoint)
        let answer = desk.proxy.lastAnswer.withLock(\.self)
        let length = answer.count
        let status = try #require(answer.firstRange(of: Array("\r\n".utf8))?.upperBound)
        let head = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound)
        let step = ProcessInfo.processInfo.environment["TVE_LONG_TESTS"] == nil ? 61 : 1
        let counts = Array(stride(from: 0, to: length - 20, by: step)) + [length - 2, length - 1]
        // A connection that ends between status line and end of the head makes Foundation on Linux end the program
        // (NativeProtocol.swift, "Transfer completed, but there's no response"); Documentation/Behaviour.md says so.
        for count in counts where !(status..<head).contains(count) {
            let code = await desk.spoil(endpoint, .cut(after: count))
            #expect(
                code == endpoint.failure || code == "CFG500",
                "\(endpoint) after \(count) of \(length): \(code ?? "succeeded")")
        }
        desk.proxy.stop()
    }

    // A token of another kind in the place of the one that was asked for; REST API v2 has no signed ones but the media token.
    @Test(arguments: [Endpoint.session, .authorization, .mediaToken])
    func aWrongToken_isRefused(endpoint: Endpoint) async throws {
        let fixture = try await FlowFixture(.classic)
        let (session, log) = try await fixture.loggedIn()
        let path = try #require(endpoint.path(.classic))
        let wrong = [
            ("<simpleAuthenticationToken>", "authn"), ("<simpleAuthorizationToken>", "authz"), ("<authToken>", "media"),
        ].map {
            "&lt;signatureInfo&gt;AAAA&lt;signatureInfo&gt;\($0.0.replacing("<", with: "&lt;").replacing(">", with: "&gt;"))"
        }
        for text in wrong + ["", "garbage", "&lt;signatureInfo&gt;"] {
            fixture.answer(
                path,
                .response(
                    status: 200,
                    body: "<result><authnToken>\(text)</authnToken><authzToken>\(text)</authzToken></result>"))
            fixture.clock.advance(by: 20)
            if endpoint == .session {
                await #expect(throws: TVEError.self) {
                    try await session.authenticate(using: ViewerAtHome(), isForced: true)
                }
            } else {
                await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
            }
            #expect(log.take().contains(endpoint.failure))
        }
        fixture.transport.setScript { _, _ in nil }
        _ = try await session.authorize("DEMO-1")
    }

    // Classic alone: the other dialect does not say what time it is.
    @Test(arguments: [-86_400.0, 86_400])
    func aClockThatIsADayOff_isReported_andEverythingWorks(skew: Double) async throws {
        let fixture = try await FlowFixture(.classic)
        let device = ManualClock(fixture.clock.now.addingTimeInterval(skew), shortWait: .seconds(2))
        let (session, log) = try await fixture.session(started: false) { $0.clock = device.sessionClock }
        try await session.start()
        #expect(log.take() == ["CFG100"])
        try await session.authenticate(using: ViewerAtHome())
        // A day ahead, an AuthZ token of a day is over when it comes.
        if skew < 0 {
            _ = try await session.authorize("DEMO-1")
        } else {
            await #expect(throws: TVEError(.authorizationFailed)) { try await session.authorize("DEMO-1") }
        }
        try await session.start()
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("A wrong clock must not cost a login.")
            return
        }
    }
}
#endif
