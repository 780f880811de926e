import Foundation
import TVEModels

/// The sandbox's world, to read and to change.
enum WorldsPage {
    static func page(_ router: SandboxRouter) -> ConsolePage {
        let ready = SandboxWorld.ready.map {
            """
            <form class="card" data-api="POST /console/api/worlds/\($0.name)" data-done="\($0.title): applied."><h3>\($0.title)</h3><p>\($0.about)</p>
            <button aria-label="Use the world: \($0.title)">Use this world</button></form>
            """
        }
        return ConsolePage(
            view: .worlds, title: "Worlds",
            content: """
                <section aria-labelledby="ready"><h2 id="ready">Ready worlds</h2><div class="cards">\(ready.joined(separator: "\n"))</div></section>
                <section aria-labelledby="present"><h2 id="present">The present world</h2>
                <form id="world-form">
                <label for="world">JSON, as <code>tve sandbox --world</code> reads it</label>
                <textarea id="world" name="world" rows="28" spellcheck="false" autocomplete="off" aria-describedby="world-problems">\(ExchangePage.escaped(router.board.world.json))</textarea>
                <div id="world-problems" role="alert"></div>
                <p class="actions"><button type="button" id="world-check">Check</button> <button id="world-apply">Apply</button>
                <a class="button" href="/console/api/world" download="world.json">Save</a>
                <label class="button file">Load a file <input type="file" id="world-file" accept="application/json,.json"></label></p>
                </form>
                <p class="quiet">What is applied counts from the next request on; logins and codes stay.</p></section>
                """)
    }
}
