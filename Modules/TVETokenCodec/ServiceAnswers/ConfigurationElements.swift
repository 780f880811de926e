// The element names of the configuration, in the order in which they were captured on the wire.

enum ConfigurationElement: Int, ElementName {
    case time, device, clientType, operatingSystem, requestor

    var wireName: String {
        switch self {
        case .time: "time"
        case .device: "device"
        case .clientType: "clientType"
        case .operatingSystem: "os"
        case .requestor: "requestor"
        }
    }
}

enum RequestorElement: Int, ElementName {
    case id, name, domains, channels, providers

    var wireName: String {
        switch self {
        case .id: "id"
        case .name: "name"
        case .domains: "domains"
        case .channels: "channels"
        case .providers: "mvpds"
        }
    }
}

enum ProviderListElement: Int, ElementName {
    case provider

    var wireName: String { "mvpd" }
}

enum ProviderElement: Int, ElementName {
    case id, displayName, logoURL, foregroundLogout, iFrameRequired, iFrameWidth, iFrameHeight, isProxy
    case authPerAggregator, passiveAuthentication, authPerBrowserSession, tempPass, isTempPass, platformSignOn
    case boardingStatus, shownInPlatformPicker, platformMappingID, requiredMetadataFields, safari

    var wireName: String {
        switch self {
        case .id: "id"
        case .displayName: "displayName"
        case .logoURL: "logoUrl"
        case .foregroundLogout: "foregroundLogout"
        case .iFrameRequired: "iFrameRequired"
        case .iFrameWidth: "iFrameWidth"
        case .iFrameHeight: "iFrameHeight"
        case .isProxy: "isProxy"
        case .authPerAggregator: "authPerAggregator"
        case .passiveAuthentication: "passiveAuthnEnabled"
        case .authPerBrowserSession: "authPerBrowserSession"
        case .tempPass: "tempPass"
        case .isTempPass: "isTempPass"
        case .platformSignOn: "enablePlatformServices"
        case .boardingStatus: "boardingStatus"
        case .shownInPlatformPicker: "displayInPlatformPicker"
        case .platformMappingID: "platformMappingId"
        case .requiredMetadataFields: "requiredMetadataFields"
        // No public configuration contains this element (Documentation/Behaviour.md).
        case .safari: "useSVC"
        }
    }
}
