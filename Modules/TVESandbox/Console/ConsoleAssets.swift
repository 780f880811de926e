import FlyingFox
import Foundation

/// The files that the console's pages load; they are stored beside this file and compiled in.
enum ConsoleAssets {
    static func response(_ name: String) -> HTTPResponse {
        switch name {
        case "console.css": .text(console, type: "text/css;charset=UTF-8")
        case "sequence.css": .text(SequenceDiagram.css, type: "text/css;charset=UTF-8")
        case "console.js": .text(script, type: "text/javascript;charset=UTF-8")
        default: .status(404)
        }
    }

    static let openAPI = String(decoding: PackageResources.ConsoleAPI_json, as: UTF8.self)
    private static let console = String(decoding: PackageResources.console_css, as: UTF8.self)
    private static let script = String(decoding: PackageResources.console_js, as: UTF8.self)
}
