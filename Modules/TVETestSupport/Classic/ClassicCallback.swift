import AccessEnabler
import TVEModels

/// One callback of the classic API with all of its arguments, as a value.
///
/// ``CallbackRecorder/providers`` has what else a callback says about TV providers.
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
    case navigateInSafari(String, useSVC: Bool)
    /// `presentTvProviderDialog`, with the identity of the view controller
    case presentPlatformDialog(ObjectIdentifier?)
    /// `dismissTvProviderDialog`, with the identity of the view controller
    case dismissPlatformDialog(ObjectIdentifier?)
    /// `preauthorizedResources`
    case preauthorizedResources([String])
    /// `setMetadataStatus`, with its value and the arguments of the question as strings
    case metadata(String?, encrypted: Bool, key: Int32, arguments: [String: String])
    /// `selectedProvider`, with the provider's id
    case selectedProvider(String?)
    /// `setToken`
    case token(String, resource: String)
    /// `tokenRequestFailed`
    case tokenRequestFailed(resource: String, code: String, description: String)
    /// `sendTrackingData`
    case tracking([String], event: Int32)
    /// `status`, with its id, level and message, and every other entry of its dictionary
    case status(id: String, level: String, message: String?, further: [String: String])
}

extension ClassicCallback: CustomStringConvertible {
    /// The callback's name and arguments; tokens are shown by length, pages without their query.
    public var description: String {
        switch self {
        case .requestorComplete(let status): "setRequestorComplete(\(status))"
        case .authenticationStatus(let status, let code): "setAuthenticationStatus(\(status), \"\(code)\")"
        case .providerDialog(let ids): "displayProviderDialog(\(ids.joined(separator: ", ")))"
        case .navigate(let url): "navigate(toUrl: \(url.withoutRegistrationCode)?…)"
        case .navigateInSafari(let url, let useSVC):
            "navigate(toUrl: \(url.withoutRegistrationCode)?…, useSVC: \(useSVC))"
        case .presentPlatformDialog: "presentTvProviderDialog"
        case .dismissPlatformDialog: "dismissTvProviderDialog"
        case .preauthorizedResources(let ids): "preauthorizedResources([\(ids.joined(separator: ", "))])"
        // A viewer's data must not be printed.
        case .metadata(let value, let encrypted, let key, let arguments):
            "setMetadataStatus(\(value == nil ? "nil" : "…"), encrypted: \(encrypted), \(key), \(Self.topic(of: arguments)))"
        case .selectedProvider(let id): "selectedProvider(\(id ?? "nil"))"
        case .token(let token, let resource): "setToken(\(token.utf8.count) bytes, forResource: \(resource))"
        case .tokenRequestFailed(let resource, let code, let description):
            "tokenRequestFailed(\(resource), \"\(code)\", \"\(description)\")"
        case .tracking(let data, let event): "sendTrackingData([\(data.joined(separator: ", "))], \(event))"
        case .status(let id, let level, let message, _):
            "status(\(id), \(level)\(message.map { ", \"\($0)\"" } ?? ""))"
        }
    }

    /// The name or resource that a question of `getMetadata` is about; empty for a question that needs neither.
    package static func topic(of arguments: [String: String]) -> String {
        arguments[METADATA_USER_META_KEY] ?? arguments[METADATA_RESOURCE_ID_KEY] ?? ""
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
