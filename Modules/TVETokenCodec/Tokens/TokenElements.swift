// The element names of the three tokens; children in the order in which they were captured on the wire. The decoder looks them up
// by name; the writer follows the order.

enum TokenElement: Int, ElementName {
    case authentication, authorization, media, documentedMedia

    var wireName: String {
        switch self {
        case .authentication: "simpleAuthenticationToken"
        case .authorization: "simpleAuthorizationToken"
        case .media: "authToken"
        // The documented name; the service sends the other one.
        case .documentedMedia: "shortAuthorizationToken"
        }
    }
}

enum AuthenticationElement: Int, ElementName {
    case authenticationGUID, samlSessionIndex, requestorID, domainName, expires, mvpdID, deviceID, samlNameID
    case subMVPDID, transientPartOfGUID, authorizesAll, authorizedResources, timeToLive

    var wireName: String {
        switch self {
        case .authenticationGUID: "simpleTokenAuthenticationGuid"
        case .samlSessionIndex: "simpleSamlSessionIndex"
        case .requestorID: "simpleTokenRequestorID"
        case .domainName: "simpleTokenDomainName"
        case .expires: "simpleTokenExpires"
        case .mvpdID: "simpleTokenMsoID"
        case .deviceID: "simpleTokenDeviceID"
        case .samlNameID: "simpleSamlNameID"
        case .subMVPDID: "simpleTokenSubMvpdID"
        case .transientPartOfGUID: "simpleTransientPartOfGuid"
        case .authorizesAll: "zAll"
        case .authorizedResources: "simpleAuthorizedResources"
        case .timeToLive: "ttl"
        }
    }
}

enum DeviceElement: Int, ElementName {
    case fingerprint, fragments

    var wireName: String {
        switch self {
        case .fingerprint: "simpleTokenFingerprint"
        case .fragments: "simpleTokenDeviceIDFragments"
        }
    }
}

enum FragmentElement: Int, ElementName {
    case browser, platform, vendor, address

    var wireName: String {
        switch self {
        case .browser: "simpleTokenBrowserInfo"
        case .platform: "simpleTokenPlatformInfo"
        case .vendor: "simpleTokenVendorInfo"
        case .address: "simpleTokenIpAddr"
        }
    }
}

enum AuthorizationElement: Int, ElementName {
    case requestorID, resourceID, expires, mvpdID, subMVPDID, deviceID, authorizesAll

    var wireName: String {
        switch self {
        case .requestorID: "simpleTokenRequestorID"
        case .resourceID: "simpleTokenResourceID"
        case .expires: "simpleTokenTTL"
        case .mvpdID: "simpleTokenMsoID"
        case .subMVPDID: "simpleTokenSubMvpdID"
        case .deviceID: "simpleTokenDeviceID"
        case .authorizesAll: "zAll"
        }
    }
}

enum MediaElement: Int, ElementName {
    case sessionGUID, requestorID, resourceID, timeToLive, issueTime, mvpdID, proxyMVPDID

    var wireName: String {
        switch self {
        case .sessionGUID: "sessionGUID"
        case .requestorID: "requestorID"
        case .resourceID: "resourceID"
        case .timeToLive: "ttl"
        case .issueTime: "issueTime"
        case .mvpdID: "mvpdId"
        case .proxyMVPDID: "proxyMvpdId"
        }
    }
}
