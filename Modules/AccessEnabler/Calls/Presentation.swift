import Foundation
import TVEFlowEngine
import TVEModels

/// The state that decides which callbacks the app receives about a stage of a login or logout, a code, and the
/// platform's dialog.
///
/// A call that ends logins is performed in its turn, but takes effect at the moment at which the app makes it. In
/// between, a login is held back and not shown. The call usually ends that login; otherwise the login is shown
/// afterwards.
struct Presentation: Sendable {
    enum Stage: Sendable {
        case choosing(CheckedContinuation<MVPDID?, Never>)
        case atPage(BrowserPage, isLogin: Bool, CheckedContinuation<PageResult?, Never>)

        /// Ends the stage without a result.
        func abandon() {
            switch self {
            case .choosing(let waiting): waiting.resume(returning: nil)
            case .atPage(_, _, let waiting): waiting.resume(returning: nil)
            }
        }

        /// A Boolean value that indicates whether the viewer sees a login.
        var showsLogin: Bool {
            switch self {
            case .choosing: true
            case .atPage(_, let isLogin, _): isLogin
            }
        }
    }

    /// The URL at which a page ended, or the reason why it was not opened.
    typealias PageResult = Result<URL, PageNotOpened>
    typealias Show = @Sendable () -> Void

    private(set) var stage: Stage?
    /// The number of the current stage, which prevents a late end of an earlier stage from ending it.
    private var number = 0
    /// The number that was assigned most recently.
    ///
    /// No number is assigned twice.
    private var count = 0
    /// The number of calls that the app has made to end logins and that have not been performed yet.
    private var requestedEnds = 0
    /// A closure that repeats the stage's callback.
    ///
    /// It is nil for a stage that another call does not show again.
    private(set) var again: Show?
    /// A Boolean value that indicates whether the app shows the page that began last.
    ///
    /// The library itself shows a page that no callback repeats.
    private(set) var appShowsPage = true
    /// A closure that shows the stage that is held back.
    private var heldStage: Show?
    /// The dialog that is held back, and a closure that shows it.
    private var heldDialog: (dialog: ObjectIdentifier, show: Show)?
    /// The number of the code that the app receives next.
    private var dueCode: Int?
    /// A closure that reports the code that is held back.
    private var heldCode: Show?
    private var shownDialogs: Set<ObjectIdentifier> = []
    /// A Boolean value that indicates whether the app has released the access enabler, after which nothing is shown.
    private var isClosed = false

    // MARK: - Stages

    mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Begins a stage.
    ///
    /// - Returns: the stage that it replaces, or the stage itself when nothing is shown any more. The caller abandons
    ///   it.
    mutating func begin(_ next: Stage, _ number: Int, again: Show?) -> Stage? {
        if isClosed { return next }
        defer {
            stage = next
            self.number = number
            self.again = again
            heldStage = nil
            if case .atPage = next { appShowsPage = again != nil }
        }
        return stage
    }

    /// Returns a Boolean value that indicates whether the app receives the callback of a stage now.
    ///
    /// - Parameter later: a closure that makes the callback later. It is stored if the stage is held back.
    mutating func shows(_ number: Int, orLater later: @escaping Show) -> Bool {
        // The stage may have ended before its callback runs. An app that has seen a cancellation must not see the
        // login.
        guard let stage, self.number == number else { return false }
        guard requestedEnds > 0, stage.showsLogin else { return true }
        heldStage = later
        return false
    }

    /// Removes the current stage if it satisfies the condition.
    mutating func take(_ fits: (Stage, _ number: Int) -> Bool) -> Stage? {
        guard let stage, fits(stage, number) else { return nil }
        self.stage = nil
        again = nil
        heldStage = nil
        return stage
    }

    /// Ends the current stage and prevents further ones.
    ///
    /// What was held back is released, because its closures retain the presenter.
    mutating func close() -> Stage? {
        isClosed = true
        heldDialog = nil
        heldCode = nil
        dueCode = nil
        return take { _, _ in true }
    }

    // MARK: - The platform's dialog

    /// Returns a Boolean value that indicates whether the app presents a dialog of the platform now.
    ///
    /// - Parameters:
    ///   - ticket: the ticket of the login, which may have ended.
    ///   - later: a closure that presents the dialog later. It is stored while the dialog is held back.
    mutating func showsDialog(_ dialog: ObjectIdentifier, under ticket: Ticket, orLater later: @escaping Show) -> Bool {
        guard !isClosed, ticket.isValid else { return false }
        heldDialog = (dialog, later)
        return showsHeldDialog(dialog, under: ticket)
    }

    /// Returns a Boolean value that indicates whether the app presents a dialog now that was held back.
    ///
    /// The value is false for a dialog that was dismissed in the meantime.
    mutating func showsHeldDialog(_ dialog: ObjectIdentifier, under ticket: Ticket) -> Bool {
        guard !isClosed, ticket.isValid, requestedEnds == 0, heldDialog?.dialog == dialog else { return false }
        heldDialog = nil
        shownDialogs.insert(dialog)
        return true
    }

    /// Returns a Boolean value that indicates whether the app dismisses a dialog, which it does only if it has
    /// presented it.
    mutating func dismissesDialog(_ dialog: ObjectIdentifier) -> Bool {
        if heldDialog?.dialog == dialog { heldDialog = nil }
        return shownDialogs.remove(dialog) != nil
    }

    // MARK: - Codes

    /// Registers a code to show, which replaces one that the app has not received yet.
    ///
    /// - Returns: the number of the code.
    mutating func codeIsDue() -> Int {
        let number = nextNumber()
        dueCode = number
        heldCode = nil
        return number
    }

    /// Returns a Boolean value that indicates whether the app receives the code now.
    mutating func deliversCode(_ number: Int, under ticket: Ticket, orLater later: @escaping Show) -> Bool {
        guard !isClosed, ticket.isValid, dueCode == number else { return false }
        guard requestedEnds == 0 else {
            heldCode = later
            return false
        }
        dueCode = nil
        return true
    }

    // MARK: - Calls that end logins

    mutating func endRequested() { requestedEnds += 1 }

    /// Records that a call that ends logins was performed.
    ///
    /// - Returns: closures that show what was held back and has not ended.
    mutating func endPerformed() -> [Show] {
        requestedEnds -= 1
        guard requestedEnds == 0 else { return [] }
        defer {
            heldStage = nil
            heldCode = nil
        }
        return [heldStage, heldDialog?.show, heldCode].compactMap(\.self)
    }
}
