import FlyingFox
import Foundation
import TVESandbox

/// The style sheets and scripts of the console's pages.
///
/// The scripts are JavaScript modules: `console.js` is the entry point, and imports the modules of the views.
enum ConsoleAssets {
    static let styles = String(decoding: PackageResources.console_css, as: UTF8.self)

    static func response(_ name: String) -> HTTPResponse {
        if let script = scripts[name] { return .text(script, type: "text/javascript;charset=UTF-8") }
        return switch name {
        case "console.css": .text(styles, type: "text/css;charset=UTF-8")
        case "conformance.css": .text(ConformanceRows.css, type: "text/css;charset=UTF-8")
        case "sequence.css": .text(SequenceDiagram.css, type: "text/css;charset=UTF-8")
        default: .status(404)
        }
    }

    private static let scripts = [
        "console.js": PackageResources.console_js, "changes.js": PackageResources.changes_js,
        "conformance.js": PackageResources.conformance_js, "connection.js": PackageResources.connection_js,
        "exchanges.js": PackageResources.exchanges_js, "exports.js": PackageResources.exports_js,
        "keyboard.js": PackageResources.keyboard_js, "notes.js": PackageResources.notes_js,
        "page.js": PackageResources.page_js,
        "stream.js": PackageResources.stream_js, "worker.js": PackageResources.worker_js,
        "text.js": PackageResources.text_js, "world.js": PackageResources.world_js,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
}
