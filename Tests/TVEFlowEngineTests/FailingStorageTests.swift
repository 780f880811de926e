import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TestTraits
import Testing

@Suite(.fewAtATime)
struct FailingStorageTests {
    @Test(arguments: ServiceDialect.allCases)
    func loseNothing_andSayWhy_whenTheStorageFails(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        let kept = Set(storage.memory.keys(under: .everything).map(\.rawValue))
        let failed = TVEError(.storageFailed)

        for fault in FailingStorage.Fault.allCases {
            storage.fail(fault)
            _ = log.take()
            if fault == .reading {
                #expect(await session.authenticationStatus() == .unknown(failed))
                await #expect(throws: failed) { try await session.preauthorize(["DEMO-1"]) }
                await #expect(throws: failed) { try await session.metadata(.user("zip")) }
                await #expect(throws: failed) { try await session.selectedProvider() }
            }
            await #expect(throws: failed) { try await session.authorize("DEMO-2") }
            await #expect(throws: failed) { try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true) }
            await #expect(throws: failed) { try await session.selectProvider("demo-fiber") }
            await #expect(throws: failed) { try await session.logout() }
            #expect(log.take().contains("500"))
        }
        storage.fail(nil)
        #expect(Set(storage.memory.keys(under: .everything).map(\.rawValue)) == kept)
        #expect(await session.isLoggedIn, "The login is gone.")
        _ = try await session.authorize("DEMO-1")
    }
}
