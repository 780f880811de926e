import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVETestSupport

extension ScriptedPlatform {
    /// Makes a session on a device whose system has such a platform.
    static func session(
        _ dialect: ServiceDialect, _ script: Script, world: SandboxWorld = .withPlatform(), started: Bool = true
    ) async throws -> (fixture: FlowFixture, platform: ScriptedPlatform, session: EntitlementSession, log: EventLog) {
        let fixture = try await FlowFixture(dialect, world: world)
        let platform = ScriptedPlatform(script)
        let (session, log) = try await fixture.session(started: started) { $0.platform = platform }
        return (fixture, platform, session, log)
    }
}

extension ScriptedPlatform.Script {
    init(failing failure: PlatformSignOnError) {
        self.init()
        self.failure = failure
    }
}
