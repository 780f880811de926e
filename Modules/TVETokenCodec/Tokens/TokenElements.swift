// The element names of the three tokens. The name of a case without a text is the name of its element. Children are in
// the order in which they were captured on the wire: the decoder looks them up by name, and the writer follows the
// order.

enum TokenElement: String, ElementName {
    case authentication = "simpleAuthenticationToken"
    case authorization = "simpleAuthorizationToken"
    case media = "authToken"
    // This is the documented name, but the service sends the other one.
    case documentedMedia = "shortAuthorizationToken"
}

enum AuthenticationElement: String, ElementName {
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

enum DeviceElement: String, ElementName {
    case fingerprint = "simpleTokenFingerprint"
    case fragments = "simpleTokenDeviceIDFragments"
}

enum FragmentElement: String, ElementName {
    case browser = "simpleTokenBrowserInfo"
    case platform = "simpleTokenPlatformInfo"
    case vendor = "simpleTokenVendorInfo"
    case address = "simpleTokenIpAddr"
}

enum AuthorizationElement: String, ElementName {
    case requestorID = "simpleTokenRequestorID"
    case resourceID = "simpleTokenResourceID"
    case expires = "simpleTokenTTL"
    case mvpdID = "simpleTokenMsoID"
    case subMVPDID = "simpleTokenSubMvpdID"
    case deviceID = "simpleTokenDeviceID"
    case authorizesAll = "zAll"
}

enum MediaElement: String, ElementName {
    case sessionGUID
    case requestorID
    case resourceID
    case timeToLive = "ttl"
    case issueTime
    case mvpdID = "mvpdId"
    case proxyMVPDID = "proxyMvpdId"
}
