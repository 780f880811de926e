import Foundation
import TVEFlowEngine
import TVEModels

/// Decides what the app is told about: a stage of a login or logout, a code, and the platform's dialog.
///
/// A call that ends logins takes effect in its turn, but counts from the moment in which the app makes it. In between, a
/// login is not shown but held back. Its turn usually ends the login; otherwise the login is shown then.
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

        /// Whether the viewer sees a login.
        var showsLogin: Bool {
            switch self {
            case .choosing: true
            case .atPage(_, let isLogin, _): isLogin
            }
        }
    }

    /// Where a page ended, or why it was not opened.
    typealias PageResult = Result<URL, PageNotOpened>
    typealias Show = @Sendable () -> Void

    private(set) var stage: Stage?
    /// Number of the current stage, so that a late end of an earlier stage cannot end it.
    private var number = 0
    /// How many numbers were used; none is used twice.
    private var count = 0
    /// How many calls that end logins the app has made that were not performed yet.
    private var requestedEnds = 0
    /// Tells the app about the stage again; nil for a stage that another call does not show again.
    private(set) var again: Show?
    /// Shows the stage that is held back.
    private var heldStage: Show?
    /// Shows the dialog that is held back.
    private var heldDialog: (dialog: ObjectIdentifier, show: Show)?
    /// The number of the code that the app is told about next.
    private var dueCode: Int?
    /// Tells the code that is held back.
    private var heldCode: Show?
    private var shownDialogs: Set<ObjectIdentifier> = []
    /// After the app has released the access enabler, nothing is shown.
    private var isClosed = false

    // MARK: - Stages

    mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    /// - Returns: the stage that it replaces, or the stage itself when nothing is shown any more; the caller abandons it.
    mutating func begin(_ next: Stage, _ number: Int, again: Show?) -> Stage? {
        if isClosed { return next }
        defer { (stage, self.number, self.again, heldStage) = (next, number, again, nil) }
        return stage
    }

    /// Whether the app is told about a stage now.
    ///
    /// - Parameter later: tells it after all; kept when the stage is held back.
    mutating func shows(_ number: Int, orLater later: @escaping Show) -> Bool {
        // The stage may have ended before its callback runs: an app that was told of a cancel must not see the login.
        guard let stage, self.number == number else { return false }
        guard requestedEnds > 0, stage.showsLogin else { return true }
        heldStage = later
        return false
    }

    /// Removes the stage, if it fits.
    mutating func take(_ fits: (Stage, _ number: Int) -> Bool) -> Stage? {
        guard let stage, fits(stage, number) else { return nil }
        (self.stage, again, heldStage) = (nil, nil, nil)
        return stage
    }

    /// Ends everything for good.
    mutating func close() -> Stage? {
        isClosed = true
        return take { _, _ in true }
    }

    // MARK: - The platform's dialog

    /// Whether the app presents a dialog of the platform now.
    ///
    /// - Parameters:
    ///   - ticket: that of the login, which may have ended.
    ///   - later: presents it after all; kept while the dialog is held back.
    mutating func showsDialog(_ dialog: ObjectIdentifier, under ticket: Ticket, orLater later: @escaping Show) -> Bool {
        guard !isClosed, ticket.isValid else { return false }
        heldDialog = (dialog, later)
        return showsHeldDialog(dialog, under: ticket)
    }

    /// Whether the app presents a dialog now that was held back: not one that was dismissed meanwhile.
    mutating func showsHeldDialog(_ dialog: ObjectIdentifier, under ticket: Ticket) -> Bool {
        guard !isClosed, ticket.isValid, requestedEnds == 0, heldDialog?.dialog == dialog else { return false }
        heldDialog = nil
        shownDialogs.insert(dialog)
        return true
    }

    /// Whether the app dismisses a dialog: not one that it has never seen.
    mutating func dismissesDialog(_ dialog: ObjectIdentifier) -> Bool {
        if heldDialog?.dialog == dialog { heldDialog = nil }
        return shownDialogs.remove(dialog) != nil
    }

    // MARK: - Codes

    /// There is a code to show; it replaces one that the app was not told about yet.
    ///
    /// - Returns: its number.
    mutating func codeIsDue() -> Int {
        let number = nextNumber()
        (dueCode, heldCode) = (number, nil)
        return number
    }

    /// Whether the app is told the code now.
    mutating func tellsCode(_ number: Int, under ticket: Ticket, orLater later: @escaping Show) -> Bool {
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

    /// A call that ends logins was performed.
    ///
    /// - Returns: shows what was held back and has not ended.
    mutating func endPerformed() -> [Show] {
        requestedEnds -= 1
        guard requestedEnds == 0 else { return [] }
        defer { (heldStage, heldCode) = (nil, nil) }
        return [heldStage, heldDialog?.show, heldCode].compactMap(\.self)
    }
}
