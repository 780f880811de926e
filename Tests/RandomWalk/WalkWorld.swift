import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

/// What the apps of one device share: service, store and clock.
struct WalkWorld: Sendable {
    static let serviceURL = "http://127.0.0.1:1"

    let dialect: ServiceDialect
    let clock = ManualClock(shortWait: .seconds(3))
    let storage = MemoryStorage()
    let routes: SandboxRoutes
    let transport: WalkTransport
    /// A browser's requests never fail.
    let browserTransport: WalkTransport

    init(_ dialect: ServiceDialect, _ key: SandboxKey) throws {
        self.dialect = dialect
        routes = try SandboxRoutes(world: .demo, key: key, now: { [clock] in clock.now })
        transport = WalkTransport(routes, clock.sessionClock)
        browserTransport = WalkTransport(routes, clock.sessionClock)
    }

    /// Whether a login of a requestor is stored.
    func hasLogin(of requestor: String?) -> Bool {
        storage.keys(under: StorageKey("requestor", requestor ?? "")).contains { $0.rawValue.hasSuffix("/authn") }
    }

    /// Whether a login is stored.
    var hasLogin: Bool {
        storage.keys(under: StorageKey("requestor")).contains { $0.rawValue.hasSuffix("/authn") }
    }
}
