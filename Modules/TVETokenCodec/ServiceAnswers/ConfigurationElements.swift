// The element names of the configuration, in the order in which they were captured on the wire. The name of a case
// without a text is the name of its element.

enum ConfigurationElement: String, ElementName {
    case time
    case device
    case clientType
    case operatingSystem = "os"
    case requestor
}

enum RequestorElement: String, ElementName {
    case id
    case name
    case domains
    case channels
    case providers = "mvpds"
}

enum ProviderListElement: String, ElementName {
    case provider = "mvpd"
}

enum ProviderElement: String, ElementName {
    case id
    case displayName
    case logoURL = "logoUrl"
    case foregroundLogout
    case iFrameRequired
    case iFrameWidth
    case iFrameHeight
    case isProxy
    case authPerAggregator
    case passiveAuthentication = "passiveAuthnEnabled"
    case authPerBrowserSession
    case tempPass
    case isTempPass
    case platformSignOn = "enablePlatformServices"
    case boardingStatus
    case shownInPlatformPicker = "displayInPlatformPicker"
    case platformMappingID = "platformMappingId"
    case requiredMetadataFields
    // No public configuration contains this element (Documentation/Specification/Decided.md).
    case safari = "useSVC"
}
