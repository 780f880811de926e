import FlyingFox
import Foundation
public import TVESandbox

extension SandboxPages {
    /// The web console: exchanges as they happen, logins by device, faults to turn on, worlds to edit.
    public static let console = SandboxPages { request, routes in await ConsoleRoutes(routes: routes).answer(request) }
}

/// The console's pages, its files and its API.
struct ConsoleRoutes {
    let routes: SandboxRoutes

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = request.path.dropFirst()
        if path.first == "api" { return await ConsoleAPI(routes: routes).answer(request) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return await SandboxReply(HTTPResponse.notAllowed(["GET", "HEAD"]).guarded)
        }
        return await SandboxReply(page(request, Array(path)))
    }

    private func page(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        switch (path.first, path.count) {
        case (nil, _): return ExchangesPage.page(routes, request).response(routes)
        case ("assets", 2): return Self.asset(path[1]).guarded
        case ("openapi.json", 1): return .text(Self.openAPI, type: "application/json;charset=UTF-8").guarded
        case ("exchanges", 2):
            guard let exchange = Int(path[1]).flatMap(routes.log.exchange) else {
                return notFound("This exchange is no longer stored.")
            }
            if request.query["fragment"] == "1" {
                return .html(ExchangePage.content(exchange, request)).guarded
            }
            return ExchangePage.page(exchange, request).response(routes)
        case ("sequence", 1): return SequencePage.page(routes, request).response(routes)
        case ("conformance", 1): return ConformanceView.page(routes, request).response(routes)
        case ("devices", 1): return DevicesPage.page(routes).response(routes)
        case ("faults", 1): return FaultsPage.page(routes).response(routes)
        case ("worlds", 1): return WorldsPage.page(routes).response(routes)
        case ("accounts", 1): return AccountsPage.page(routes, request).response(routes)
        default: return notFound("There is no such page.")
        }
    }

    private func notFound(_ text: String) -> HTTPResponse {
        ConsolePage(
            view: .exchanges, title: "Not found", content: "<p>\(text)</p><p><a href=\"/\">All exchanges</a></p>"
        )
        .response(routes, status: 404)
    }

    // MARK: - Files

    private static func asset(_ name: String) -> HTTPResponse {
        switch name {
        case "console.css": .text(styles, type: "text/css;charset=UTF-8")
        case "sequence.css": .text(SequenceDiagram.css, type: "text/css;charset=UTF-8")
        case "conformance.css": .text(ConformanceRows.css, type: "text/css;charset=UTF-8")
        case "conformance.js": .text(conformanceScript, type: "text/javascript;charset=UTF-8")
        case "console.js": .text(script, type: "text/javascript;charset=UTF-8")
        default: .status(404)
        }
    }

    private static let openAPI = String(decoding: PackageResources.ConsoleAPI_json, as: UTF8.self)
    private static let styles = String(decoding: PackageResources.console_css, as: UTF8.self)
    private static let conformanceScript = String(decoding: PackageResources.conformance_js, as: UTF8.self)
    private static let script = String(decoding: PackageResources.console_js, as: UTF8.self)
}
