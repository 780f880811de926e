import Foundation
import TVEModels
import TVENetworking

extension EntitlementSession {
    /// Logs in with a TempPass that the viewer has just chosen, which needs no further call (API reference, rows SP9, SP10).
    ///
    /// A promotional one does not let anybody in before it knows who asks, which is no failure.
    func enterTempPass(_ mvpdID: String) async throws(TVEError) {
        let choice = choices
        let outcome = await entries.run { [self] in await entry(with: mvpdID) }
        do throws(TVEError) {
            _ = try (outcome ?? .failure(Self.abandoned)).get()
        } catch {
            // A later choice that took its place has the answer.
            guard error.underlying as? ServiceError == .notLoggedIn || choices != choice else { throw error }
        }
    }

    private func entry(with mvpdID: String) async -> Result<Profile, TVEError> {
        do throws(TVEError) {
            guard !Task.isCancelled else { throw Self.abandoned }
            await finishLogout()
            return .success(try await logIn(with: mvpdID, Nobody(), LoginTerms()))
        } catch {
            // Before whoever waits for this goes on: the choice counts for the next login.
            if error.underlying as? ServiceError == .notLoggedIn { preselected = mvpdID }
            return .failure(error)
        }
    }
}

/// A presenter for logins that show nothing: a page that comes nevertheless is left at once.
private struct Nobody: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> String? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}
}
