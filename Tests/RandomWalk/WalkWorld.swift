import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

/// What the apps of one device share: service, store, clock and account at the platform.
struct WalkWorld: Sendable {
    static let serviceURL = "http://127.0.0.1:1"

    let dialect: ServiceDialect
    let scene: WalkScene
    let clock = ManualClock(shortWait: .seconds(3))
    /// The device's clock, whose time of day can be wrong.
    let deviceClock: SessionClock
    private let clockError = Guarded<TimeInterval>(0)
    let storage = FailingStorage()
    let routes: SandboxRoutes
    let transport: WalkTransport
    /// A browser's requests never fail.
    let browserTransport: WalkTransport
    let account = WalkPlatform.Account()

    init(_ dialect: ServiceDialect, _ scene: WalkScene, _ key: SandboxKey) throws {
        self.dialect = dialect
        self.scene = scene
        routes = try SandboxRoutes(world: scene.service.strict, key: key, now: { [clock] in clock.now })
        let right = clock.sessionClock
        transport = WalkTransport(routes, right)
        browserTransport = WalkTransport(routes, right)
        deviceClock = SessionClock(
            now: { [clockError] in right.now() + clockError.withLock(\.self) }, uptime: right.uptime, sleep: right.sleep
        )
    }

    /// The stored logins.
    var logins: Set<String> {
        Set(
            storage.memory.keys(under: StorageKey("requestor")).map(\.rawValue).filter { $0.hasSuffix("/authn") })
    }

    /// Whether everything works: network, store and the device's clock.
    var works: Bool { !transport.isFaulty && !storage.isFaulty && clockError.withLock { $0 == 0 } }

    /// - Parameter error: seconds by which it is ahead of the right time.
    func setDeviceClock(_ error: TimeInterval) {
        clockError.withLock { $0 = error }
    }
}
