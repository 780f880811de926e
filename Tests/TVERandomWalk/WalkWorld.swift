import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

/// The environment that the apps of one device share: the service, the store, the clock and the platform account.
struct WalkWorld: Sendable {
    static let serviceURL = "http://127.0.0.1:1"

    let dialect: ServiceDialect
    let scene: WalkScene
    let clock = ManualClock(shortWait: .seconds(3))
    /// The clock of the device, whose time of day can be wrong.
    let deviceClock: SessionClock
    private let clockError = Guarded<TimeInterval>(0)
    let storage = FailingStorage()
    let routes: SandboxRoutes
    let transport: WalkTransport
    /// The transport of browsers, whose requests never fail.
    let browserTransport: WalkTransport
    let account = WalkPlatform.Account()
    let pause: WalkPause

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the service.
    ///   - scene: the properties of the device, its app and the service.
    ///   - key: the key with which the service signs.
    ///   - seed: the seed for the durations of the transport and the platform.
    init(_ dialect: ServiceDialect, scene: WalkScene, key: SandboxKey, seed: UInt64) throws {
        self.dialect = dialect
        self.scene = scene
        routes = try SandboxRoutes(world: scene.service.strict, key: key, now: { [clock] in clock.now })
        let right = clock.sessionClock
        pause = WalkPause(seed: seed)
        transport = WalkTransport(routes, clock: right, pause: pause)
        browserTransport = WalkTransport(routes, clock: right, pause: nil)
        deviceClock = SessionClock(
            now: { [clockError] in right.now() + clockError.withLock(\.self) }, uptime: right.uptime, sleep: right.sleep
        )
    }

    /// The stored logins.
    var logins: Set<String> {
        Set(
            storage.memory.keys(under: StorageKey("requestor")).map(\.rawValue).filter { $0.hasSuffix("/authn") })
    }

    /// A Boolean value that indicates whether the network, the store, the device's clock and the unchanged service
    /// work.
    var works: Bool { !transport.isFaulty && deviceWorks && routes.current.world == scene.service.strict }

    /// A Boolean value that indicates whether the device can read its store and judge the validity of logins.
    var deviceWorks: Bool { !storage.isFaulty && clockError.withLock { $0 == 0 } }

    /// A Boolean value that indicates whether the service has a login of this device.
    var hasLoginAtService: Bool { !StateReport(routes.state).logins.isEmpty }

    /// The provider that has left for a time; an app may still have the configuration without it.
    let providerThatLeft = Guarded<String?>(nil)

    /// A change of the service while apps use it.
    enum ServiceChange: CaseIterable {
        case providerLeaves, providerReturns, degradationBegins, degradationEnds, registrationEnds, loginEnds, codeEnds
        /// Another device of the household unlinks this one, or the tokens of the household end.
        case deviceIsUnlinked, serviceTokensEnd
    }

    /// Applies a change to the service.
    func change(_ change: ServiceChange, using random: inout SeededRandom) {
        let provider = MVPDID("demo-fiber")
        let report = StateReport(routes.state)
        switch change {
        case .providerLeaves, .providerReturns:
            if change == .providerLeaves { providerThatLeft.withLock { $0 = provider.text } }
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

    /// Sets the error of the device's clock.
    ///
    /// - Parameter error: the number of seconds by which the clock is ahead of the correct time.
    func setDeviceClock(_ error: TimeInterval) {
        clockError.withLock { $0 = error }
    }
}
