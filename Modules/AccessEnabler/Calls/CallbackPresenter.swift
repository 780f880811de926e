import Foundation
import TVEFlowEngine
import TVEModels

/// Presents a login by firing delegate callbacks and waiting for the app's answering call.
///
/// At most one stage waits at a time. A new stage ends the old one as if the viewer had left it. The code that removes
/// a stage also resumes it, so each is resumed once.
final class CallbackPresenter: AuthenticationPresenter {
    private enum Stage {
        case choosing(CheckedContinuation<String?, Never>)
        case atPage(BrowserPage, isLogin: Bool, CheckedContinuation<URL?, Never>)

        /// Ends the stage without a result.
        func abandon() {
            switch self {
            case .choosing(let waiting): waiting.resume(returning: nil)
            case .atPage(_, _, let waiting): waiting.resume(returning: nil)
            }
        }
    }

    private struct State {
        var stage: Stage?
        /// Tells the app about the current stage.
        var announce: (@Sendable () -> Void)?
        /// Number of the current stage, so that a late end of an earlier stage cannot end it.
        var number = 0
        /// How many numbers were used; none is used twice.
        var count = 0
    }

    private let callbacks: Callbacks
    private let automaticBrowser: (any AutomaticBrowser)?
    /// Whether the app shows Safari itself; asked before every page.
    private let appDrivesSafari: @Sendable () -> Bool
    private let state = Guarded(State())

    init(
        _ callbacks: Callbacks, automaticBrowser: (any AutomaticBrowser)?,
        appDrivesSafari: @escaping @Sendable () -> Bool
    ) {
        self.callbacks = callbacks
        self.automaticBrowser = automaticBrowser
        self.appDrivesSafari = appDrivesSafari
    }

    // MARK: - The session's side

    func chooseProvider(among providers: [TVProvider]) async -> String? {
        let mvpds = providers.map(MVPD.init)
        return await waiting {
            .choosing($0)
        } announce: {
            $0.displayProviderDialog(mvpds)
        }
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        await open(page, isLogin: true)
    }

    func presentLogout(_ page: BrowserPage) async {
        _ = await open(page, isLogin: false)
    }

    func presentPlatformDialog(_ dialog: PlatformDialog) async {
        callbacks.toDelegate { $0.presentTvProviderDialog(dialog.shown) }
    }

    func dismissPlatformDialog(_ dialog: PlatformDialog) async {
        callbacks.toDelegate { $0.dismissTvProviderDialog(dialog.shown) }
    }

    private func open(_ page: BrowserPage, isLogin: Bool) async -> URL? {
        let choice = BrowserChoice(
            needsSafari: page.needsSafari, appDrivesSafari: appDrivesSafari(), hasAutomatic: automaticBrowser != nil)
        if choice == .automatic, let automaticBrowser {
            return await open(page, isLogin: isLogin, in: automaticBrowser)
        }
        return await waiting {
            .atPage(page, isLogin: isLogin, $0)
        } announce: {
            let url = page.url.absoluteString
            if choice == .safariOfApp { $0.openSafari(at: url) } else { $0.navigate(toUrl: url) }
        }
    }

    /// The browser may catch the redirect itself, or leave it to the system, which passes it to the app.
    private func open(_ page: BrowserPage, isLogin: Bool, in browser: any AutomaticBrowser) async -> URL? {
        let number = nextNumber()
        let showing = Guarded<Task<Void, Never>?>(nil)
        defer { showing.withLock { $0?.cancel() } }
        return await waiting(number) {
            .atPage(page, isLogin: isLogin, $0)
        } begin: {
            let task = Task { [weak self] in
                let end = await browser.open(page)
                self?.end(number, at: end)
            }
            showing.withLock { $0 = task }
        }
    }

    private func waiting<Answer: Sendable>(
        _ stage: (CheckedContinuation<Answer?, Never>) -> Stage,
        announce: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void
    ) async -> Answer? {
        let number = nextNumber()
        let tell: @Sendable () -> Void = { [self] in
            callbacks.toDelegate { [self] delegate in
                // The stage may have ended before the callback runs: an app that was told of a cancel must not see the
                // cancelled login.
                guard isPresent(number) else { return }
                announce(delegate)
            }
        }
        return await waiting(number, announce: tell, stage, begin: tell)
    }

    private func isPresent(_ number: Int) -> Bool {
        state.withLock { $0.stage != nil && $0.number == number }
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    /// Waits in a stage; `begin` runs once the stage can be ended.
    private func waiting<Answer: Sendable>(
        _ number: Int, announce: (@Sendable () -> Void)? = nil,
        _ stage: (CheckedContinuation<Answer?, Never>) -> Stage, begin: () -> Void
    ) async -> Answer? {
        // Cancelled before the stage began: the app is not asked.
        if Task.isCancelled { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = stage(continuation)
                let previous = state.withLock { state in
                    defer { (state.stage, state.number, state.announce) = (next, number, announce) }
                    return state.stage
                }
                previous?.abandon()
                begin()
                // Cancelled before the stage was stored: the handler below found nothing to end.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Ends the page of an automatic browser.
    private func end(_ number: Int, at url: URL?) {
        if case .atPage(_, _, let waiting)? = take({ $0.number == number }) { waiting.resume(returning: url) }
    }

    /// Ends the waiting stage, if any, as if the viewer had left it.
    func leave() {
        take { _ in true }?.abandon()
    }

    private func leave(_ number: Int) {
        take { $0.number == number }?.abandon()
    }

    private func take(_ fits: (State) -> Bool) -> Stage? {
        state.withLock { state in
            guard fits(state) else { return nil }
            defer { (state.stage, state.announce) = (nil, nil) }
            return state.stage
        }
    }

    // MARK: - The app's side

    /// Tells the app again about the waiting stage, for an app that lost track of it (API reference, row GA9).
    ///
    /// A logout's page is not shown again: an app that wants to log in would take it for the login's.
    func showAgain() {
        let announce = state.withLock { state -> (@Sendable () -> Void)? in
            if case .atPage(_, isLogin: false, _) = state.stage { return nil }
            return state.announce
        }
        announce?()
    }

    /// Takes the URL the browser ended at, if a stage waits for it.
    ///
    /// - Returns: whether a stage waited for it.
    func redirected(to url: URL) -> Bool {
        let stage = take { state in
            if case .atPage(let page, _, _) = state.stage { page.ends(at: url) } else { false }
        }
        guard case .atPage(_, _, let waiting) = stage else { return false }
        waiting.resume(returning: url)
        return true
    }

    /// Ends the waiting page as if the browser had reached its redirect.
    func redirected() {
        let stage = take { state in
            if case .atPage = state.stage { true } else { false }
        }
        if case .atPage(let page, _, let waiting) = stage { waiting.resume(returning: page.redirectURL) }
    }
}
