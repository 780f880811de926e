import TVEFlowEngine
import TVEModels
import TVETestTraits

/// A viewer who logs in at the page when the test says so.
struct ViewerWhoLogsInLate: AuthenticationPresenter {
    let page = Gate()
    /// The number of times that the page was to be shown again.
    let timesShownAgain = Guarded(0)
    private let viewer = ViewerWhoLogsIn()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        await viewer.chooseProvider(among: providers)
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        await self.page.pass()
        return await viewer.presentLogin(page)
    }

    func presentLogout(_ page: BrowserPage) async { await viewer.presentLogout(page) }
    func showAgain() async { timesShownAgain.withLock { $0 += 1 } }
}
