import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct MetadataTests {
    @Test(.row("MD1", "MD2"), arguments: ServiceDialect.allCases)
    func givesTheExpiry_asTokensPrintIt(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).loggedIn()
        let expiry = try await session.metadata(.authenticationExpiry)
        #expect(expiry?.value == .string("2026/12/21 00:00:00 GMT +0000"))
        #expect(expiry?.date == Date(timeIntervalSince1970: 1_797_811_200))
        #expect(try await session.metadata(.authorizationExpiry("DEMO-1")) == nil)
        _ = try await session.authorize("DEMO-1")
        #expect(
            try await session.metadata(.authorizationExpiry("DEMO-1"))?.value
                == .string("2026/11/22 00:00:00 GMT +0000"))
        #expect(try await session.metadata(.authorizationExpiry("DEMO-2")) == nil)
    }

    @Test(.row("MD3"), arguments: ServiceDialect.allCases)
    func givesTheDeviceID_evenWithNobodyLoggedIn(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session()
        let id = DeviceIdentity(seed: "device-1", app: nil).deviceID
        #expect(id.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(try await session.metadata(.deviceID)?.value == .string(id))
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(try await session.metadata(.deviceID)?.value == .string(id))
        #expect(Metadata(value: .string(id)).date == nil)
    }

    @Test(.row("MD4"), arguments: ServiceDialect.allCases)
    func givesWhatTheProviderTold_inItsOwnShape(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).loggedIn()
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")]))
        guard case .string? = try await session.metadata(.user("userID"))?.value else {
            Issue.record("no user id")
            return
        }
        #expect(try await session.metadata(.user("nothing")) == nil)
    }

    @Test(.row("MD5"), arguments: ServiceDialect.allCases)
    func saysThatAValueIsEncrypted_andGivesItAsText(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.viewers[0].encrypted = ["zip": "Q2lwaGVydGV4dA=="]
        let (session, _) = try await FlowFixture(dialect, world: world).loggedIn()
        let metadata = try #require(try await session.metadata(.user("zip")))
        #expect(metadata.isEncrypted && metadata.value == .string("Q2lwaGVydGV4dA=="))
        #expect(try await session.metadata(.user("userID"))?.isEncrypted == false)
    }

    @Test(
        .row("MD7"),
        arguments: ServiceDialect.allCases,
        [MetadataKey.authenticationExpiry, .authorizationExpiry("DEMO-1"), .user("zip")]
    )
    func givesNothing_whenNobodyIsLoggedIn(dialect: ServiceDialect, key: MetadataKey) async throws {
        let (session, _) = try await FlowFixture(dialect).session()
        #expect(try await session.metadata(key) == nil)
    }

    @Test(.row("MD10", "wire protocol, 13"), arguments: ServiceDialect.allCases)
    func takesNewerValues_fromAnAuthorization(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        switch dialect {
        case .classic:
            let newer = Int(fixture.clock.now.timeIntervalSince1970) + 60
            fixture.answer(
                .authorization,
                .rewritten {
                    $0.replacing(
                        /<userMeta>.*<\/userMeta>/,
                        with: "<userMeta>{\"updated\":\(newer),\"data\":{\"householdID\":\"H1\"}}</userMeta>")
                })
        case .restV2:
            // The profile is read again when the app asks.
            fixture.answer(.outcome, .rewritten { $0.replacing("\"zip\":", with: "\"householdID\":") })
        }
        _ = try await session.authorize("DEMO-1")
        let expected: MetadataValue = dialect == .classic ? .string("H1") : .array([.string("12345")])
        #expect(try await session.metadata(.user("householdID"))?.value == expected)
        #expect(try await session.metadata(.user("zip")) == nil)
    }

    // The test is limited to the classic services, because the decisions of REST API v2 contain no metadata.
    @Test func keepsItsValues_whenAnAuthorizationBringsOlderOnes() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        let older = Int(fixture.clock.now.timeIntervalSince1970) - 60
        fixture.answer(
            .authorization,
            .rewritten {
                $0.replacing(
                    /<userMeta>.*<\/userMeta>/,
                    with: "<userMeta>{\"updated\":\(older),\"data\":{\"householdID\":\"H1\"}}</userMeta>")
            })
        _ = try await session.authorize("DEMO-1")
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")]))
        #expect(try await session.metadata(.user("householdID")) == nil)
    }

    /// The service was asked before the permission that changed what it tells, and answers afterwards.
    @Test(.row("MD10"), .timeLimit(.hanging)) func takesNewerValues_alsoWhenAnOlderQuestionStillRuns() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            guard isFirst.taken() else { return .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") } }
            await answer.pass()
            return nil
        }
        _ = await session.authenticationStatus()
        await answer.arrival()
        _ = try await session.authorize("DEMO-1")
        let values = AsyncStream<MetadataValue?>.makeStream()
        await session.begin { values.continuation.yield(try? await $0.metadata(.user("zip"))?.value) }
        answer.open()
        let value = await values.stream.first { _ in true } ?? nil
        #expect(value == .array([.string("54321")]))
    }

    // The test is limited to the classic services, because REST API v2 shares no logins between service providers.
    @Test func sharesTheMetadata_ofTheLoginItShares() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.classic)
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        #expect(try await other.metadata(.user("zip"))?.value == .array([.string("12345")]))
    }

    @Test(arguments: ServiceDialect.allCases)
    func printsNoValue(dialect: ServiceDialect) async throws {
        let metadata = Metadata(value: .string("12345"))
        #expect("\(metadata)" == "Metadata" && !String(reflecting: metadata).contains("12345"))
        let encrypted = Metadata(value: .string("2026/12/21 00:00:00 GMT +0000"), isEncrypted: true)
        #expect("\(encrypted)" == "Metadata(encrypted)" && encrypted.date == nil)
    }
}
