import Foundation

/// Composed tokens (wire protocol, 6.2 to 6.4), with an invalid signature.
enum TokenSamples {
    static let signature = Data((0..<128).map { UInt8($0) })

    static let authenticationBody = """
        <simpleAuthenticationToken><simpleTokenAuthenticationGuid>00000000-1111-2222-3333-444444444444\
        </simpleTokenAuthenticationGuid><simpleSamlSessionIndex>aW5kZXg=</simpleSamlSessionIndex>\
        <simpleTokenRequestorID>SBX</simpleTokenRequestorID><simpleTokenDomainName>adobe.com</simpleTokenDomainName>\
        <simpleTokenExpires>2026/12/21 09:30:00 GMT -0800</simpleTokenExpires><simpleTokenMsoID>sbx-cable\
        </simpleTokenMsoID><simpleTokenDeviceID><simpleTokenFingerprint>fb9d78c9487a5857b617c0ff5b45198f532c639d\
        </simpleTokenFingerprint></simpleTokenDeviceID><simpleSamlNameID>bmFtZQ==</simpleSamlNameID><ttl>2592000</ttl>\
        </simpleAuthenticationToken>
        """

    static let authorizationBody = """
        <simpleAuthorizationToken><simpleTokenRequestorID>SBX</simpleTokenRequestorID><simpleTokenResourceID>SBX-1\
        </simpleTokenResourceID><simpleTokenTTL>2026/11/22 09:30:00 GMT -0800</simpleTokenTTL><simpleTokenMsoID>\
        sbx-cable</simpleTokenMsoID><simpleTokenDeviceID><simpleTokenFingerprint>\
        fb9d78c9487a5857b617c0ff5b45198f532c639d</simpleTokenFingerprint></simpleTokenDeviceID>\
        </simpleAuthorizationToken>
        """

    static let mediaBody = """
        <authToken><sessionGUID>9f3c0000000000000000000000000000</sessionGUID><requestorID>SBX</requestorID>\
        <resourceID>SBX-1</resourceID><ttl>420000</ttl><issueTime>2026-11-21 09:30:00 -0800</issueTime>\
        <mvpdId>sbx-cable</mvpdId></authToken>
        """

    static func token(_ body: String) -> String {
        "<signatureInfo>\(signature.base64EncodedString())<signatureInfo>\(body)"
    }

    static let authentication = token(authenticationBody)
    static let authorization = token(authorizationBody)
    static let media = token(mediaBody)
}
