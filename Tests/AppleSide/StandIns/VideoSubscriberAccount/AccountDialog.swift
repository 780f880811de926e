import AppleDevice
import Foundation
import Synchronization
import UIKit

/// The picker, from the call that asks the delegate to show it to the one that asks to dismiss it.
///
/// Unchecked: the manager and its delegate are used on the main thread only.
final class AccountDialog: @unchecked Sendable {
    private let manager: VSAccountManager
    private weak var delegate: (any VSAccountManagerDelegate)?
    private let finish: @Sendable (Result<TVAccount.Login?, NSError>) -> Void
    private let hasEnded = Mutex(false)
    private let wasCancelled = Mutex(false)
    @MainActor private var controller: UIViewController?

    init(
        _ manager: VSAccountManager, _ delegate: (any VSAccountManagerDelegate)?,
        _ finish: @escaping @Sendable (Result<TVAccount.Login?, NSError>) -> Void
    ) {
        self.manager = manager
        self.delegate = delegate
        self.finish = finish
    }

    /// Shows the picker and lets the viewer choose.
    ///
    /// VSAccountManager.h: the delegate presents and dismisses before its method returns. An app that says how many dialogs it shows is
    /// ended where it does so later, unless it has cancelled the request.
    func open(_ choice: TVAccount.Choice) {
        Task { @MainActor in
            guard let delegate else { fatalError("Exception: the delegate of a request has gone") }
            if wasCancelled.withLock({ $0 }) { return end(.failure(VSAccountManager.error(.userCancelled))) }
            let controller = UIViewController()
            self.controller = controller
            delegate.accountManager(manager, present: controller)
            check(1)
            switch choice {
            case .leavesOpen: break
            case .closes: end(.failure(VSAccountManager.error(.userCancelled)))
            case .takesOther: end(.failure(VSAccountManager.error(.unsupportedProvider)))
            case .takesListed(let id): end(.failure(VSAccountManager.error(.unsupportedProvider, id)))
            case .logsIn(let id):
                let login = TVAccount.Login(id, expires: Date().addingTimeInterval(86_400))
                AppleDevice.current.with { $0.account.login = login }
                end(.success(login))
            }
        }
    }

    /// The app does not need the answer any more.
    ///
    /// Said of the framework, not in its headers: it takes its dialog away at once, with UIKit, which raises on other threads than the main one.
    func cancel(_ cancellation: TVAccount.Cancellation) {
        MainActor.preconditionIsolated("Exception: a dialog is shown, and this is not the main thread")
        wasCancelled.withLock { $0 = true }
        guard cancellation == .endsLater else { return }
        Task { @MainActor in end(.failure(VSAccountManager.error(.userCancelled))) }
    }

    /// Dismisses the picker, then answers, once.
    @MainActor
    private func end(_ result: Result<TVAccount.Login?, NSError>) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        if let controller {
            delegate?.accountManager(manager, dismiss: controller)
            check(0)
        }
        finish(result)
    }

    /// Ends the app if it shows another number of dialogs.
    @MainActor
    private func check(_ count: Int) {
        guard !wasCancelled.withLock({ $0 }), let shown = AppleDevice.current.with(\.dialogsOnScreen)?() else { return }
        precondition(shown == count, "Exception: presented or dismissed after the delegate's method returned")
    }
}
