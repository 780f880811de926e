import FlyingFox
import Foundation
import TVEModels
public import TVESandbox

extension SandboxPages {
    /// The web console of a sandbox.
    ///
    /// The console shows exchanges as they happen and the logins of each device. With it, a tester turns on faults and
    /// edits worlds.
    public static var console: SandboxPages {
        // Each sandbox has its own search index.
        let index = SearchIndex()
        return SandboxPages { request, routes in await ConsoleRoutes(routes: routes, index: index).answer(request) }
    }
}

/// The console's pages, its files and its API.
struct ConsoleRoutes {
    let routes: SandboxRoutes
    let index: SearchIndex
    /// The versions of the data, read before a page is created so that the page reloads what changes in the meantime.
    private let seen: ConsolePage.Versions

    init(routes: SandboxRoutes, index: SearchIndex) {
        self.routes = routes
        self.index = index
        seen = ConsolePage.Versions(routes)
    }

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = request.path.dropFirst()
        if path.first == "api" { return await ConsoleAPI(routes: routes, index: index).answer(request) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return await SandboxReply(HTTPResponse.notAllowed(["GET", "HEAD"]).guarded)
        }
        return await SandboxReply(page(request, Array(path)))
    }

    private func page(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        let isFragment = request.query["fragment"] == "1"
        let page: ConsolePage
        switch (path.first, path.count) {
        case (nil, _):
            let exchanges = ExchangesPage(routes, request: request, index: index)
            if isFragment { return .html(exchanges.list).guarded }
            page = exchanges.page
        case ("assets", 2): return ConsoleAssets.response(path[1]).guarded
        case ("openapi.json", 1): return .json(ConsoleAPI.openAPI).guarded
        case ("exchanges", 2):
            let all = routes.log.all
            guard let exchange = Int(path[1]).flatMap({ id in all.last { $0.id == id } }) else {
                return notFound("There is no exchange with this number, or it is no longer stored.")
            }
            if isFragment { return .html(ExchangePage.content(exchange, request)).guarded }
            page = ExchangePage.page(exchange, in: all, request)
        case ("compare", 1):
            guard let both = ComparePage.page(routes, request) else {
                return notFound("One of the two does not exist, or is no longer stored.")
            }
            page = both
        case ("lanes", 1): page = LanesPage.page(routes)
        case ("sequence", 1): page = SequencePage.page(routes, request)
        case ("conformance", 1): page = ConformanceView.page(routes, request)
        case ("devices", 1): page = DevicesPage.page(routes, request)
        case ("households", 1): page = HouseholdsPage.page(routes)
        case ("faults", 1): page = FaultsPage.page(routes)
        case ("worlds", 1): page = WorldsPage.page(routes)
        case ("accounts", 1): page = AccountsPage.page(routes, request)
        default: return notFound("There is no such page.")
        }
        return page.response(routes, seen: seen)
    }

    private func notFound(_ text: String) -> HTTPResponse {
        ConsolePage(
            view: .exchanges, title: "Not found", content: "<p>\(text)</p><p><a href=\"/\">All exchanges</a></p>"
        )
        .response(routes, status: 404)
    }
}
