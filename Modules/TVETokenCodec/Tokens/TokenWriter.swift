public import TVEModels

/// A writer of the bodies of tokens, which are the text that a service signs, in the captured wire order.
public enum TokenWriter {
    /// Returns the body of an AuthN token.
    ///
    /// - Parameter claims: the token's values.
    /// - Returns: one line of XML, without envelope.
    public static func body(_ claims: AuthenticationToken.Claims) -> String {
        element(TokenElement.authentication.wireName) {
            AuthenticationElement.allCases.map { name in
                let text: String? =
                    switch name {
                    case .authenticationGUID: claims.authenticationGUID
                    case .samlSessionIndex: claims.samlSessionIndex
                    case .requestorID: claims.requestorID.text
                    case .domainName: claims.domainName
                    case .expires: TokenDateFormat.entitlement.print(claims.expires)
                    case .mvpdID: claims.mvpdID.text
                    case .samlNameID: claims.samlNameID
                    case .subMVPDID: claims.subMVPDID?.text
                    case .transientPartOfGUID: claims.transientPartOfGUID
                    case .authorizesAll: claims.authorizesAll ? "true" : nil
                    case .timeToLive: claims.timeToLive.map(String.init)
                    case .deviceID, .authorizedResources: nil
                    }
                return switch name {
                case .deviceID: device(claims.fingerprint, claims.fragments)
                case .authorizedResources: claims.authorizedResources.map(resources) ?? ""
                default: leaf(name.wireName, text)
                }
            }
        }
    }

    /// Returns the body of an AuthZ token.
    ///
    /// - Parameter claims: the token's values.
    /// - Returns: one line of XML, without envelope.
    public static func body(_ claims: AuthorizationToken.Claims) -> String {
        element(TokenElement.authorization.wireName) {
            [
                leaf(AuthorizationElement.requestorID.wireName, claims.requestorID.text),
                resource(AuthorizationElement.resourceID.wireName, claims.resource),
                leaf(AuthorizationElement.expires.wireName, TokenDateFormat.entitlement.print(claims.expires)),
                leaf(AuthorizationElement.mvpdID.wireName, claims.mvpdID.text),
                leaf(AuthorizationElement.subMVPDID.wireName, claims.subMVPDID?.text),
                claims.fingerprint.map { device($0, nil) } ?? "",
                leaf(AuthorizationElement.authorizesAll.wireName, claims.authorizesAll ? "true" : nil),
            ]
        }
    }

    /// Returns the body of a media token.
    ///
    /// - Parameter claims: the token's values.
    /// - Returns: one line of XML, without envelope, with the root `authToken`.
    public static func body(_ claims: MediaToken.Claims) -> String {
        element(TokenElement.media.wireName) {
            [
                leaf(MediaElement.sessionGUID.wireName, claims.sessionGUID),
                leaf(MediaElement.requestorID.wireName, claims.requestorID.text),
                resource(MediaElement.resourceID.wireName, claims.resource),
                leaf(MediaElement.timeToLive.wireName, String(claims.timeToLive)),
                leaf(MediaElement.issueTime.wireName, TokenDateFormat.media.print(claims.issued)),
                leaf(MediaElement.mvpdID.wireName, claims.mvpdID.text),
                leaf(MediaElement.proxyMVPDID.wireName, claims.proxyMVPDID?.text),
            ]
        }
    }

    private static func element(_ name: String, _ content: () -> [String]) -> String {
        "<\(name)>\(content().joined())</\(name)>"
    }

    private static func leaf(_ name: String, _ text: String?) -> String {
        text.map { "<\(name)>\($0.escapedForXML)</\(name)>" } ?? ""
    }

    /// Writes a resource, as plain text for an id and in CDATA for a document.
    ///
    /// An inner `]]>` is written as the end of the CDATA, a literal `>`, and a new CDATA (wire protocol, short media
    /// token).
    private static func resource(_ name: String, _ resource: Resource) -> String {
        guard resource.text.utf8.contains(UInt8(ascii: "<")),
            !resource.text.unicodeScalars.contains(where: isOutOfPlaceInCDATA)
        else { return leaf(name, resource.text) }
        let escaped = resource.text.replacingBytes(of: "]]>", with: "]]]]>><![CDATA[")
        return "<\(name)><![CDATA[\(escaped)]]></\(name)>"
    }

    /// Returns a Boolean value that indicates whether a character must be escaped or replaced, which CDATA cannot do.
    private static func isOutOfPlaceInCDATA(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "\t", "\n": false
        // A parser changes a carriage return in CDATA, but not one in a character reference. XML forbids the others.
        case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": true
        default: false
        }
    }

    private static func resources(_ ids: [String]) -> String {
        element(AuthenticationElement.authorizedResources.wireName) {
            ids.map { "<simpleAuthorizedResource simpleResourceID=\"\($0.escapedForXML)\"/>" }
        }
    }

    private static func device(_ fingerprint: String, _ fragments: AuthenticationToken.DeviceFragments?) -> String {
        element(AuthenticationElement.deviceID.wireName) {
            [leaf(DeviceElement.fingerprint.wireName, fingerprint), fragments.map(fragmentList) ?? ""]
        }
    }

    private static func fragmentList(_ fragments: AuthenticationToken.DeviceFragments) -> String {
        element(DeviceElement.fragments.wireName) {
            [
                leaf(FragmentElement.browser.wireName, fragments.browser),
                leaf(FragmentElement.platform.wireName, fragments.platform),
                leaf(FragmentElement.vendor.wireName, fragments.vendor),
                leaf(FragmentElement.address.wireName, fragments.address),
            ]
        }
    }
}
