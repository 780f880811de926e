import Foundation
import TVEModels

/// The presenter of an attempt, which shows something only as long as the ticket of the attempt is valid.
///
/// The ticket is checked immediately before the presenter is called, outside the actor. A presenter on the main actor
/// may run a moment later. By then the call may have been answered, but the app receives that answer on the main actor
/// too, after the presentation. The presenter's task is then cancelled, so the presentation ends.
struct Screen: AuthenticationPresenter {
    private let presenter: any AuthenticationPresenter
    private let ticket: Ticket

    /// Creates the screen of an attempt.
    ///
    /// - Returns: `nil` if there is no presenter.
    init?(_ presenter: (any AuthenticationPresenter)?, _ ticket: Ticket) {
        guard let presenter else { return nil }
        self.presenter = presenter
        self.ticket = ticket
    }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        guard ticket.isValid else { return nil }
        return await presenter.chooseProvider(among: providers)
    }

    func presentLogin(_ page: BrowserPage) async throws(PageNotOpened) -> URL? {
        guard ticket.isValid else { return nil }
        return try await presenter.presentLogin(page)
    }

    /// A Boolean value that indicates whether a login may open the logout page of the login that it replaces.
    ///
    /// The classic API has the same callback for both pages, so an app would mistake the logout page for the login
    /// page.
    var mayOpenLogoutPageAtLogin: Bool { !(presenter is any CallbackQueueingPresenter) }

    /// A Boolean value that indicates whether the app, and not the library, showed the page that was opened last.
    var appShowsPage: Bool { (presenter as? any CallbackQueueingPresenter)?.appShowsPage ?? true }

    func presentLogout(_ page: BrowserPage) async {
        guard ticket.isValid else { return }
        await presenter.presentLogout(page)
    }

    func show(_ code: RegistrationCode) async {
        guard ticket.isValid else { return }
        await presenter.show(code)
    }

    func hideCode() async { await presenter.hideCode() }

    func showAgain() async {
        guard ticket.isValid else { return }
        await presenter.showAgain()
    }

    func presentPlatformDialog(_ dialog: PlatformDialog) {
        guard ticket.isValid else { return }
        if let queueing = presenter as? any CallbackQueueingPresenter {
            queueing.presentPlatformDialog(dialog, under: ticket)
        } else {
            presenter.presentPlatformDialog(dialog)
        }
    }

    func dismissPlatformDialog(_ dialog: PlatformDialog) { presenter.dismissPlatformDialog(dialog) }
}

/// A presenter that forwards presentations to an app on the app's queue.
///
/// It checks the ticket again when the queue runs the presentation.
package protocol CallbackQueueingPresenter: AuthenticationPresenter {
    /// A Boolean value that indicates whether the app, and not the library, showed the page that was opened last.
    ///
    /// The value stays when the page ends. An app that never had the page cannot know that it has ended.
    var appShowsPage: Bool { get }

    /// Notifies the app that another call has joined the login.
    func repeatCallback()

    /// Notifies the app of a code to show, in the form of a status.
    ///
    /// The classic API has no callback for a code, only a status, which must still be due when the app's queue runs it.
    func notify(code event: StatusEvent, under ticket: Ticket)

    /// Notifies the app of a dialog of the platform to present.
    @MainActor func presentPlatformDialog(_ dialog: PlatformDialog, under ticket: Ticket)
}
