import Foundation
import TVEFlowEngine
import TVEModels

/// Presents a login by firing delegate callbacks and waiting for the app's answering call.
///
/// At most one stage waits at a time. A new stage ends the old one as if the viewer had left it. Whoever takes a stage
/// out resumes it, so each is resumed once.
final class CallbackPresenter: AuthenticationPresenter {
    private enum Stage {
        case choosing(providers: Set<String>, CheckedContinuation<String?, Never>)
        case atPage(redirect: URL, isLogin: Bool, CheckedContinuation<URL?, Never>)

        /// Ends the stage without a result.
        func abandon() {
            switch self {
            case .choosing(_, let waiting): waiting.resume(returning: nil)
            case .atPage(_, _, let waiting): waiting.resume(returning: nil)
            }
        }
    }

    private struct State {
        var stage: Stage?
        /// Number of the present stage, so that a late end of an earlier one cannot end it.
        var number = 0
        /// How many numbers were given out; none is given twice.
        var count = 0
    }

    /// What became of `setSelectedProvider`.
    enum Selection {
        /// It answered or cancelled a waiting stage.
        case taken
        /// Nothing waits for it, or the picker does not offer it.
        case notTaken
    }

    private let callbacks: Callbacks
    private let state = Guarded(State())

    init(_ callbacks: Callbacks) {
        self.callbacks = callbacks
    }

    // MARK: - The session's side

    func chooseProvider(among providers: [TVProvider]) async -> String? {
        let mvpds = providers.map(MVPD.init)
        let ids = Set(providers.map(\.id))
        return await waiting {
            .choosing(providers: ids, $0)
        } announce: {
            $0.displayProviderDialog(mvpds)
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
            .atPage(redirect: redirect, isLogin: isLogin, $0)
        } announce: {
            $0.navigate(toUrl: page.absoluteString)
        }
    }

    private func waiting<Answer: Sendable>(
        _ stage: (CheckedContinuation<Answer?, Never>) -> Stage,
        announce: @escaping @Sendable (any EntitlementDelegate) -> Void
    ) async -> Answer? {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = stage(continuation)
                let previous = state.withLock { state in
                    defer { (state.stage, state.number) = (next, number) }
                    return state.stage
                }
                previous?.abandon()
                // Only now can the app's answer find the stage.
                callbacks.toDelegate(announce)
                // Cancelled before the stage was there: the handler below found nothing to end.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Ends whatever stage waits, as if the viewer had left it.
    func leave() {
        take { _ in true }?.abandon()
    }

    private func leave(_ number: Int) {
        take { $0.number == number }?.abandon()
    }

    private func take(_ fits: (State) -> Bool) -> Stage? {
        state.withLock { state in
            guard fits(state) else { return nil }
            defer { state.stage = nil }
            return state.stage
        }
    }

    // MARK: - The app's side

    /// Takes the app's choice of provider; nil cancels picker and login page.
    func select(_ mvpdID: String?) -> Selection {
        let stage = take { state in
            switch (state.stage, mvpdID) {
            case (.choosing(let providers, _), let id?): providers.contains(id)
            case (.choosing, nil), (.atPage(_, isLogin: true, _), nil): true
            default: false
            }
        }
        switch stage {
        case .choosing(_, let waiting): waiting.resume(returning: mvpdID)
        case .atPage: stage?.abandon()
        case nil: return .notTaken
        }
        return .taken
    }

    /// Takes the URL the browser ended at, if it is the one that a stage waits for.
    func redirected(to url: String?) {
        guard let url = url.flatMap(URL.init(string:)) else { return }
        let stage = take { state in
            // The host differs between examples, so the scheme decides; http redirects need their host as well.
            guard case .atPage(let redirect, _, _) = state.stage, redirect.scheme == url.scheme else { return false }
            return redirect.scheme?.hasPrefix("http") != true || redirect.host() == url.host()
        }
        if case .atPage(_, _, let waiting) = stage { waiting.resume(returning: url) }
    }
}
