import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport

/// The viewer of the demos, who chooses Demo Cable and logs in there.
struct DemoViewer: AuthenticationPresenter {
    /// The transport of the viewer's browser.
    let transport: any HTTPTransport

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        var browser = HeadlessBrowser(transport: transport)
        let viewer = HeadlessBrowser.Viewer.logsIn(name: "viewer", password: "secret")
        guard case .redirect(let end) = await browser.open(page.url, endingAt: page.redirectURL, as: viewer) else {
            return nil
        }
        return end
    }

    func presentLogout(_ page: BrowserPage) async {}
}
