public import TVEModels

/// Reads signed tokens: text in, values out, the text itself untouched beside them.
///
/// Reading proves nothing about who signed a token: clients never check signatures, back ends use
/// ``MediaTokenVerifier``.
public struct TokenDecoder: Sendable {
    /// Limits for token bodies.
    public var policy: XMLPolicy

    /// Makes a decoder.
    ///
    /// - Parameter policy: limits for token bodies; the default fits every real token.
    public init(policy: XMLPolicy = .token) {
        self.policy = policy
    }

    /// Reads an AuthN token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`; it names the element or the fault, never the token's text.
    public func authenticationToken(_ text: String) throws(TokenCodecError) -> AuthenticationToken {
        let (raw, root) = try open(text, roots: ["simpleAuthenticationToken"])
        let fields = try TokenFields(root, known: Set(AuthenticationElement.allCases.map(\.rawValue)))
        let device = try device(fields.element(AuthenticationElement.deviceID.rawValue))
        var claims = AuthenticationToken.Claims(
            authenticationGUID: try fields.required(AuthenticationElement.authenticationGUID.rawValue),
            requestorID: try fields.required(AuthenticationElement.requestorID.rawValue),
            domainName: try fields.required(AuthenticationElement.domainName.rawValue),
            expires: try fields.date(AuthenticationElement.expires.rawValue, .entitlement),
            mvpdID: try fields.required(AuthenticationElement.mvpdID.rawValue),
            fingerprint: try Self.present(device?.fingerprint, "simpleTokenFingerprint"))
        claims.fragments = device?.fragments
        claims.samlSessionIndex = try fields.optional(AuthenticationElement.samlSessionIndex.rawValue)
        claims.samlNameID = try fields.optional(AuthenticationElement.samlNameID.rawValue)
        claims.subMVPDID = try fields.optional(AuthenticationElement.subMVPDID.rawValue)
        claims.transientPartOfGUID = try fields.optional(AuthenticationElement.transientPartOfGUID.rawValue)
        claims.authorizesAll = try fields.flag(AuthenticationElement.authorizesAll.rawValue)
        claims.authorizedResources = try resources(fields.element(AuthenticationElement.authorizedResources.rawValue))
        claims.timeToLive = try fields.number(AuthenticationElement.timeToLive.rawValue).map(Int.init)
        return AuthenticationToken(text: raw, claims: claims)
    }

    /// Reads an AuthZ token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`; it names the element or the fault, never the token's text.
    public func authorizationToken(_ text: String) throws(TokenCodecError) -> AuthorizationToken {
        let (raw, root) = try open(text, roots: ["simpleAuthorizationToken"])
        let fields = try TokenFields(root, known: Set(AuthorizationElement.allCases.map(\.rawValue)))
        var claims = AuthorizationToken.Claims(
            requestorID: try fields.required(AuthorizationElement.requestorID.rawValue),
            resource: Resource(try fields.required(AuthorizationElement.resourceID.rawValue)),
            expires: try fields.date(AuthorizationElement.expires.rawValue, .entitlement),
            mvpdID: try fields.required(AuthorizationElement.mvpdID.rawValue),
            fingerprint: try device(fields.element(AuthorizationElement.deviceID.rawValue))?.fingerprint)
        claims.subMVPDID = try fields.optional(AuthorizationElement.subMVPDID.rawValue)
        claims.authorizesAll = try fields.flag(AuthorizationElement.authorizesAll.rawValue)
        return AuthorizationToken(text: raw, claims: claims)
    }

    /// Reads a media token.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text and its claims.
    /// - Throws: any `TokenCodecError`; it names the element or the fault, never the token's text.
    public func mediaToken(_ text: String) throws(TokenCodecError) -> MediaToken {
        let (raw, root) = try open(text, roots: ["authToken", "shortAuthorizationToken"])
        let fields = try TokenFields(root, known: Set(MediaElement.allCases.map(\.rawValue)))
        guard let timeToLive = try fields.number(MediaElement.timeToLive.rawValue) else {
            throw .missingElement(MediaElement.timeToLive.rawValue)
        }
        let claims = MediaToken.Claims(
            sessionGUID: try fields.required(MediaElement.sessionGUID.rawValue),
            requestorID: try fields.required(MediaElement.requestorID.rawValue),
            resource: Resource(try fields.required(MediaElement.resourceID.rawValue)),
            timeToLive: timeToLive,
            issued: try fields.date(MediaElement.issueTime.rawValue, .media),
            mvpdID: try fields.required(MediaElement.mvpdID.rawValue),
            proxyMVPDID: try fields.optional(MediaElement.proxyMVPDID.rawValue))
        return MediaToken(text: raw, claims: claims)
    }

    /// Splits the envelope and parses the body.
    private func open(_ text: String, roots: [String]) throws(TokenCodecError) -> (TokenText, XMLElement) {
        // Base64 makes four bytes of three, and the envelope adds a signature: twice the body's limit covers both.
        guard text.utf8.count <= policy.maximumBytes * 2 else { throw .tooLarge(limit: policy.maximumBytes) }
        let raw = try TokenEnvelope.unwrapped(text)
        let body = try TokenEnvelope(parsing: raw).body.utf8
        // A token is one element from its first byte to its last: no declaration, no blanks around it.
        guard body.starts(with: "<".utf8), !body.starts(with: "<?".utf8), body.last == UInt8(ascii: ">") else {
            throw .envelope(.strayBytes)
        }
        let root: XMLElement
        do throws(TokenCodecError) {
            root = try XMLTree.parse(body, policy)
        } catch .malformedXML(code: XMLEventParser.contentAfterRoot, _) {
            throw .envelope(.secondBody)
        }
        guard roots.contains(root.name), root.namespace == nil else { throw .unexpectedRoot(expected: roots[0]) }
        guard root.attributes.isEmpty else { throw .unexpectedContent(root.name) }
        return (TokenText(raw), root)
    }

    private func device(
        _ element: XMLElement?
    ) throws(TokenCodecError) -> (fingerprint: String?, fragments: AuthenticationToken.DeviceFragments?)? {
        guard let element else { return nil }
        let fields = try TokenFields(element, known: ["simpleTokenFingerprint", "simpleTokenDeviceIDFragments"])
        return (
            try fields.optional("simpleTokenFingerprint"), try fragments(fields.element("simpleTokenDeviceIDFragments"))
        )
    }

    private func fragments(_ element: XMLElement?) throws(TokenCodecError) -> AuthenticationToken.DeviceFragments? {
        guard let element else { return nil }
        let fields = try TokenFields(element, known: Set(FragmentElement.allCases.map(\.rawValue)))
        return AuthenticationToken.DeviceFragments(
            browser: try fields.optional(FragmentElement.browser.rawValue),
            platform: try fields.optional(FragmentElement.platform.rawValue),
            vendor: try fields.optional(FragmentElement.vendor.rawValue),
            address: try fields.optional(FragmentElement.address.rawValue))
    }

    /// The channel line-up some providers put into the AuthN token: one element a resource, its id in an attribute.
    private func resources(_ element: XMLElement?) throws(TokenCodecError) -> [String]? {
        guard let element else { return nil }
        var resources: [String] = []
        for child in element.children where child.name == "simpleAuthorizedResource" {
            guard let id = child.attributes["simpleResourceID"], child.children.isEmpty else {
                throw .unexpectedContent(child.name)
            }
            resources.append(id)
        }
        return resources
    }

    private static func present(_ text: String?, _ name: String) throws(TokenCodecError) -> String {
        guard let text, !text.isEmpty else { throw .missingElement(name) }
        return text
    }
}
