import Foundation
import Synchronization
import TVEFlowEngine
import TVEModels
import UIKit

/// A presenter that only shows the platform's dialogs.
final class DialogViewer: AuthenticationPresenter {
    private let seen = Mutex<[(word: String, dialog: PlatformDialog)]>([])
    private let changes = AsyncStream<Void>.makeStream()

    /// The words for presentations and dismissals, in order.
    var shown: [String] { seen.withLock { $0.map(\.word) } }

    /// The number of dialogs that are shown now.
    var dialogsOnScreen: Int { shown.reduce(0) { $0 + ($1 == "present" ? 1 : -1) } }

    /// A Boolean value that indicates whether every dialog was the same view controller.
    @MainActor var areViewControllers: Bool {
        let dialogs = seen.withLock(\.self).map(\.dialog.viewController)
        return dialogs.allSatisfy { $0 is UIViewController } && Set(dialogs.map(ObjectIdentifier.init)).count == 1
    }

    /// Waits until a dialog was shown.
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
