import FlyingFox
import Foundation
import TVEModels

/// A page of the console around some content, with landmarks for navigation.
///
/// Every value in the content is escaped where it is inserted.
struct ConsolePage {
    /// The views, in the order of the menu.
    enum View: String, CaseIterable {
        case exchanges, sequence, devices, knobs, worlds, accounts

        var title: String {
            switch self {
            case .exchanges: "Exchanges"
            case .sequence: "Sequence"
            case .devices: "Devices"
            case .knobs: "Knobs"
            case .worlds: "Worlds"
            case .accounts: "Accounts"
            }
        }

        var path: String { self == .exchanges ? "/" : "/console/\(rawValue)" }
    }

    let view: View
    let title: String
    let content: String

    func response(_ router: SandboxRouter, status: Int = 200) -> HTTPResponse {
        let now = router.state.now.milliseconds
        return HTTPResponse.html(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="sandbox-token" content="\(router.gate.token)">
            <meta name="sandbox-now" content="\(now)">
            <title>\(title.escapedForXML) – TV Everywhere sandbox</title>
            <link rel="stylesheet" href="/console/assets/console.css">
            <link rel="stylesheet" href="/console/assets/sequence.css">
            <link rel="icon" href="data:,">
            <script src="/console/assets/console.js" defer></script>
            </head>
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header>
            <p class="brand">TV Everywhere sandbox</p>
            <nav aria-label="Views"><ul>
            \(menu(faults: router.board.world.faults.count))
            </ul></nav>
            </header>
            <main id="main" tabindex="-1">
            <h1>\(title.escapedForXML)</h1>
            <div id="content">
            \(content)
            </div>
            </main>
            <p id="status" role="status" aria-live="polite"></p>
            </body>
            </html>

            """, status: status
        ).guarded
    }

    private func menu(faults: Int) -> String {
        View.allCases.map { item in
            let badge =
                item == .knobs && faults > 0
                ? " <span class=\"badge\">\(faults)<span class=\"unseen\"> on</span></span>" : ""
            let current = item == view ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(item.path)\"\(current)>\(item.title)\(badge)</a></li>"
        }.joined(separator: "\n")
    }
}
