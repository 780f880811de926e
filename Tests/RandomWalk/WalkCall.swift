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
    case metadata(Int32)
    case selectedProvider
    case redirect(String)
    case foreignRedirect

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
        case .metadata(let question): "getMetadata(\(question))"
        case .selectedProvider: "getSelectedProvider"
        case .redirect: "handleExternalURL(the redirect)"
        case .foreignRedirect: "handleExternalURL(another)"
        }
    }
}
