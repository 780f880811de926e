import TVEFlowEngine
import TVEModels
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
    let pause: WalkPause

    /// - Parameter seed: decides how long the transport and the platform take.
    init(_ dialect: ServiceDialect, _ scene: WalkScene, _ key: SandboxKey, seed: UInt64) throws {
        self.dialect = dialect
        self.scene = scene
        routes = try SandboxRoutes(world: scene.service.strict, key: key, now: { [clock] in clock.now })
        let right = clock.sessionClock
        pause = WalkPause(seed: seed)
        transport = WalkTransport(routes, right, pause)
        browserTransport = WalkTransport(routes, right, nil)
        deviceClock = SessionClock(
            now: { [clockError] in right.now() + clockError.withLock(\.self) }, uptime: right.uptime, sleep: right.sleep
        )
    }

    /// The stored logins.
    var logins: Set<String> {
        Set(
            storage.memory.keys(under: StorageKey("requestor")).map(\.rawValue).filter { $0.hasSuffix("/authn") })
    }

    /// Whether everything works: network, store, the device's clock and the service, which is as it was at first.
    var works: Bool { !transport.isFaulty && deviceWorks && routes.current.world == scene.service.strict }

    /// Whether the device can tell what is stored and valid.
    var deviceWorks: Bool { !storage.isFaulty && clockError.withLock { $0 == 0 } }

    /// What can change at the service while apps use it.
    enum ServiceChange: CaseIterable {
        case providerLeaves, providerReturns, degradationBegins, degradationEnds, registrationEnds, loginEnds, codeEnds
        /// Another device of the household acts, or its tokens end.
        case deviceIsUnlinked, serviceTokensEnd
    }

    /// Changes the service.
    func change(_ change: ServiceChange, using random: inout SeededRandom) {
        let provider = MVPDID("demo-fiber")
        let report = StateReport(routes.state)
        switch change {
        case .providerLeaves, .providerReturns:
            try? changeWorld { world in
                for index in world.requestors.indices {
                    world.requestors[index].providers.removeAll { $0 == provider }
                    if change == .providerReturns { world.requestors[index].providers.append(provider) }
                }
            }
        case .degradationBegins, .degradationEnds:
            let degradation: SandboxWorld.Provider.Degradation? =
                change == .degradationEnds ? nil : random.next() % 2 == 0 ? .authorizeAll : .authorizeNone
            try? changeWorld { world in
                for index in world.providers.indices where world.providers[index].id == provider {
                    world.providers[index].degradation = degradation
                }
            }
        case .registrationEnds: for client in report.clients { _ = routes.state.revokeClient(client) }
        case .loginEnds: for login in report.logins { _ = routes.state.endLogin(login.id) }
        case .codeEnds: for code in report.codes { _ = routes.state.cancelCode(code.code) }
        case .deviceIsUnlinked, .serviceTokensEnd:
            for household in HouseholdReport(routes.state).households {
                if change == .serviceTokensEnd { _ = routes.state.endTokens(ofHousehold: household.id) }
                for device in household.devices where change == .deviceIsUnlinked {
                    _ = routes.state.unlink(device.id, fromHousehold: household.id)
                }
            }
        }
    }

    private func changeWorld(_ change: (inout SandboxWorld) -> Void) throws {
        try routes.current.change(change)
    }

    /// - Parameter error: seconds by which it is ahead of the right time.
    func setDeviceClock(_ error: TimeInterval) {
        clockError.withLock { $0 = error }
    }
}
