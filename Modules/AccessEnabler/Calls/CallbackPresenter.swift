import Foundation
import TVEFlowEngine
import TVEModels

/// A presenter that calls the delegate and waits for the call with which the app responds.
///
/// At most one stage waits at a time. A new stage ends the previous one as if the viewer had left it. The code that
/// removes a stage also resumes its continuation, so each is resumed exactly once.
final class CallbackPresenter: CallbackQueueingPresenter {
    private let callbacks: Callbacks
    private let automaticBrowser: (any AutomaticBrowser)?
    /// A closure that returns whether the app shows Safari itself.
    ///
    /// It is called before every page.
    private let appDrivesSafari: @Sendable () -> Bool
    private let state = Guarded(Presentation())

    init(
        _ callbacks: Callbacks, automaticBrowser: (any AutomaticBrowser)?,
        appDrivesSafari: @escaping @Sendable () -> Bool
    ) {
        self.callbacks = callbacks
        self.automaticBrowser = automaticBrowser
        self.appDrivesSafari = appDrivesSafari
    }

    // MARK: - The session's side

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        let mvpds = providers.map(MVPD.init)
        return await waiting {
            .choosing($0)
        } announce: {
            $0.displayProviderDialog(mvpds)
        }
    }

    func presentLogin(_ page: BrowserPage) async throws(PageNotOpened) -> URL? {
        try await open(page, isLogin: true)?.get()
    }

    /// Presents the page of a logout.
    ///
    /// If the browser cannot be opened, the failure is logged and the viewer is logged out nevertheless.
    func presentLogout(_ page: BrowserPage) async {
        _ = await open(page, isLogin: false)
    }

    var appShowsPage: Bool { state.withLock(\.appShowsPage) }

    /// Presents a dialog at once, because the platform waits for it.
    func presentPlatformDialog(_ dialog: PlatformDialog, under ticket: Ticket) {
        let isShown = state.withLock {
            $0.showsDialog(dialog.id, under: ticket) { [self] in presentLater(dialog, under: ticket) }
        }
        if isShown { callbacks.now { $0.presentTvProviderDialog(dialog.shown) } }
    }

    /// Presents a dialog that was held back.
    private func presentLater(_ dialog: PlatformDialog, under ticket: Ticket) {
        callbacks.toDelegate { [self] delegate in
            let isShown = state.withLock { $0.showsHeldDialog(dialog.id, under: ticket) }
            if isShown { delegate.presentTvProviderDialog(dialog.shown) }
        }
    }

    func dismissPlatformDialog(_ dialog: PlatformDialog) {
        let isShown = state.withLock { $0.dismissesDialog(dialog.id) }
        if isShown { callbacks.now { $0.dismissTvProviderDialog(dialog.shown) } }
    }

    /// Reports a registration code to the app, in the form of a status.
    func notify(code event: StatusEvent, under ticket: Ticket) {
        let number = state.withLock { $0.codeIsDue() }
        notify(code: event, number, under: ticket)
    }

    private func notify(code event: StatusEvent, _ number: Int, under ticket: Ticket) {
        callbacks.status(event) { [self] in
            state.withLock {
                $0.deliversCode(number, under: ticket) { [self] in notify(code: event, number, under: ticket) }
            }
        }
    }

    private func open(_ page: BrowserPage, isLogin: Bool) async -> Presentation.PageResult? {
        let hasAutomatic = await automaticBrowser?.canOpen(page) == true
        let choice = BrowserChoice(
            needsSafari: page.needsSafari, appDrivesSafari: appDrivesSafari(), hasAutomatic: hasAutomatic)
        if choice == .automatic, let automaticBrowser {
            return await open(page, isLogin: isLogin, in: automaticBrowser)
        }
        // A login without the viewer must not show a page in the app (row PA4).
        if isLogin, !page.mustBeSeen { return nil }
        return await waiting {
            .atPage(page, isLogin: isLogin, $0)
        } announce: {
            let url = page.url.absoluteString
            if choice == .safariOfApp { $0.openSafari(at: url) } else { $0.navigate(toUrl: url) }
        }
    }

    /// Opens a page in an automatic browser.
    ///
    /// The browser may catch the redirect itself, or leave it to the system, which passes it to the app.
    private func open(
        _ page: BrowserPage, isLogin: Bool, in browser: any AutomaticBrowser
    ) async -> Presentation.PageResult? {
        let number = state.withLock { $0.nextNumber() }
        let shown = AutomaticPage()
        defer { shown.end() }
        let openPage: Presentation.Show = {
            shown.open { [weak self] in
                let end: Presentation.PageResult?
                do throws(PageNotOpened) {
                    end = try await browser.open(page).map { .success($0) }
                } catch {
                    end = .failure(error)
                }
                self?.end(number, end)
            }
        }
        return await waiting(number) {
            .atPage(page, isLogin: isLogin, $0)
        } begin: {
            if state.withLock({ $0.shows(number, orLater: openPage) }) {
                openPage()
            } else if !page.mustBeSeen {
                // The call that ends the login waits for the start, and the start waits for this page.
                end(number, nil)
            }
        }
    }

    private func waiting<Answer: Sendable>(
        _ stage: (CheckedContinuation<Answer?, Never>) -> Presentation.Stage,
        announce: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void
    ) async -> Answer? {
        let number = state.withLock { $0.nextNumber() }
        let show: Presentation.Show = { [self] in deliver(number, announce) }
        return await waiting(number, again: show, stage, begin: show)
    }

    private func deliver(_ number: Int, _ announce: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void) {
        callbacks.toDelegate { [self] delegate in
            guard state.withLock({ $0.shows(number) { [self] in deliver(number, announce) } }) else { return }
            announce(delegate)
        }
    }

    /// Waits in a stage.
    ///
    /// The closure `begin` runs once the stage can be ended.
    private func waiting<Answer: Sendable>(
        _ number: Int, again: Presentation.Show? = nil,
        _ stage: (CheckedContinuation<Answer?, Never>) -> Presentation.Stage, begin: () -> Void
    ) async -> Answer? {
        // The task was cancelled before the stage began, so the app receives no callback.
        if Task.isCancelled { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = stage(continuation)
                state.withLock { $0.begin(next, number, again: again) }?.abandon()
                // The task was cancelled before the stage was stored, so the handler below found nothing to end.
                if Task.isCancelled { return leave(number) }
                begin()
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Ends the page of an automatic browser.
    private func end(_ number: Int, _ end: Presentation.PageResult?) {
        if case .atPage(_, _, let waiting)? = take({ $1 == number }) { waiting.resume(returning: end) }
    }

    /// Ends the waiting stage as if the viewer had left it, and prevents further stages.
    func close() {
        state.withLock { $0.close() }?.abandon()
    }

    private func leave(_ number: Int) {
        take { $1 == number }?.abandon()
    }

    private func take(_ fits: (Presentation.Stage, _ number: Int) -> Bool) -> Presentation.Stage? {
        state.withLock { $0.take(fits) }
    }

    var isWaiting: Bool { state.withLock { $0.stage != nil } }

    // MARK: - The app's side

    /// Repeats the callback of the waiting stage, for an app that lost track of it (API reference, row GA9).
    ///
    /// The page of a logout is not shown again, because an app that wants to log in would mistake it for the login's
    /// page.
    func repeatCallback() {
        let again = state.withLock { state -> Presentation.Show? in
            if case .atPage(_, isLogin: false, _) = state.stage { return nil }
            return state.again
        }
        again?()
    }

    /// Records that the app has made a call that ends logins.
    func endRequested() { state.withLock { $0.endRequested() } }

    /// Records that a call has ended the login or found none.
    func endPerformed() {
        for show in state.withLock({ $0.endPerformed() }) { show() }
    }

    /// Passes the URL at which the browser ended to the stage that waits for it.
    ///
    /// - Parameter url: the URL, or nil if the app says only that the browser has reached the page's redirect.
    /// - Returns: true if a stage waited for the URL.
    func redirected(to url: URL?) -> Bool {
        let stage = take { stage, _ in
            if case .atPage(let page, _, _) = stage { url.map(page.ends(at:)) ?? true } else { false }
        }
        guard case .atPage(let page, _, let waiting) = stage else { return false }
        waiting.resume(returning: .success(url ?? page.redirectURL))
        return true
    }
}

extension PlatformDialog {
    fileprivate var id: ObjectIdentifier { ObjectIdentifier(viewController) }
}
