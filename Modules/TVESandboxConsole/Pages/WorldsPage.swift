import Foundation
import TVEModels
import TVESandbox

/// A page on which a tester reads and changes the sandbox's world.
enum WorldsPage {
    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let (world, version) = routes.current.versioned
        let inUse = SandboxWorld.Ready.inUse(world)
        let ready = SandboxWorld.ready.map {
            let use =
                $0.name == inUse?.ready.name
                ? "<p><strong class=\"good\">In use\(inUse?.difference ?? "")</strong></p>" : ""
            return """
                <form class="card" data-api="POST /console/api/worlds/\($0.name)" data-if-match data-undo="world" data-done="\($0.title): applied."><h3>\($0.title)</h3><p>\($0.about)</p>
                \(use)<button aria-label="Use this world: \($0.title)">Use this world</button></form>
                """
        }
        let name = inUse.map { "\($0.ready.title)\($0.difference)" } ?? "a world of your own"
        return ConsolePage(
            view: .worlds, title: "Worlds",
            content: """
                \(SnapshotsSection.html(routes))
                <section aria-labelledby="ready"><h2 id="ready">Ready worlds</h2><div class="cards">\(ready.joined(separator: "\n"))</div></section>
                <section aria-labelledby="present"><h2 id="present">The current world: \(name)</h2>
                <form id="world-form" data-version="\(version)">
                <p id="world-note" class="fault-line" hidden></p>
                <label for="world">JSON, as <code>tve sandbox --world</code> reads it</label>
                <textarea id="world" name="world" rows="28" spellcheck="false" autocomplete="off" aria-describedby="world-problems">\(ConsolePage.escapedLines(world.json))</textarea>
                <div id="world-problems" role="alert"></div>
                <p class="actions"><button type="button" id="world-check">Check</button> <button id="world-apply">Apply</button>
                <a class="button" href="/console/api/world" download="world.json">Save</a>
                <label class="button file">Load a file <input type="file" id="world-file" accept="application/json,.json"></label></p>
                </form>
                <p class="quiet">A world applies from the next request on; logins and codes stay.</p></section>
                """)
    }
}

extension SandboxWorld {
    /// A world that comes with the console.
    struct Ready: Sendable {
        let name: String
        let title: String
        let about: String
        let world: SandboxWorld

        /// Returns the ready world on which a world is based, and a phrase that describes the difference.
        ///
        /// - Returns: `nil` if no ready world has the same requestors and providers.
        static func inUse(_ world: SandboxWorld) -> (ready: Ready, difference: String)? {
            if let same = ready.first(where: { $0.world == world }) { return (same, "") }
            if let strict = ready.first(where: { $0.world.strict == world }) { return (strict, ", strict") }
            let alike = ready.first { $0.world.requestors == world.requestors && $0.world.providers == world.providers }
            return alike.map { ($0, ", with changes") }
        }
    }

    /// The worlds that come with the console.
    static let ready = [
        Ready(
            name: "demo", title: "Default", about: "Two requestors, two TV providers, one viewer. Everything works.",
            world: .demo),
        Ready(
            name: "every-provider", title: "Every kind of provider",
            about:
                "Form, redirect, per requestor, platform sign-on, TempPass, three kinds of degradation, unreachable.",
            world: everyProvider),
        Ready(
            name: "temp-pass-weekend", title: "A TempPass weekend",
            about: "A free pass for two days, and a promotional one for two resources, for viewers who give an "
                + "e-mail address.",
            world: tempPassWeekend),
        Ready(
            name: "bad-day", title: "Bad day at the service",
            about: "Late answers, a throttle, an unreachable provider, short logins, a clock that is two hours ahead.",
            world: badDay),
    ]

    private static let everyProvider: SandboxWorld = {
        func provider(_ id: MVPDID, named name: String, change: (inout Provider) -> Void) -> Provider {
            var provider = Provider(id: id, displayName: name, login: .form)
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
        var weekend = Provider(id: "weekend", displayName: "Free weekend", login: .none)
        weekend.temporaryAccess = .init(seconds: 172_800)
        var promotion = Provider(id: "promotion", displayName: "Two shows for your address", login: .none)
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
            Fault(.delay, amount: 1_500), Fault(.wrongClock, amount: 7_200),
            Fault(.status, amount: 503, step: "config", requests: 2),
            Fault(.cutBody, step: "configuration", requests: 1),
        ]
        return world
    }()
}
