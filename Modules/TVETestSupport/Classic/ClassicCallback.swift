import TVEModels

/// One callback of the classic API, as a value.
public enum ClassicCallback: Sendable, Equatable {
    /// `setRequestorComplete`
    case requestorComplete(Int32)
    /// `setAuthenticationStatus`
    case authenticationStatus(Int32, code: String)
    /// `displayProviderDialog`, with the ids of the providers
    case providerDialog([String])
    /// `navigate(toUrl:)`
    case navigate(String)
    /// `navigate(toUrl:useSVC:)`
    case navigateInSafari(String)
    /// `presentTvProviderDialog`
    case presentPlatformDialog
    /// `dismissTvProviderDialog`
    case dismissPlatformDialog
    /// `preauthorizedResources`
    case preauthorizedResources([String])
    /// `setMetadataStatus`, with its value as a string, and the name or resource of the question
    case metadata(String?, encrypted: Bool, key: Int32, argument: String?)
    /// `selectedProvider`, with the provider's id
    case selectedProvider(String?)
    /// `setToken`
    case token(String, resource: String)
    /// `tokenRequestFailed`
    case tokenRequestFailed(resource: String, code: String, description: String)
    /// `sendTrackingData`
    case tracking([String], event: Int32)
    /// `status`, with its id, level and message
    case status(id: String, level: String, message: String?)
}

extension ClassicCallback: CustomStringConvertible {
    /// The callback's name and arguments; tokens are shown by length, pages without their query.
    public var description: String {
        switch self {
        case .requestorComplete(let status): "setRequestorComplete(\(status))"
        case .authenticationStatus(let status, let code): "setAuthenticationStatus(\(status), \"\(code)\")"
        case .providerDialog(let ids): "displayProviderDialog(\(ids.joined(separator: ", ")))"
        case .navigate(let url): "navigate(toUrl: \(url.withoutRegistrationCode)?…)"
        case .navigateInSafari(let url): "navigate(toUrl: \(url.withoutRegistrationCode)?…, useSVC: true)"
        case .presentPlatformDialog: "presentTvProviderDialog"
        case .dismissPlatformDialog: "dismissTvProviderDialog"
        case .preauthorizedResources(let ids): "preauthorizedResources([\(ids.joined(separator: ", "))])"
        // A viewer's data must not be printed.
        case .metadata(let value, let encrypted, let key, let argument):
            "setMetadataStatus(\(value == nil ? "nil" : "…"), encrypted: \(encrypted), \(key), \(argument ?? ""))"
        case .selectedProvider(let id): "selectedProvider(\(id ?? "nil"))"
        case .token(let token, let resource): "setToken(\(token.utf8.count) bytes, forResource: \(resource))"
        case .tokenRequestFailed(let resource, let code, let description):
            "tokenRequestFailed(\(resource), \"\(code)\", \"\(description)\")"
        case .tracking(let data, let event): "sendTrackingData([\(data.joined(separator: ", "))], \(event))"
        case .status(let id, let level, let message): "status(\(id), \(level)\(message.map { ", \"\($0)\"" } ?? ""))"
        }
    }
}

extension String {
    /// A URL without its query, and without the code that some paths end with.
    package var withoutRegistrationCode: String {
        let path = divided(at: "?").before
        guard let place = path.dividedAtLast("/")?.before else { return String(path) }
        let parent = place.dividedAtLast("/")?.before ?? ""
        let endsWithCode =
            ["/regcode", "/profiles/code", "/sessions"].contains { place.hasByteSuffix($0) }
            || parent.hasByteSuffix("/api/v2/authenticate")
        return endsWithCode ? "\(place)/…" : String(path)
    }
}
