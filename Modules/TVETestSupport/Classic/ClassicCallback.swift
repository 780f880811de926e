import AccessEnabler
import TVEModels

/// A callback of the classic API with all of its arguments, as a value.
///
/// A callback contains only the ids of TV providers; ``CallbackRecorder/providers`` contains the providers themselves.
public enum ClassicCallback: Sendable, Equatable {
    /// The callback `setRequestorComplete`.
    case requestorComplete(Int32)
    /// The callback `setAuthenticationStatus`.
    case authenticationStatus(Int32, code: String)
    /// The callback `displayProviderDialog`, with the ids of the providers.
    case providerDialog([String])
    /// The callback `navigate(toUrl:)`.
    case navigate(String)
    /// The callback `navigate(toUrl:useSVC:)`.
    case navigateInSafari(String, useSVC: Bool)
    /// The callback `presentTvProviderDialog`, with the identity of the view controller.
    case presentPlatformDialog(ObjectIdentifier?)
    /// The callback `dismissTvProviderDialog`, with the identity of the view controller.
    case dismissPlatformDialog(ObjectIdentifier?)
    /// The callback `preauthorizedResources`.
    case preauthorizedResources([String])
    /// The callback `setMetadataStatus`, with its value and the arguments of the request as strings.
    case metadata(String?, encrypted: Bool, key: Int32, arguments: [String: String])
    /// The callback `selectedProvider`, with the provider's id.
    case selectedProvider(String?)
    /// The callback `setToken`.
    case token(String, resource: String)
    /// The callback `tokenRequestFailed`.
    case tokenRequestFailed(resource: String, code: String, description: String)
    /// The callback `sendTrackingData`.
    case tracking([String], event: Int32)
    /// The callback `status`, with its id, level and message, and with every other entry of its dictionary.
    case status(id: String, level: String, message: String?, further: [String: String])
}

extension ClassicCallback: CustomStringConvertible {
    /// The callback's name and arguments, with the length in place of a token and with pages without their query.
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
        // The metadata of a viewer must not be printed.
        case .metadata(let value, let encrypted, let key, let arguments):
            "setMetadataStatus(\(value == nil ? "nil" : "…"), encrypted: \(encrypted), \(key), "
                + "\(Self.topic(of: arguments)))"
        case .selectedProvider(let id): "selectedProvider(\(id ?? "nil"))"
        case .token(let token, let resource): "setToken(\(token.utf8.count) bytes, forResource: \(resource))"
        case .tokenRequestFailed(let resource, let code, let description):
            "tokenRequestFailed(\(resource), \"\(code)\", \"\(description)\")"
        case .tracking(let data, let event): "sendTrackingData([\(data.joined(separator: ", "))], \(event))"
        case .status(let id, let level, let message, _):
            "status(\(id), \(level)\(message.map { ", \"\($0)\"" } ?? ""))"
        }
    }

    /// Returns the name or the resource in the arguments of `getMetadata`, or an empty text if there is neither.
    package static func topic(of arguments: [String: String]) -> String {
        arguments[METADATA_USER_META_KEY] ?? arguments[METADATA_RESOURCE_ID_KEY] ?? ""
    }
}

extension String {
    /// The URL without its query, and without the registration code at the end of some paths.
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
