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
    /// The newer call, which is answered through a closure.
    case preauthorizeWithReasons([String])
    case metadata(Int32)
    case selectedProvider
    case redirect(String)
    case foreignRedirect

    /// The name of the user metadata that apps request, which is repeated in the answer.
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
    /// A Boolean value that indicates whether the call may show a login.
    var mayShowLogin: Bool {
        switch self {
        case .login, .forcedLogin, .authorize: true
        default: false
        }
    }

    /// A Boolean value that indicates whether `setAuthenticationStatus` answers the call, or reports a login within it.
    var isAboutLogin: Bool {
        switch self {
        case .check, .login, .forcedLogin, .choose, .logout, .authorize, .redirect, .foreignRedirect: true
        case .setRequestor, .checkAuthorization, .preauthorize, .preauthorizeWithReasons, .metadata, .selectedProvider:
            false
        }
    }

    /// A Boolean value that indicates whether the call is answered without the viewer.
    var needsNoViewer: Bool {
        switch self {
        case .check, .preauthorize, .preauthorizeWithReasons, .metadata, .selectedProvider: true
        default: false
        }
    }

    /// The resource of a call for a token; `nil` for any other call.
    var resource: String? {
        switch self {
        case .authorize(let resource), .checkAuthorization(let resource): resource
        default: nil
        }
    }
}
