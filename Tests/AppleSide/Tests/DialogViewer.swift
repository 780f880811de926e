import Foundation
import Synchronization
import TVEFlowEngine
import TVEModels
import UIKit

/// A presenter that only shows the platform's dialogs.
final class DialogViewer: AuthenticationPresenter {
    private let seen = Mutex<[(word: String, dialog: PlatformDialog)]>([])
    private let changes = AsyncStream<Void>.makeStream()

    /// What was shown and dismissed, in order.
    var shown: [String] { seen.withLock { $0.map(\.word) } }

    /// How many are shown now.
    var dialogsOnScreen: Int { shown.reduce(0) { $0 + ($1 == "present" ? 1 : -1) } }

    /// Whether these were view controllers, the same ones each time.
    @MainActor var areViewControllers: Bool {
        let dialogs = seen.withLock(\.self).map(\.dialog.viewController)
        return dialogs.allSatisfy { $0 is UIViewController } && Set(dialogs.map(ObjectIdentifier.init)).count == 1
    }

    /// Waits until something was shown.
    func waitUntilShown() async {
        _ = await changes.stream.first { _ in true }
    }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}

    func presentPlatformDialog(_ dialog: PlatformDialog) {
        seen.withLock { $0.append(("present", dialog)) }
        changes.continuation.yield()
    }

    func dismissPlatformDialog(_ dialog: PlatformDialog) {
        seen.withLock { $0.append(("dismiss", dialog)) }
    }
}
