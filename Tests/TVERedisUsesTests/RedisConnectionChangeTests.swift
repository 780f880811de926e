#if VerificationService
import FleetFixture
import Foundation
import TVEModels
import TVERedisUses
import Testing

@Suite(.oneAtATime)
struct RedisConnectionChangeTests {
    @Test func comesAndGoes_eachReportedOnce() async throws {
        let server = try RedisServer()
        let changes = Guarded<[RedisConnectionChange]>([])
        let uses = try server.uses(
            { $0.connections = 2 }, onChange: { change in changes.withLock { $0.append(change) } })
        #expect(await uses.recovers())
        #expect(waitUntil { changes.withLock { $0 } == [.connected] })
        server.kill()
        #expect(
            waitUntil {
                guard case .lost? = changes.withLock({ $0.last }) else { return false }
                return true
            })
        try server.restart()
        #expect(waitUntil { changes.withLock { $0.last } == .connected })
        let all = changes.withLock { $0 }
        #expect(!zip(all, all.dropFirst()).contains { $0 == $1 })
    }
}
#endif
