import TVEModels
import TVESandbox

extension SandboxWorld {
    /// The demo world with one provider changed.
    static func demo(
        _ providerID: MVPDID = "demo-cable", _ change: (inout SandboxWorld.Provider) -> Void
    ) -> SandboxWorld {
        var world = SandboxWorld.demo
        for index in world.providers.indices where world.providers[index].id == providerID {
            change(&world.providers[index])
        }
        return world
    }

    /// The demo world with a TempPass for both requestors.
    static func withTempPass(_ access: SandboxWorld.Provider.TemporaryAccess = .init(seconds: 600)) -> SandboxWorld {
        var world = SandboxWorld.demo
        var pass = Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = access
        world.providers.append(pass)
        for index in world.requestors.indices { world.requestors[index].providers.append("TempPass") }
        return world
    }

    /// The demo world in which the platform knows Demo Cable as `apple-cable`.
    static func withPlatform(_ change: (inout SandboxWorld.Provider) -> Void = { _ in }) -> SandboxWorld {
        demo { provider in
            provider.platformID = "apple-cable"
            change(&provider)
        }
    }
}
