import Foundation
import HTTPTypes
import TVEFlowEngine
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
    /// The device's clock, whose time of day can be wrong.
    let deviceClock: SessionClock
    private let clockError = Guarded<TimeInterval>(0)
    let storage = FailingStorage()
    let routes: SandboxRoutes
    let transport: WalkTransport
    /// A browser's requests never fail.
    let browserTransport: WalkTransport

    init(_ dialect: ServiceDialect, _ key: SandboxKey) throws {
        self.dialect = dialect
        routes = try SandboxRoutes(world: .demo.strict, key: key, now: { [clock] in clock.now })
        let right = clock.sessionClock
        transport = WalkTransport(routes, right)
        browserTransport = WalkTransport(routes, right)
        deviceClock = SessionClock(
            now: { [clockError] in right.now() + clockError.withLock(\.self) }, uptime: right.uptime, sleep: right.sleep
        )
    }

    /// Whether a login is stored.
    var hasLogin: Bool {
        storage.memory.keys(under: StorageKey("requestor")).contains { $0.rawValue.hasSuffix("/authn") }
    }

    /// Sets the device's time of day.
    ///
    /// - Parameter error: seconds by which it is ahead of the right time.
    func setDeviceClock(_ error: TimeInterval) {
        clockError.withLock { $0 = error }
    }
}
