import Foundation
import TVEModels

/// What an attempt may show: its presenter, as long as its ticket is valid.
///
/// The ticket is looked at right before the presenter is called, outside the actor. A presenter of the main actor may run
/// a moment later. By then the call may have been answered, but the app hears of that answer on the main actor too, behind
/// what is shown; and the presenter's task is cancelled, so the screen is left again.
struct Screen: AuthenticationPresenter {
    private let presenter: any AuthenticationPresenter
    private let ticket: Ticket

    /// - Returns: nil without a presenter.
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

/// A presenter that passes on to an app what to show, on a queue of the app's: it asks the ticket again in the moment in
/// which the queue runs it.
package protocol CallbackQueueingPresenter: AuthenticationPresenter {
    /// Another call has joined the login.
    func tellAgain()

    /// There is a code to show, in the form of a status.
    func tell(code event: StatusEvent, under ticket: Ticket)

    /// The platform has a dialog to show.
    @MainActor func presentPlatformDialog(_ dialog: PlatformDialog, under ticket: Ticket)
}
