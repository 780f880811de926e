import Foundation
import TVEFlowEngine
import TVEModels
import TVETestSupport

/// The presenter of one call, together with its viewer, who takes time to answer.
///
/// Each method waits until the walk answers for the viewer, or until the task is cancelled. A presenter that ignores
/// cancellation waits for the walk.
@available(macOS 15, iOS 18, tvOS 18, *)
final class SessionViewer: AuthenticationPresenter, @unchecked Sendable {
    /// A kind of screen that the viewer sees.
    enum Stage: Sendable { case picker, page(BrowserPage), logoutPage(BrowserPage), code, dialog }

    /// A value that a waiting presenter returns.
    enum Reply: Sendable { case choice(MVPDID?), redirect(URL?) }

    let name: String
    /// The call that the presenter was passed to.
    let call: SessionCall
    private let pause: WalkPause
    private let ignoresCancellation: Bool
    /// A closure that is called before anything is shown.
    private let shows: (SessionViewer, Stage) -> Void
    /// A closure that is called inside the presenter, before it waits.
    private let inside: (SessionViewer) async -> Void
    private let screen = Guarded(Screen())

    /// The screen, which the tasks of the engine change while the walk looks at it.
    private struct Screen {
        var stage: Stage?
        var code: String?
        var waiting: [Int: CheckedContinuation<Reply?, Never>] = [:]
        var count = 0
    }

    /// The screen that the viewer sees; `nil` for none.
    var stage: Stage? { screen.withLock { $0.stage } }

    /// The code on the screen, which may remain while something else is shown.
    var code: String? { screen.withLock { $0.code } }

    init(
        _ name: String, of call: SessionCall, _ pause: WalkPause, ignoresCancellation: Bool,
        shows: @escaping (SessionViewer, Stage) -> Void, inside: @escaping (SessionViewer) async -> Void
    ) {
        self.name = name
        self.call = call
        self.pause = pause
        self.ignoresCancellation = ignoresCancellation
        self.shows = shows
        self.inside = inside
    }

    /// A Boolean value that indicates whether the presenter waits for the viewer.
    var isWaiting: Bool { screen.withLock { !$0.waiting.isEmpty } }

    /// Answers every waiting method for the viewer.
    ///
    /// - Parameter reply: the reply; `nil` if the viewer leaves the screen.
    func reply(_ reply: Reply?) {
        let waiting = screen.withLock { screen in
            defer { screen.waiting = [:] }
            return screen.waiting
        }
        for (_, continuation) in waiting.sorted(by: { $0.key < $1.key }) { continuation.resume(returning: reply) }
    }

    private func show(_ next: Stage) async -> Reply? {
        // The protocol requires this check. A presenter in an app may be cancelled on its way to the main actor.
        if Task.isCancelled { return nil }
        shows(self, next)
        setStage(next)
        await inside(self)
        let reply = await nextReply()
        setStage(nil)
        await pause()
        return reply
    }

    private func setStage(_ stage: Stage?) { screen.withLock { $0.stage = stage } }

    private func nextReply() async -> Reply? {
        let number = screen.withLock { screen in
            screen.count += 1
            return screen.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                screen.withLock { $0.waiting[number] = continuation }
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: Int) {
        guard !ignoresCancellation else { return }
        screen.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
    }

    // MARK: - AuthenticationPresenter

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        guard case .choice(let id)? = await show(.picker) else { return nil }
        return id
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        guard case .redirect(let url)? = await show(.page(page)) else { return nil }
        return url
    }

    func presentLogout(_ page: BrowserPage) async {
        _ = await show(.logoutPage(page))
    }

    func show(_ code: RegistrationCode) async {
        await pause()
        if Task.isCancelled { return }
        shows(self, .code)
        screen.withLock { $0.code = code.code }
    }

    func hideCode() async {
        await pause()
        screen.withLock { $0.code = nil }
    }

    func showAgain() async { await pause() }

    func presentPlatformDialog(_ dialog: PlatformDialog) {
        shows(self, .dialog)
        setStage(.dialog)
    }

    func dismissPlatformDialog(_ dialog: PlatformDialog) { setStage(nil) }
}
