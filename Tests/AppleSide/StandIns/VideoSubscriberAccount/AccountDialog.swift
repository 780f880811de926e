import AppleDevice
import Foundation
import Synchronization
import UIKit

/// The system's picker, from its presentation by the delegate to its dismissal.
///
/// The class is `@unchecked Sendable`, because the manager and its delegate are used only on the main thread.
final class AccountDialog: @unchecked Sendable {
    private let manager: VSAccountManager
    private weak var delegate: (any VSAccountManagerDelegate)?
    private let finish: @Sendable (Result<TVAccount.Login?, NSError>) -> Void
    private let hasEnded = Mutex(false)
    private let wasCancelled = Mutex(false)
    @MainActor private var controller: UIViewController?

    init(
        _ manager: VSAccountManager, delegate: (any VSAccountManagerDelegate)?,
        finish: @escaping @Sendable (Result<TVAccount.Login?, NSError>) -> Void
    ) {
        self.manager = manager
        self.delegate = delegate
        self.finish = finish
    }

    /// Shows the picker and lets the viewer choose.
    ///
    /// Source: VSAccountManager.h. The delegate presents and dismisses before its method returns. An app that reports
    /// the number of its dialogs is ended if it presents or dismisses later, unless it has cancelled the request.
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

    /// Cancels the request, because the app no longer needs the answer.
    ///
    /// The headers do not describe this: the framework is reported to dismiss its dialog at once, through UIKit, which
    /// raises an exception on any thread other than the main one.
    func cancel(_ cancellation: TVAccount.Cancellation) {
        MainActor.preconditionIsolated("Exception: a dialog is shown, and this is not the main thread")
        wasCancelled.withLock { $0 = true }
        let end: @MainActor @Sendable () -> Void = { self.end(.failure(VSAccountManager.error(.userCancelled))) }
        switch cancellation {
        case .endsLater: Task { @MainActor in end() }
        case .endsWhenTold: AppleDevice.current.with { $0.account.lateEnd = end }
        case .isIgnored: break
        }
    }

    /// Dismisses the picker and then answers, only once.
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

    /// Ends the app unless it shows the expected number of dialogs.
    @MainActor
    private func check(_ count: Int) {
        guard !wasCancelled.withLock({ $0 }), let shown = AppleDevice.current.with(\.dialogsOnScreen)?() else { return }
        precondition(shown == count, "Exception: presented or dismissed after the delegate's method returned")
    }
}
