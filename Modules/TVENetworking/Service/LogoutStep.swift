/// What remains to be done when a service has ended a login (REST API v2, logout actions).
public enum LogoutStep: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// The browser opens a page, which ends the viewer's session at the TV provider too.
    case open(LogoutPage)
    /// The viewer signs out in the system's settings, where the login came from.
    case signOutInSettings
}
