import Foundation
import TVEModels
import TVENetworking
import TVEStorage

/// The store of a login page whose redirect may arrive after the session or the app was closed.
final class KeptPages: Flow {
    /// Returns the stored page if it ends at the URL and can still lead to a login.
    func page(endingAt url: URL) throws(TVEError) -> LoginPage? {
        let kept = try TVEError.storing { try parts.store.pendingLogin(of: parts.requestorID) }
        guard let page = kept.flatMap({ try? UntrustedJSON.decode(LoginPage.self, from: $0) }),
            page.expires > parts.clock.now(), BrowserPage(page)?.ends(at: url) == true
        else { return nil }
        // Another service does not know the code of the page, and must not learn it.
        return (try? providers.service(of: page)) == nil ? nil : page
    }

    /// Stores a page.
    ///
    /// If this fails, the viewer has to log in again after the session or the app was closed.
    func keep(_ page: LoginPage) {
        var page = page
        page.service = try? providers.service(of: page.mvpdID).root.absoluteString
        guard let pending = try? JSONEncoder().encode(page) else { return }
        try? parts.store.change { [requestorID = parts.requestorID] (entitlements) throws(StorageError) in
            try entitlements.setPendingLogin(pending, of: requestorID)
        }
    }

    /// Removes the page of a login that has ended.
    ///
    /// The page of a newer login in another process stays.
    func forget(_ page: LoginPage) { forgetPage { page.hasCode(of: $0) } }

    /// Removes the page of a login with a provider, or of any login if the provider is `nil`, because the viewer does
    /// not want to be logged in.
    func forgetPage(of mvpdID: MVPDID?) { forgetPage { mvpdID == nil || $0.mvpdID == mvpdID } }

    private func forgetPage(if isMeant: @escaping @Sendable (LoginPage) -> Bool) {
        try? parts.store.change { [requestorID = parts.requestorID] (entitlements) throws(StorageError) in
            let kept = try entitlements.pendingLogin(of: requestorID)
            guard let page = kept.flatMap({ try? UntrustedJSON.decode(LoginPage.self, from: $0) }), isMeant(page)
            else { return }
            try entitlements.setPendingLogin(nil, of: requestorID)
        }
    }
}

extension LoginPage {
    /// Returns a Boolean value that indicates whether another page belongs to the same login.
    func hasCode(of other: LoginPage?) -> Bool { other?.registrationCode.isSameBytes(as: registrationCode) == true }
}
