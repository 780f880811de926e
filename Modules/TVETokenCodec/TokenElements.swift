// The element names of the three tokens, in the order in which they were captured on the wire. The decoder looks them up
// by name; the writer follows the order.

enum AuthenticationElement: String, CaseIterable {
    case authenticationGUID = "simpleTokenAuthenticationGuid"
    case samlSessionIndex = "simpleSamlSessionIndex"
    case requestorID = "simpleTokenRequestorID"
    case domainName = "simpleTokenDomainName"
    case expires = "simpleTokenExpires"
    case mvpdID = "simpleTokenMsoID"
    case deviceID = "simpleTokenDeviceID"
    case samlNameID = "simpleSamlNameID"
    case subMVPDID = "simpleTokenSubMvpdID"
    case transientPartOfGUID = "simpleTransientPartOfGuid"
    case authorizesAll = "zAll"
    case authorizedResources = "simpleAuthorizedResources"
    case timeToLive = "ttl"
}

enum FragmentElement: String, CaseIterable {
    case browser = "simpleTokenBrowserInfo"
    case platform = "simpleTokenPlatformInfo"
    case vendor = "simpleTokenVendorInfo"
    case address = "simpleTokenIpAddr"
}

enum AuthorizationElement: String, CaseIterable {
    case requestorID = "simpleTokenRequestorID"
    case resourceID = "simpleTokenResourceID"
    case expires = "simpleTokenTTL"
    case mvpdID = "simpleTokenMsoID"
    case subMVPDID = "simpleTokenSubMvpdID"
    case deviceID = "simpleTokenDeviceID"
    case authorizesAll = "zAll"
}

enum MediaElement: String, CaseIterable {
    case sessionGUID, requestorID
    case resourceID, issueTime
    case timeToLive = "ttl"
    case mvpdID = "mvpdId"
    case proxyMVPDID = "proxyMvpdId"
}
