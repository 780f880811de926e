import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// A page of the console: the frame with its landmarks for navigation, around the content of a view.
///
/// The code that creates the content escapes every value that it inserts.
struct ConsolePage {
    /// The views, in the order of the menu.
    enum View: String, CaseIterable {
        case exchanges, lanes, sequence, conformance, devices, households, faults, worlds, accounts

        var title: String { rawValue.capitalized }
        var path: String { self == .exchanges ? "/" : "/console/\(rawValue)" }

        /// The versions in the event stream (`EventFeed`) whose growth makes the page reload its content.
        var watches: String {
            switch self {
            // The script of this view updates the list by itself, so that the list does not move while it is read.
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
    /// The target of the page's first link, which skips the menu, and the name of the target for the reader.
    var skipsTo = (place: "main", name: "content")

    /// The versions of the data that a page shows, as the event stream numbers them.
    struct Versions {
        let exchanges, changes, world: Int

        init(_ routes: SandboxRoutes) {
            let revision = routes.log.revision
            exchanges = revision.exchanges
            changes = revision.changes
            world = routes.current.versioned.version
        }
    }

    /// Returns the page as an HTTP response.
    ///
    /// - Parameters:
    ///   - routes: the sandbox's routes.
    ///   - seen: the versions of the data from before the content was created; `nil` selects the current ones.
    ///   - status: the HTTP status.
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
    /// Returns a section with a heading and a table, or with a sentence in place of an empty table.
    ///
    /// - Parameters:
    ///   - title: the heading.
    ///   - none: the sentence that is shown if there are no rows.
    ///   - columns: the titles of the columns.
    ///   - rows: the cells of each row, as HTML.
    ///   - id: the section's id, to which links can lead.
    ///   - below: the HTML that follows the table.
    static func table(
        _ title: String, ifEmpty none: String, columns: [String], rows: [[String]], id: String? = nil,
        below: String = ""
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

    /// Returns a menu with its label.
    ///
    /// - Parameters:
    ///   - label: the label.
    ///   - name: the name of the form's field.
    ///   - any: the title of the option that stands for all values, or `nil` if the user must choose a value.
    ///   - options: the value and the title of each option.
    ///   - chosen: the value that is selected at first. A value from an address that is no option is shown as one.
    static func select(
        _ label: String, name: String, any: String? = nil, options: [(String, String)], chosen: String = ""
    ) -> String {
        let first = any.map { "<option value=\"\">\($0)</option>" } ?? ""
        let isOption = chosen.isEmpty || options.contains { $0.0.isSameBytes(as: chosen) }
        let items = (isOption ? options : options + [(chosen, chosen)]).map { value, title in
            let selected = value.isSameBytes(as: chosen) ? " selected" : ""
            return "<option value=\"\(value.escapedForXML)\"\(selected)>\(title.escapedForXML)</option>"
        }
        return "<label>\(label) <select name=\"\(name)\">\(first)\(items.joined())</select></label>"
    }

    static func code(_ text: String) -> String { "<code>\(text.escapedForXML)</code>" }

    /// Returns a text escaped for HTML with its line breaks, which elements such as `pre` show.
    static func escapedLines(_ text: String) -> String {
        text.parts(separatedBy: "\n").map { String($0).escapedForXML }
            .joined(separator: "\n")
    }
}

extension SandboxWorld {
    /// The channels of the world, as options of a menu.
    var channelChoices: [(String, String)] { Set(requestors.flatMap(\.channels)).sorted().map { ($0, $0) } }
    /// The TV providers of the world, as options of a menu.
    var providerChoices: [(String, String)] { providers.map { ($0.id.text, $0.displayName) } }
    /// The rules by which a degraded TV provider decides, as options of a menu.
    static let degradationChoices: [(String, String)] = [
        (Provider.Degradation.authenticateAll.rawValue, "Every viewer counts as logged in"),
        (Provider.Degradation.authorizeAll.rawValue, "Everything counts as authorized"),
        (Provider.Degradation.authorizeNone.rawValue, "Everything counts as denied"),
    ]
}
