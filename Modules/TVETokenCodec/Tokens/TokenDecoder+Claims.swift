import TVEModels

// A missing element and an empty one both result in an empty text. Neither is valid where the element is required.

extension TokenDecoder {
    static func authenticationClaims(_ document: borrowing XMLDocument) throws(TokenCodecError)
        -> AuthenticationToken.Claims
    {
        try document.checkRoot(is: .authentication)
        var guid = "", requestorID = "", domainName = "", mvpdID = "", fingerprint = ""
        var samlSessionIndex, samlNameID, transientPartOfGUID: String?
        var subMVPDID: MVPDID?
        var fragments: AuthenticationToken.DeviceFragments?
        var authorizesAll = false
        var authorizedResources: [String]?
        var expires: TokenDate?
        var timeToLive: Int?
        var children = try document.fields(of: XMLDocument.root, document.names.authentication)
        while let (name, child) = try children.nextField(in: document) {
            switch name {
            case .authenticationGUID: guid = try document.string(child)
            case .requestorID: requestorID = try document.string(child)
            case .domainName: domainName = try document.string(child)
            case .expires: expires = try document.date(child, .entitlement)
            case .mvpdID: mvpdID = try document.string(child)
            case .deviceID: (fingerprint, fragments) = try device(document, child)
            case .samlSessionIndex: samlSessionIndex = try document.string(child)
            case .samlNameID: samlNameID = try document.string(child)
            case .subMVPDID: subMVPDID = MVPDID(try document.string(child))
            case .transientPartOfGUID: transientPartOfGUID = try document.string(child)
            case .authorizesAll: authorizesAll = try document.isTrue(child)
            case .authorizedResources: authorizedResources = try resources(document, child)
            case .timeToLive: timeToLive = Int(clamping: try document.lifetime(child))
            }
        }
        try require(guid, AuthenticationElement.authenticationGUID)
        try require(requestorID, AuthenticationElement.requestorID)
        try require(domainName, AuthenticationElement.domainName)
        try require(mvpdID, AuthenticationElement.mvpdID)
        try require(fingerprint, DeviceElement.fingerprint)
        return AuthenticationToken.Claims(
            authenticationGUID: guid, requestorID: RequestorID(requestorID), domainName: domainName,
            expires: try required(expires, AuthenticationElement.expires), mvpdID: MVPDID(mvpdID),
            fingerprint: fingerprint, fragments: fragments, samlSessionIndex: samlSessionIndex, samlNameID: samlNameID,
            subMVPDID: subMVPDID, transientPartOfGUID: transientPartOfGUID, authorizesAll: authorizesAll,
            authorizedResources: authorizedResources, timeToLive: timeToLive)
    }

    static func authorizationClaims(_ document: borrowing XMLDocument) throws(TokenCodecError)
        -> AuthorizationToken.Claims
    {
        try document.checkRoot(is: .authorization)
        var requestorID = "", resource = "", mvpdID = "", fingerprint = ""
        var subMVPDID: MVPDID?
        var expires: TokenDate?
        var authorizesAll = false
        var children = try document.fields(of: XMLDocument.root, document.names.authorization)
        while let (name, child) = try children.nextField(in: document) {
            switch name {
            case .requestorID: requestorID = try document.string(child)
            case .resourceID: resource = try document.string(child)
            case .expires: expires = try document.date(child, .entitlement)
            case .mvpdID: mvpdID = try document.string(child)
            case .subMVPDID: subMVPDID = MVPDID(try document.string(child))
            case .deviceID: fingerprint = try device(document, child).fingerprint
            case .authorizesAll: authorizesAll = try document.isTrue(child)
            }
        }
        try require(requestorID, AuthorizationElement.requestorID)
        try require(resource, AuthorizationElement.resourceID)
        try require(mvpdID, AuthorizationElement.mvpdID)
        var claims = AuthorizationToken.Claims(
            requestorID: RequestorID(requestorID), resource: Resource(resource),
            expires: try required(expires, AuthorizationElement.expires), mvpdID: MVPDID(mvpdID),
            fingerprint: fingerprint.isEmpty ? nil : fingerprint)
        claims.subMVPDID = subMVPDID
        claims.authorizesAll = authorizesAll
        return claims
    }

    static func mediaClaims(_ document: borrowing XMLDocument) throws(TokenCodecError) -> MediaToken.Claims {
        try document.checkRoot(is: .media, or: .documentedMedia)
        var sessionGUID = "", requestorID = "", resource = "", mvpdID = ""
        var proxyMVPDID: MVPDID?
        var timeToLive: Int64?
        var issued: TokenDate?
        var children = try document.fields(of: XMLDocument.root, document.names.media)
        while let (name, child) = try children.nextField(in: document) {
            switch name {
            case .sessionGUID: sessionGUID = try document.string(child)
            case .requestorID: requestorID = try document.string(child)
            case .resourceID: resource = try document.string(child)
            case .timeToLive: timeToLive = try document.lifetime(child, perSecond: 1_000)
            case .issueTime: issued = try document.date(child, .media)
            case .mvpdID: mvpdID = try document.string(child)
            case .proxyMVPDID: proxyMVPDID = MVPDID(try document.string(child))
            }
        }
        try require(sessionGUID, MediaElement.sessionGUID)
        try require(requestorID, MediaElement.requestorID)
        try require(resource, MediaElement.resourceID)
        try require(mvpdID, MediaElement.mvpdID)
        return MediaToken.Claims(
            sessionGUID: sessionGUID, requestorID: RequestorID(requestorID), resource: Resource(resource),
            timeToLive: try required(timeToLive, MediaElement.timeToLive),
            issued: try required(issued, MediaElement.issueTime), mvpdID: MVPDID(mvpdID), proxyMVPDID: proxyMVPDID)
    }

    // MARK: - Parts

    private static func device(
        _ document: borrowing XMLDocument, _ position: Int
    ) throws(TokenCodecError) -> (fingerprint: String, fragments: AuthenticationToken.DeviceFragments?) {
        var fingerprint = ""
        var fragments: AuthenticationToken.DeviceFragments?
        var children = try document.fields(of: position, document.names.device)
        while let (name, child) = try children.nextField(in: document) {
            switch name {
            case .fingerprint: fingerprint = try document.string(child)
            case .fragments: fragments = try Self.fragments(document, child)
            }
        }
        return (fingerprint, fragments)
    }

    private static func fragments(
        _ document: borrowing XMLDocument, _ position: Int
    ) throws(TokenCodecError) -> AuthenticationToken.DeviceFragments {
        var fragments = AuthenticationToken.DeviceFragments()
        var children = try document.fields(of: position, document.names.fragments)
        while let (name, child) = try children.nextField(in: document) {
            switch name {
            case .browser: fragments.browser = try document.string(child)
            case .platform: fragments.platform = try document.string(child)
            case .vendor: fragments.vendor = try document.string(child)
            case .address: fragments.address = try document.string(child)
            }
        }
        return fragments
    }

    /// Returns the channel line-up that some providers put into the AuthN token.
    ///
    /// It has one element per resource, with the resource's id in an attribute.
    private static func resources(_ document: borrowing XMLDocument, _ position: Int) throws(TokenCodecError)
        -> [String]
    {
        let name = "simpleAuthorizedResource"
        var resources: [String] = []
        try document.forEachChild(of: position) { child throws(TokenCodecError) in
            guard document.name(of: child) == name else { return }
            guard let id = document.attributes(of: child).last(where: { $0.name == "simpleResourceID" })?.value,
                document.text(of: child) != nil
            else { throw .unexpectedContent(name) }
            resources.append(id)
        }
        return resources
    }

    private static func require(_ text: String, _ name: some ElementName) throws(TokenCodecError) {
        if text.isEmpty { throw .missingElement(name.wireName) }
    }

    private static func required<Value>(_ value: Value?, _ name: some ElementName) throws(TokenCodecError) -> Value {
        guard let value else { throw .missingElement(name.wireName) }
        return value
    }
}
