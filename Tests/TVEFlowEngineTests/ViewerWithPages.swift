import TVEFlowEngine
import TVEModels

/// A viewer who logs in, and whose pages a test can read.
struct ViewerWithPages: AuthenticationPresenter {
    private let viewer: ViewerWhoLogsIn
    private let shownLogins = Guarded<[BrowserPage]>([])
    private let shownLogouts = Guarded<[BrowserPage]>([])

    init(choice: MVPDID = "demo-cable") {
        viewer = ViewerWhoLogsIn(choice: choice)
    }

    /// The login pages, in order.
    var logins: [BrowserPage] { shownLogins.withLock(\.self) }

    /// The logout pages, in order.
    var logouts: [BrowserPage] { shownLogouts.withLock(\.self) }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        await viewer.chooseProvider(among: providers)
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        shownLogins.withLock { $0.append(page) }
        return await viewer.presentLogin(page)
    }

    func presentLogout(_ page: BrowserPage) async {
        shownLogouts.withLock { $0.append(page) }
        await viewer.presentLogout(page)
    }
}
