import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// A device to which a backup was restored has the sealed store, and not the key in the keychain.
@Suite(.fewAtATime)
struct LostSealingKeyTests {
    @Test(arguments: ServiceDialect.allCases, [IntegrityMode.none, .all, .repair])
    func theLoginIsGone_andANewOneWorks(dialect: ServiceDialect, check: IntegrityMode) async throws {
        let fixture = try await FlowFixture(dialect)
        let preferences = MemoryStorage()
        let keychain = MemoryStorage()
        func device() async throws -> EntitlementSession {
            try await fixture.session {
                $0.storage = SealedStorage(preferences, keyIn: keychain)
                $0.housekeeping.integrityCheck = check
            }.0
        }
        let first = try await device()
        try await first.authenticate(using: ViewerWhoLogsIn())
        _ = try await first.authorize("DEMO-1")
        await first.end()
        #expect(await (try device()).isLoggedIn)

        try keychain.removeEverything()
        let second = try await device()
        #expect(await !second.isLoggedIn)
        try await second.authenticate(using: ViewerWhoLogsIn())
        _ = try await second.authorize("DEMO-1")
        await second.end()
        #expect(await (try device()).isLoggedIn)
    }
}
