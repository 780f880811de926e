import Foundation

/// Facts about a session for a facade and for the tools of this package.
extension EntitlementSession {
    /// Returns a Boolean value that indicates whether a URL that the system passes to the app can be the end of a login
    /// of this session.
    package nonisolated func mayEndLogin(at url: URL) -> Bool { parts.redirects?.mayEnd(at: url) == true }

    package var hasStarted: Bool { logins.readiness.hasStarted }

    /// A Boolean value that indicates whether the service has not yet received a logout of this device.
    ///
    /// The next start of a session with the same store sends the logout again, and so does the next logout. Until then
    /// the service may have the login, which this device ignores. The value is false if the store cannot be read, and
    /// for the classic services, which store no logins.
    package var hasPendingLogout: Bool { logins.hasPendingLogout }
}
