import Foundation
import XMLCoder

/// The code of an app that uses XMLCoder.
enum CodableToken {
    private struct Document: Decodable {
        var signatureInfo: String
        var simpleAuthenticationToken: Body
    }

    private struct Body: Decodable {
        var simpleTokenAuthenticationGuid: String
        var simpleSamlSessionIndex: String?
        var simpleTokenRequestorID: String
        var simpleTokenDomainName: String
        var simpleTokenExpires: String
        var simpleTokenMsoID: String
        var simpleTokenDeviceID: Device
        var simpleSamlNameID: String?
        var ttl: Int?
    }

    private struct Device: Decodable {
        var simpleTokenFingerprint: String
    }

    static func token(in document: Data) -> PlainToken? {
        guard let document = try? XMLDecoder().decode(Document.self, from: document),
            let signature = Data(base64Encoded: document.signatureInfo),
            let expires = PlainToken.date(document.simpleAuthenticationToken.simpleTokenExpires)
        else { return nil }
        let body = document.simpleAuthenticationToken
        return PlainToken(
            signature: signature, guid: body.simpleTokenAuthenticationGuid, requestorID: body.simpleTokenRequestorID,
            domainName: body.simpleTokenDomainName, expires: expires, mvpdID: body.simpleTokenMsoID,
            fingerprint: body.simpleTokenDeviceID.simpleTokenFingerprint,
            sessionIndex: body.simpleSamlSessionIndex, nameID: body.simpleSamlNameID, timeToLive: body.ttl)
    }
}
