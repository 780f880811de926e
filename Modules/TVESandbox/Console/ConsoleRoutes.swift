import FlyingFox
import Foundation

/// The console's pages, its files and its API.
struct ConsoleRoutes {
    let router: SandboxRouter

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = request.path.dropFirst()
        if path.first == "api" { return await ConsoleAPI(router: router).answer(request) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return await SandboxReply(HTTPResponse.notAllowed(["GET", "HEAD"]).guarded)
        }
        return await SandboxReply(page(request, Array(path)))
    }

    private func page(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        switch (path.first, path.count) {
        case (nil, _): return ExchangesPage.page(router, request).response(router)
        case ("assets", 2): return ConsoleAssets.response(path[1]).guarded
        case ("openapi.json", 1): return .text(ConsoleAssets.openAPI, type: "application/json;charset=UTF-8").guarded
        case ("exchanges", 2):
            guard let exchange = Int(path[1]).flatMap(router.log.exchange) else {
                return notFound("This exchange is not kept any more.")
            }
            if request.query["fragment"] == "1" {
                return .html(ExchangePage.content(exchange, request)).guarded
            }
            return ExchangePage.page(exchange, request).response(router)
        case ("sequence", 1): return SequencePage.page(router, request).response(router)
        case ("devices", 1): return DevicesPage.page(router).response(router)
        case ("knobs", 1): return KnobsPage.page(router).response(router)
        case ("worlds", 1): return WorldsPage.page(router).response(router)
        case ("accounts", 1): return AccountsPage.page(router, request).response(router)
        default: return notFound("There is no such page.")
        }
    }

    private func notFound(_ text: String) -> HTTPResponse {
        ConsolePage(
            view: .exchanges, title: "Not found", content: "<p>\(text)</p><p><a href=\"/\">All exchanges</a></p>"
        )
        .response(router, status: 404)
    }
}
