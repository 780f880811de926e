/// The step that remains after a service has ended a login (REST API v2, logout actions).
public enum LogoutStep: Sendable, Hashable {
    /// Nothing remains to be done.
    case nothing
    /// The browser opens a page that ends the viewer's session at the TV provider too.
    case open(LogoutPage)
    /// The viewer signs out in the system's settings, because the login came from there.
    case signOutInSettings
}
