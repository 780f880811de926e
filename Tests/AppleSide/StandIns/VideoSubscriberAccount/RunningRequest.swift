import AppleDevice
import Foundation
import Synchronization

/// A request that waits for its turn, or shows the picker.
final class RunningRequest: Sendable {
    private struct State {
        var wasCancelled = false
        var dialog: AccountDialog?
    }

    /// The manager and its delegate.
    ///
    /// The type is `@unchecked Sendable`, because both are used only on the main thread.
    private struct Owner: @unchecked Sendable {
        let manager: VSAccountManager
        weak var delegate: (any VSAccountManagerDelegate)?
    }

    private let state = Mutex(State())
    private let owner: Owner

    init(_ manager: VSAccountManager, _ delegate: (any VSAccountManagerDelegate)?) {
        owner = Owner(manager: manager, delegate: delegate)
    }

    var wasCancelled: Bool { state.withLock(\.wasCancelled) }

    /// Shows the picker.
    func open(
        _ choice: TVAccount.Choice, _ finish: @escaping @Sendable (Result<TVAccount.Login?, NSError>) -> Void
    ) {
        let dialog = AccountDialog(owner.manager, delegate: owner.delegate, finish: finish)
        state.withLock { $0.dialog = dialog }
        dialog.open(choice)
    }

    /// Cancels the request, because the app no longer needs the answer.
    func cancel() {
        let dialog = state.withLock { state in
            state.wasCancelled = true
            return state.dialog
        }
        dialog?.cancel(AppleDevice.current.with(\.account.cancellation))
    }
}
