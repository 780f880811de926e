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
    case preauthorize([String])
    /// The newer call, whose answer is a closure's.
    case preauthorizeWithReasons([String])
    case metadata(Int32)
    case selectedProvider
    case redirect(String)
    case foreignRedirect

    /// The value about the viewer that apps ask for; their questions come back with the answer.
    static let metadataName = "zip"

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
        case .preauthorize(let resources): "checkPreauthorizedResources(\(resources.joined(separator: ", ")))"
        case .preauthorizeWithReasons(let resources): "preauthorize(\(resources.joined(separator: ", ")))"
        case .metadata(let question): "getMetadata(\(question))"
        case .selectedProvider: "getSelectedProvider"
        case .redirect: "handleExternalURL(the redirect)"
        case .foreignRedirect: "handleExternalURL(another)"
        }
    }
}

extension WalkCall {
    /// Whether the call may show a login.
    var mayShowLogin: Bool {
        switch self {
        case .login, .forcedLogin, .authorize: true
        default: false
        }
    }

    /// Whether `setAuthenticationStatus` answers the call, or tells of a login in it.
    var isAboutLogin: Bool {
        switch self {
        case .check, .login, .forcedLogin, .choose, .logout, .authorize, .redirect, .foreignRedirect: true
        case .setRequestor, .checkAuthorization, .preauthorize, .preauthorizeWithReasons, .metadata, .selectedProvider:
            false
        }
    }

    /// Whether the call has its answer without the viewer.
    var needsNoViewer: Bool {
        switch self {
        case .check, .preauthorize, .preauthorizeWithReasons, .metadata, .selectedProvider: true
        default: false
        }
    }

    /// The resource of a call for a token.
    var resource: String? {
        switch self {
        case .authorize(let resource), .checkAuthorization(let resource): resource
        default: nil
        }
    }
}
