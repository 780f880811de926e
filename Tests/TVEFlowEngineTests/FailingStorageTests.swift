import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import Testing

/// A storage that a test breaks and mends.
private struct BreakableStorage: StorageBackend {
    let next = MemoryStorage()
    let broken = Guarded<(reads: Bool, writes: Bool)>((false, false))

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        if broken.withLock(\.reads) { throw .cannotRead(errno: 5) }
        return next.value(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        if broken.withLock(\.reads) { throw .cannotRead(errno: 5) }
        return next.keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        if broken.withLock(\.writes) { throw .cannotWrite(errno: 28) }
        try next.update(body)
    }
}

@Suite(.serialized)
struct FailingStorageTests {
    @Test(arguments: ServiceDialect.allCases)
    func loseNothing_andSayWhy_whenTheStorageFails(
        dialect: ServiceDialect
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = BreakableStorage()
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        let kept = Set(storage.next.keys(under: .everything).map(\.rawValue))
        let failed = TVEError(.storageFailed)

        for (reads, writes) in [(true, true), (false, true)] {
            storage.broken.withLock { $0 = (reads, writes) }
            _ = log.take()
            if reads {
                #expect(await session.authenticationStatus() == .notAuthenticated(failed))
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
        storage.broken.withLock { $0 = (false, false) }
        #expect(Set(storage.next.keys(under: .everything).map(\.rawValue)) == kept)
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("The login is gone.")
            return
        }
        _ = try await session.authorize("DEMO-1")
    }
}
