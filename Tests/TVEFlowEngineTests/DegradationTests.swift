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

    /// A denial by the service for a reason of its own.
    struct Denial: Sendable {
        let row: String
        let world: SandboxWorld
        let resource: String
        /// The number of calls, the last of which has the result.
        var attempts = 1
        var code = TVEError.Code.notAuthorized
        let status: String
    }

    private static let denials = [
        Denial(row: "AZ8", world: .demo { $0.degradation = .authorizeNone }, resource: "DEMO-1", status: "Z169"),
        Denial(row: "AZ6", world: .demo { $0.isUnreachable = true }, resource: "DEMO-1", status: "Z120"),
        Denial(
            row: "AZ4", world: .demo { $0.denialsBeforeRefusal = 2 }, resource: "DEMO-PLUS", attempts: 2, status: "Z100"
        ),
        Denial(
            row: "AZ7", world: .demo { _ in }, resource: "<rss><channel>", code: .invalidResource, status: "Z130"),
    ]
    /// Only the classic service reports that it does not ask any more.
    private static let repetition = Denial(
        row: "AZ5", world: .demo { $0.denialsBeforeRefusal = 2 }, resource: "DEMO-PLUS", attempts: 3, status: "Z110")

    @Test(
        .row("AZ4", "AZ5", "AZ6", "AZ7", "AZ8", "Z110", "Z120", "Z130", "Z169", "wire protocol, 4.5"),
        arguments: ServiceDialect.both(denials) + [(.classic, repetition)])
    func reportsWhySomethingElseThanTheProviderSaysNo(dialect: ServiceDialect, denial: Denial) async throws {
        let (session, log) = try await FlowFixture(dialect, world: denial.world).loggedIn()
        for attempt in 1...denial.attempts {
            let error = await #expect(throws: TVEError.self, "\(denial.row)") {
                try await session.authorize(Resource(denial.resource))
            }
            guard attempt == denial.attempts else { continue }
            #expect(error?.code == denial.code && error?.message?.isEmpty == false, "\(denial.row)")
        }
        #expect(log.take().suffix(2) == [denial.status, "authz \(denial.code.rawValue)"], "\(denial.row)")
    }
}
