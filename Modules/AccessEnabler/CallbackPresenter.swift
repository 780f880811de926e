import Foundation
import Synchronization
import TVEFlowEngine
import TVEModels

/// Presents a login by firing delegate callbacks and waiting for the app's answering call.
///
/// At most one stage waits at a time. A new stage ends the old one as if the viewer had left it.
final class CallbackPresenter: AuthenticationPresenter {
    private enum Stage {
        case idle
        case choosing(providers: Set<String>, CheckedContinuation<String?, Never>)
        case atPage(redirect: URL, isLogin: Bool, CheckedContinuation<URL?, Never>)

        /// Ends the stage without a result.
        func abandon() {
            switch self {
            case .idle: break
            case .choosing(_, let waiting): waiting.resume(returning: nil)
            case .atPage(_, _, let waiting): waiting.resume(returning: nil)
            }
        }
    }

    /// What became of `setSelectedProvider`.
    enum Selection {
        /// It answered or cancelled a waiting stage.
        case taken
        /// It named a provider that was not offered; the picker still waits.
        case unknown
        /// Nothing waits for it.
        case notAsked
    }

    private let callbacks: Callbacks
    private let stage = Mutex(Stage.idle)

    init(_ callbacks: Callbacks) {
        self.callbacks = callbacks
    }

    // MARK: - The session's side

    func chooseProvider(among providers: [TVProvider]) async -> String? {
        await waiting {
            self.enter(.choosing(providers: Set(providers.map(\.id)), $0))
        } announce: {
            let mvpds = providers.map(MVPD.init)
            self.callbacks.toDelegate { $0.displayProviderDialog(mvpds) }
        }
    }

    func presentLogin(_ page: URL, endingAt redirect: URL) async -> URL? {
        await open(page, redirect, isLogin: true)
    }

    func presentLogout(_ page: URL, endingAt redirect: URL) async {
        _ = await open(page, redirect, isLogin: false)
    }

    private func open(_ page: URL, _ redirect: URL, isLogin: Bool) async -> URL? {
        await waiting {
            self.enter(.atPage(redirect: redirect, isLogin: isLogin, $0))
        } announce: {
            self.callbacks.toDelegate { $0.navigate(toUrl: page.absoluteString) }
        }
    }

    private func waiting<Answer: Sendable>(
        _ enter: @Sendable (CheckedContinuation<Answer?, Never>) -> Void, announce: @Sendable () -> Void
    ) async -> Answer? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(continuation)
                // Only now can the app's answer find the stage.
                announce()
                // Cancelled before the stage was there: the handler below found nothing to end.
                if Task.isCancelled { leave() }
            }
        } onCancel: {
            leave()
        }
    }

    private func enter(_ next: Stage) {
        let previous = stage.withLock { stage in
            defer { stage = next }
            return stage
        }
        previous.abandon()
    }

    private func leave() {
        enter(.idle)
    }

    // MARK: - The app's side

    /// Takes the app's choice of provider; nil cancels picker and login page.
    func select(_ mvpdID: String?) -> Selection {
        let answer = stage.withLock { stage -> (Selection, Stage) in
            switch (stage, mvpdID) {
            case (.choosing(let providers, _), let id?) where !providers.contains(id):
                return (.unknown, .idle)
            case (.choosing, _), (.atPage(_, isLogin: true, _), nil):
                defer { stage = .idle }
                return (.taken, stage)
            default:
                return (.notAsked, .idle)
            }
        }
        switch answer.1 {
        case .choosing(_, let waiting): waiting.resume(returning: mvpdID)
        default: answer.1.abandon()
        }
        return answer.0
    }

    /// Takes the URL the browser ended at, if it is the one that a stage waits for.
    func redirected(to url: String?) {
        guard let url = url.flatMap(URL.init(string:)) else { return }
        let waiting = stage.withLock { stage -> CheckedContinuation<URL?, Never>? in
            // The host differs between examples, so the scheme decides; http redirects need their host as well.
            guard case .atPage(let redirect, _, let waiting) = stage, redirect.scheme == url.scheme,
                redirect.scheme?.hasPrefix("http") != true || redirect.host() == url.host()
            else { return nil }
            stage = .idle
            return waiting
        }
        waiting?.resume(returning: url)
    }
}
