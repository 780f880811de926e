import Foundation
import TVEFlowEngine
import TVEModels
import TVETestSupport
import Testing

@testable import AccessEnabler

/// What an app sees of a login whose callback waits behind others.
@Suite(.timeLimit(.minutes(1)))
struct CallbackPresenterTests {
    private let recorder = CallbackRecorder()
    private let queue = HeldQueue()
    private let callbacks: Callbacks
    private let presenter: CallbackPresenter

    init() {
        callbacks = Callbacks(run: queue.submit)
        callbacks.delegate = recorder
        presenter = CallbackPresenter(callbacks, automaticBrowser: nil) { false }
    }

    @Test
    func showsNothing_ofALoginThatEndedBeforeItsCallback() async {
        for wayOut in [CallbackPresenter.leave, CallbackPresenter.redirected] {
            let page = Task { await presenter.presentLogin(Self.page) }
            await queue.holds(1)
            wayOut(presenter)()
            callbacks.authentication(.notAuthenticated(TVEError(.providerNotSelected, message: "Cancelled.")))
            queue.runAll()
            _ = await page.value
        }
        #expect(recorder.callbacks.map(\.isAuthenticationStatus) == [true, true])
    }

    @Test
    func showsNothing_ofALoginThatEndedBeforeItWasShownAgain() async {
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        queue.runAll()
        presenter.showAgain()
        picker.cancel()
        #expect(await picker.value == nil)
        queue.runAll()
        #expect(recorder.callbacks.map(\.isProviderDialog) == [true])
    }

    @Test
    func showsThePageOnceMore_whenItStillWaits() async throws {
        let page = Task { await presenter.presentLogin(Self.page) }
        await queue.holds(1)
        presenter.showAgain()
        queue.runAll()
        #expect(recorder.callbacks.count == 2)
        #expect(presenter.redirected(to: Self.page.redirectURL))
        #expect(await page.value == Self.page.redirectURL)
    }

    private static let page = BrowserPage(
        url: URL(fileURLWithPath: "/login"), redirectURL: URL(fileURLWithPath: "/redirect"))
}
