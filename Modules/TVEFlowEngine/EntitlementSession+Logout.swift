import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Logs out: every stored token goes first, then the browser ends the sessions at the service and the provider.
    ///
    /// A login that is on its way is cancelled, and calls that wait for the service fail as not authenticated.
    /// The device counts as logged out whatever the browser does; after a minute without an answer it is no longer
    /// waited for (API reference, rows LO1, LO6, LO8).
    ///
    /// - Parameter presenter: opens the logout page; with nil only this device is logged out.
    /// - Throws: `TVEError.storageFailed` when the tokens could not be removed; they are all still there then.
    public func logout(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        // A login that is still on its way would else log the viewer in again right afterwards.
        _ = logins.cancel()
        // Without a configuration or a readable token there is no page to open, but still something to remove.
        let page = (try? validLogin()).flatMap(\.self).flatMap(service.logoutPage)
        do throws(TVEError) {
            try stored { () throws(StorageError) in try store.removeAllEntitlements() }
        } catch {
            announcedFailure(error)
            throw error
        }
        preselected = nil
        if let page, let presenter {
            _ = await clock.run(atMost: Self.patience) {
                await presenter.presentLogout(page.url, endingAt: page.redirectURL)
            }
        }
        // Not logged in is what logout is for, so this is an answer, not an error to report.
        track(.authentication(nil))
        announced(.notAuthenticated(TVEError(.notAuthenticated, message: "The viewer has logged out.")))
    }

    private static let patience = Duration.seconds(60)
}
