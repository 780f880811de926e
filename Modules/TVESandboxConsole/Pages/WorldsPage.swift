import TVESandbox

/// A page on which a tester reads and changes the sandbox's world.
enum WorldsPage {
    static func page(_ routes: SandboxRoutes) -> ConsolePage {
        let (world, version) = routes.current.versioned
        let inUse = ReadyWorld.base(of: world)
        let ready = ReadyWorld.all.map {
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
