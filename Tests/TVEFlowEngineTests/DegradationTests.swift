import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct DegradationTests {
    @Test(.row("GA3", "SP15", "LO7", "N010", "wire protocol, 6.2"), arguments: ServiceDialect.allCases)
    func letsEverybodyIn_withoutAPage(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .demo { $0.degradation = .authenticateAll })
            .session()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber"])
        #expect(log.take() == ["selected demo-cable", "N010", "authn cached false", "authenticated"])
        _ = try await session.authorize("DEMO-1")
        #expect(log.take() == ["Z010", "authz cached false"])
        #expect(log.endingLogins.isEmpty, "Another one always follows.")
        try await session.logout(using: viewer)
        #expect(viewer.shown.count == 1, "LO7: there is no session anywhere else to end")
    }

    @Test(.row("AZ9", "Z010"), arguments: ServiceDialect.allCases)
    func allowsEverything(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .demo { $0.degradation = .authorizeAll }).loggedIn()
        _ = try await session.authorize("DEMO-PLUS")
        #expect(log.take() == ["Z010", "authz cached false"])
    }

    // The service's own reasons for a denial, each with its code.
    private typealias Row = (String, SandboxWorld, String, Int, TVEError.Code, String)
    private static let rows: [Row] = [
        ("AZ8", .demo { $0.degradation = .authorizeNone }, "DEMO-1", 1, .notAuthorized, "Z169"),
        ("AZ6", .demo { $0.isUnreachable = true }, "DEMO-1", 1, .notAuthorized, "Z120"),
        ("AZ4", .demo { $0.denialsBeforeRefusal = 2 }, "DEMO-PLUS", 2, .notAuthorized, "Z100"),
        ("AZ7", .demo { _ in }, "<rss><channel>", 1, .invalidResource, "Z130"),
    ]
    /// Only the classic service reports that it does not ask any more.
    private static let repetition: Row = (
        "AZ5", .demo { $0.denialsBeforeRefusal = 2 }, "DEMO-PLUS", 3, .notAuthorized, "Z110"
    )

    @Test(
        .row("AZ4", "AZ5", "AZ6", "AZ7", "AZ8", "Z110", "Z120", "Z130", "Z169", "wire protocol, 4.5"),
        arguments: ServiceDialect.both(rows) + [
            (.classic, repetition.0, repetition.1, repetition.2, repetition.3, repetition.4, repetition.5)
        ])
    func reportsWhySomethingElseThanTheProviderSaysNo(
        dialect: ServiceDialect, row: String, world: SandboxWorld, resource: String, attempts: Int, code: TVEError.Code,
        status: String
    ) async throws {
        let (session, log) = try await FlowFixture(dialect, world: world).loggedIn()
        for attempt in 1...attempts {
            let error = await #expect(throws: TVEError.self, "\(row)") {
                try await session.authorize(Resource(resource))
            }
            guard attempt == attempts else { continue }
            #expect(error?.code == code && error?.message?.isEmpty == false, "\(row)")
        }
        #expect(log.take().suffix(2) == [status, "authz \(code.rawValue)"], "\(row)")
    }
}
