import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The style sheets and scripts of the console's pages.
///
/// The scripts are JavaScript modules: `console.js` is the entry point, and imports the modules of the views.
enum ConsoleAssets {
    static let styles = EmbeddedFile.text("console.css")

    static func response(_ name: String) -> HTTPResponse {
        let types = [".css": "text/css;charset=UTF-8", ".js": "text/javascript;charset=UTF-8"]
        guard let type = types.first(where: { name.hasByteSuffix($0.key) })?.value,
            let text = EmbeddedFile.text(ifListed: name)
        else { return .status(404) }
        return .text(text, type: type)
    }
}
