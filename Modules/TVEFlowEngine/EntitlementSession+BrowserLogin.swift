import Foundation
import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    func browserLogin(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ terms: LoginTerms
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?) {
        let service = try configuredServices().service(of: mvpdID)
        var request = LoginRequest(
            requestorID: requestorID, mvpdID: mvpdID, data: terms.data, redirectURL: try redirectURL(of: mvpdID))
        request.isForced = terms.isForced
        let left = try unfinishedLogouts()
        let page = try await served(.login) { () async throws(ServiceError) in try await service.login(request) }
        settleLogouts(mvpdID, service, asOf: left)
        if page.needsViewer { try await show(page, to: presenter) }
        do throws(ServiceError) {
            return try await outcome(of: page, service)
        } catch {
            // The redirect may have been that of a logout that nobody waited for any longer: the viewer is still at the page.
            guard page.needsViewer, hasCutLogoutShort, error.meansNotYet else { throw TVEError(error, during: .login) }
            hasCutLogoutShort = false
        }
        try await show(page, to: presenter)
        return try await served(.login) { () async throws(ServiceError) in try await outcome(of: page, service) }
    }

    /// What a login brought whose page has reached its redirect.
    ///
    /// Where the service keeps the logins, the browser may be back before the login is there (REST API v2, 9.2).
    func outcome(
        of page: LoginPage, _ service: any EntitlementService
    ) async throws(ServiceError) -> (AuthenticationToken, UserMetadata?) {
        do throws(ServiceError) {
            return try await service.authentication(of: page)
        } catch .notLoggedIn where service.keepsLogins && page.needsViewer {
            try? await clock.sleep(Self.patienceAfterRedirect)
            return try await service.authentication(of: page)
        }
    }

    private static let patienceAfterRedirect = Duration.seconds(3)

    /// The new login has begun, and the old one is gone: whatever comes now, also in another process, is the new one.
    ///
    /// - Parameter left: the logouts that the service had not been told about when the login was asked for.
    func settleLogouts(_ mvpdID: String, _ service: any EntitlementService, asOf left: UnfinishedLogouts) {
        guard service.keepsLogins, left.concerns(mvpdID) else { return }
        try? store.change { [requestorID] entitlements throws(StorageError) in
            try entitlements.settleLogouts(requestorID: requestorID, mvpdID: mvpdID, asOf: left)
        }
    }

    /// Where a provider's pages end; nil for the usual place.
    func redirectURL(of mvpdID: String) throws(TVEError) -> URL? {
        try configured().requestor.provider(mvpdID)?.usesSafari == true ? safariRedirectURL : nil
    }

    private func show(_ page: LoginPage, to presenter: any AuthenticationPresenter) async throws(TVEError) {
        let needsSafari = try configured().requestor.provider(page.mvpdID)?.usesSafari == true
        // Should the app be closed meanwhile, the redirect can still be finished; without, the viewer logs in again.
        ownLogin = page
        keepPendingLogin(page)
        defer { forgetPendingLogin(page) }
        // A code that has run out can no longer become a token, so waiting longer is pointless.
        let timeLeft = Duration.seconds(page.expires.timeIntervalSince(clock.now()))
        let end = await clock.run(atMost: timeLeft) {
            await presenter.presentLogin(
                BrowserPage(url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari))
        }
        guard case .some(.some) = end, !Task.isCancelled else { throw Self.abandoned }
    }

    private func keepPendingLogin(_ page: LoginPage) {
        guard let pending = try? JSONEncoder().encode(page) else { return }
        try? store.change { [requestorID] entitlements throws(StorageError) in
            try entitlements.setPendingLogin(pending, of: requestorID)
        }
    }

    /// Forgets a login that is no longer on its way; one that another process has begun meanwhile stays.
    func forgetPendingLogin(_ page: LoginPage) {
        try? store.change { [requestorID] entitlements throws(StorageError) in
            let kept = try entitlements.pendingLogin(of: requestorID)
            let present = kept.flatMap { try? OutsideJSON.decode(LoginPage.self, from: $0) }
            guard (present?.registrationCode).isSameBytes(as: page.registrationCode) else { return }
            try entitlements.setPendingLogin(nil, of: requestorID)
        }
    }
}
