public import Foundation
public import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    /// Finishes a login whose page was opened before the app was closed (API reference, row HX7).
    ///
    /// A login that is on its way here ends, since the viewer has just finished the other one.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    /// - Returns: the viewer's profile; nil when no earlier login is on its way or the URL is not where it ends.
    /// - Throws: what ``authenticate(using:isForced:data:filter:)`` throws after the login page. A login that failed for want of
    ///   an answer can be finished by another call.
    @discardableResult
    public func resumeLogin(at url: URL) async throws(TVEError) -> Profile? {
        let kept = try stored { () throws(StorageError) in try store.pendingLogin(of: requestorID) }
        guard let page = kept.flatMap({ try? OutsideJSON.decode(LoginPage.self, from: $0) }),
            page.expires > clock.now(),
            !(ownLogin?.registrationCode).isSameBytes(as: page.registrationCode),
            BrowserPage(url: page.url, redirectURL: page.redirectURL).ends(at: url)
        else { return nil }
        _ = logins.cancel()
        let outcome = await logins.run { [self] in
            do throws(TVEError) {
                return .success(try await finish(page))
            } catch {
                await announcedFailure(error)
                return .failure(error)
            }
        }
        return try (outcome ?? .failure(Self.abandoned)).get()
    }

    private func finish(_ page: LoginPage) async throws(TVEError) -> Profile {
        do throws(TVEError) {
            let service = try configuredServices().service(of: page.mvpdID)
            let (token, metadata) = try await served(.login) { () async throws(ServiceError) in
                try await outcome(of: page, service)
            }
            let profile = try accept(token, metadata, from: page.mvpdID)
            forgetPendingLogin(page)
            return profile
        } catch {
            // Whoever could not be asked can be asked again, and what could not be kept can be fetched again.
            let canAskAgain =
                error.recovery == .retry || error.code == .requestorNotConfigured || error.code == .storageFailed
            if !canAskAgain && !Task.isCancelled { forgetPendingLogin(page) }
            throw Task.isCancelled ? Self.abandoned : error
        }
    }
}
