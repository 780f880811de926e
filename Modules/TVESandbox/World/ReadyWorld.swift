import TVEModels

/// A sample world that comes with the sandbox, for testers who do not write a world of their own.
package struct ReadyWorld: Sendable {
    /// The name in the paths of the console's API.
    package let name: String
    /// The title for people.
    package let title: String
    /// A sentence about what the world shows.
    package let about: String
    package let world: SandboxWorld

    /// The ready worlds, the default one first.
    package static let all = [
        ReadyWorld(
            name: "demo", title: "Default", about: "Two requestors, two TV providers, one viewer. Everything works.",
            world: .demo),
        ReadyWorld(
            name: "every-provider", title: "Every kind of provider",
            about:
                "Form, redirect, per requestor, platform sign-on, TempPass, three kinds of degradation, unreachable.",
            world: everyProvider),
        ReadyWorld(
            name: "temp-pass-weekend", title: "A TempPass weekend",
            about: "A free pass for two days, and a promotional one for two resources, for viewers who give an "
                + "e-mail address.",
            world: tempPassWeekend),
        ReadyWorld(
            name: "bad-day", title: "Bad day at the service",
            about: "Late answers, a throttle, an unreachable provider, short logins, a clock that is two hours ahead.",
            world: badDay),
    ]

    /// Returns the ready world with a name; `nil` when there is none.
    package static func named(_ name: String) -> ReadyWorld? { all.first { $0.name == name } }

    /// Returns the ready world on which a world is based, and a phrase that describes the difference.
    ///
    /// - Returns: `nil` when no ready world has the same requestors and providers.
    package static func base(of world: SandboxWorld) -> (ready: ReadyWorld, difference: String)? {
        if let same = all.first(where: { $0.world == world }) { return (same, "") }
        if let strict = all.first(where: { $0.world.strict == world }) { return (strict, ", strict") }
        let alike = all.first { $0.world.requestors == world.requestors && $0.world.providers == world.providers }
        return alike.map { ($0, ", with changes") }
    }

    private static let everyProvider: SandboxWorld = {
        func provider(
            _ id: MVPDID, named name: String, change: (inout SandboxWorld.Provider) -> Void
        ) -> SandboxWorld.Provider {
            var provider = SandboxWorld.Provider(id: id, displayName: name, login: .form)
            change(&provider)
            return provider
        }
        let providers = [
            provider("cable", named: "Cable (form)") { _ in },
            provider("fiber", named: "Fiber (redirect)") { $0.login = .redirect },
            provider("alone", named: "Alone (one requestor each)") { $0.authenticatesPerRequestor = true },
            provider("not-passive", named: "Loud (no silent login)") { $0.allowsPassiveAuthentication = false },
            provider("safari", named: "Safari only") { $0.usesSafari = true },
            provider("platform", named: "Platform sign-on") { $0.platformID = "platform" },
            provider("picker", named: "In the platform's picker") {
                $0.platformID = "picker"
                $0.boardingStatus = "PICKER"
            },
            provider("temp-pass", named: "Temporary pass") { $0.login = .none },
            provider("promotion", named: "Promotional pass") {
                $0.login = .none
                $0.temporaryAccess = .init(seconds: 3_600, identityKey: "email", resourceLimit: 2)
            },
            provider("everybody", named: "Degraded: every viewer is in") { $0.degradation = .authenticateAll },
            provider("everything", named: "Degraded: everything is allowed") { $0.degradation = .authorizeAll },
            provider("nothing", named: "Degraded: nothing is allowed") { $0.degradation = .authorizeNone },
            provider("unreachable", named: "Unreachable") { $0.isUnreachable = true },
            provider("strict", named: "Strict (no more after three denials)") { $0.denialsBeforeRefusal = 3 },
            provider("line-up", named: "Line-up in the token") { $0.putsLineUpIntoToken = true },
        ]
        var world = SandboxWorld.demo
        world.providers = providers
        for index in world.requestors.indices { world.requestors[index].providers = providers.map(\.id) }
        return world
    }()

    private static let tempPassWeekend: SandboxWorld = {
        var world = SandboxWorld.demo
        var weekend = SandboxWorld.Provider(id: "weekend", displayName: "Free weekend", login: .none)
        weekend.temporaryAccess = .init(seconds: 172_800)
        var promotion = SandboxWorld.Provider(id: "promotion", displayName: "Two shows for your address", login: .none)
        promotion.temporaryAccess = .init(seconds: 172_800, identityKey: "email", resourceLimit: 2)
        world.providers += [weekend, promotion]
        for index in world.requestors.indices { world.requestors[index].providers += ["weekend", "promotion"] }
        return world
    }()

    private static let badDay: SandboxWorld = {
        var world = SandboxWorld.demo
        world.behavior.isThrottled = true
        world.behavior.authenticationLifetime = 600
        world.behavior.authorizationLifetime = 60
        world.behavior.denialStatus = 403
        world.providers[1].isUnreachable = true
        world.faults = [
            .init(.delay, amount: 1_500), .init(.wrongClock, amount: 7_200),
            .init(.status, amount: 503, step: "config", requests: 2),
            .init(.cutBody, step: "configuration", requests: 1),
        ]
        return world
    }()
}
