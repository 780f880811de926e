/// A call that an app makes.
enum WalkCall: Sendable, Equatable, CustomStringConvertible {
    case setRequestor(String)
    case check
    case login
    case forcedLogin
    case choose(String?)
    case logout
    case authorize(String)
    case checkAuthorization(String)
    case redirect(String)
    case foreignRedirect

    /// Whether a login may be shown for it.
    var mayShowLogin: Bool {
        switch self {
        // A redirect of another app shows the page again.
        case .login, .forcedLogin, .authorize, .foreignRedirect: true
        default: false
        }
    }

    /// Whether it changes who is logged in, or who must decide that.
    var changesLogin: Bool {
        switch self {
        case .check, .checkAuthorization: false
        default: true
        }
    }

    /// Whether a login is shown for it only when the viewer is not logged in.
    var isQuestion: Bool {
        if case .authorize = self { true } else { false }
    }

    var description: String {
        switch self {
        case .setRequestor(let id): "setRequestor(\(id))"
        case .check: "checkAuthentication"
        case .login: "getAuthentication"
        case .forcedLogin: "getAuthentication(forced)"
        case .choose(let mvpdID): "setSelectedProvider(\(mvpdID ?? "nil"))"
        case .logout: "logout"
        case .authorize(let resource): "getAuthorization(\(resource))"
        case .checkAuthorization(let resource): "checkAuthorization(\(resource))"
        case .redirect: "handleExternalURL(the redirect)"
        case .foreignRedirect: "handleExternalURL(another)"
        }
    }
}
