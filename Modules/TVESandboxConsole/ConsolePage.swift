import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// A page of the console around some content, with landmarks for navigation.
///
/// Every value in the content is escaped where it is inserted.
struct ConsolePage {
    /// The views, in the order of the menu.
    enum View: String, CaseIterable {
        case exchanges, lanes, sequence, conformance, devices, households, faults, worlds, accounts

        var title: String { rawValue.capitalized }
        var path: String { self == .exchanges ? "/" : "/console/\(rawValue)" }

        /// The versions of the stream (`EventFeed`) with which the page's content is loaded again.
        var watches: String {
            switch self {
            // Its script keeps the list as it is read.
            case .exchanges: ""
            case .sequence: "exchanges"
            case .conformance: "exchanges world"
            case .devices, .lanes, .households: "exchanges changes world"
            case .faults, .worlds: "changes world"
            case .accounts: "world"
            }
        }
    }

    let view: View
    let title: String
    let content: String
    /// Where the first link of the page leads, past the menu.
    var skipsTo = (place: "main", name: "content")

    /// What a page shows, as the stream counts it.
    struct Versions {
        let exchanges, changes, world: Int

        init(_ routes: SandboxRoutes) {
            let revision = routes.log.revision
            (exchanges, changes) = (revision.exchanges, revision.changes)
            world = routes.current.versioned.version
        }
    }

    /// - Parameter seen: the versions before the content was made; those of now if nil.
    func response(_ routes: SandboxRoutes, seen: Versions? = nil, status: Int = 200) -> HTTPResponse {
        let seen = seen ?? Versions(routes)
        return HTTPResponse.html(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="sandbox-token" content="\(routes.gate.token)">
            <meta name="sandbox-now" content="\(routes.state.now.milliseconds)">
            <meta name="sandbox-state" content="\(seen.exchanges) \(seen.changes) \(seen.world)">
            <title>\(title.escapedForXML) – TV Everywhere sandbox</title>
            <link rel="stylesheet" href="/console/assets/console.css">
            <link rel="stylesheet" href="/console/assets/sequence.css">
            <link rel="icon" href="data:,">
            <script type="module" src="/console/assets/console.js"></script>
            </head>
            <body>
            <a class="skip" href="#\(skipsTo.place)">Skip to the \(skipsTo.name)</a>
            <div id="lost" role="alert"></div>
            <header>
            <p class="brand">TV Everywhere sandbox <span id="host"></span></p>
            <nav aria-label="Views"><ul>
            \(menu(faults: routes.current.world.faults.count))
            </ul></nav>
            <a id="holding" class="chip" href="/console/faults#held" hidden></a>
            <p id="moved" class="chip" data-moved="\(Int64(bounded: routes.clock.offset * 1000))"></p>
            </header>
            <main id="main" tabindex="-1" data-watches="\(view.watches)">
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
                item == .faults && faults > 0
                ? " <span class=\"badge\">\(faults)<span class=\"unseen\"> on</span></span>" : ""
            let current = item == view ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(item.path)\"\(current)>\(item.title)\(badge)</a></li>"
        }.joined(separator: "\n")
    }
}

// MARK: - Parts of pages

extension ConsolePage {
    /// A table below a heading, or a sentence in its place.
    ///
    /// - Parameters:
    ///   - id: the place to which links lead.
    ///   - below: what follows the table.
    static func table(
        _ title: String, _ none: String, _ columns: [String], _ rows: [[String]], id: String? = nil, below: String = ""
    ) -> String {
        let place = id.map { " id=\"\($0)\"" } ?? ""
        guard !rows.isEmpty else { return "<section\(place)><h2>\(title)</h2><p class=\"quiet\">\(none)</p></section>" }
        let heads = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let lines = rows.map { row in
            let cells = zip(columns, row).map { "<td data-label=\"\($0)\">\($1)</td>" }.joined()
            return "<tr>\(cells)</tr>"
        }
        return """
            <section\(place)><h2>\(title)</h2>
            <div class="wide"><table class="cells"><caption class="unseen">\(title)</caption><thead><tr>\(heads)</tr></thead><tbody>\(lines.joined(separator: "\n"))</tbody></table></div>\(below)</section>
            """
    }

    /// A menu with its label.
    ///
    /// - Parameters:
    ///   - any: the choice that stands for all values; nil when one must be chosen.
    ///   - isNumber: whether the values are numbers.
    static func select(
        _ label: String, _ name: String, any: String? = nil, _ values: [(String, String)], chosen: String = "",
        isNumber: Bool = false
    ) -> String {
        let first = any.map { "<option value=\"\">\($0)</option>" } ?? ""
        let options = values.map { value, title in
            "<option value=\"\(value.escapedForXML)\"\(value.isSameBytes(as: chosen) ? " selected" : "")>\(title.escapedForXML)</option>"
        }
        return
            "<label>\(label) <select name=\"\(name)\"\(isNumber ? " data-number" : "")>\(first)\(options.joined())</select></label>"
    }

    static func code(_ text: String) -> String { "<code>\(text.escapedForXML)</code>" }

    /// Escaped, with its line breaks: `pre` shows them.
    static func escapedLines(_ text: String) -> String {
        text.parts(separatedBy: "\n").map { String($0).escapedForXML }
            .joined(separator: "\n")
    }
}

extension SandboxWorld {
    /// Its channels, TV providers and rules of degradation, as choices of a menu.
    var channelChoices: [(String, String)] { Set(requestors.flatMap(\.channels)).sorted().map { ($0, $0) } }
    var providerChoices: [(String, String)] { providers.map { ($0.id.text, $0.displayName) } }
    static let degradationChoices: [(String, String)] = [
        (Provider.Degradation.authenticateAll.rawValue, "Every viewer counts as logged in"),
        (Provider.Degradation.authorizeAll.rawValue, "Everything counts as authorized"),
        (Provider.Degradation.authorizeNone.rawValue, "Everything counts as denied"),
    ]
}
