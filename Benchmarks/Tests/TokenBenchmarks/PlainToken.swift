import CBareLibXML2
import Foundation
import TVEModels

/// The result of every peer for a token.
struct PlainToken: Equatable {
    var signature: Data
    var guid, requestorID, domainName: String
    var expires: Int
    var mvpdID, fingerprint: String
    var sessionIndex, nameID: String?
    var timeToLive: Int?
}

extension PlainToken {
    init?(_ values: [String: String]) {
        guard let signature = values["signatureInfo"].flatMap({ Data(base64Encoded: $0) }),
            let guid = values["simpleTokenAuthenticationGuid"], let requestorID = values["simpleTokenRequestorID"],
            let domainName = values["simpleTokenDomainName"],
            let expires = values["simpleTokenExpires"].flatMap(Self.date),
            let mvpdID = values["simpleTokenMsoID"], let fingerprint = values["simpleTokenFingerprint"]
        else { return nil }
        self.init(
            signature: signature, guid: guid, requestorID: requestorID, domainName: domainName, expires: expires,
            mvpdID: mvpdID, fingerprint: fingerprint, sessionIndex: values["simpleSamlSessionIndex"],
            nameID: values["simpleSamlNameID"], timeToLive: values["ttl"].flatMap { Int($0) })
    }

    static func date(_ text: String) -> Int? {
        let seconds = c_library_date(text)
        return seconds < 0 ? nil : Int(seconds)
    }
}

extension PlainToken {
    /// Converts the codec's result for a token, which has no signature.
    init(_ claims: AuthenticationToken.Claims) {
        self.init(
            signature: Data(), guid: claims.authenticationGUID, requestorID: claims.requestorID.text,
            domainName: claims.domainName, expires: Int(claims.expires.secondsSince1970), mvpdID: claims.mvpdID.text,
            fingerprint: claims.fingerprint, sessionIndex: claims.samlSessionIndex, nameID: claims.samlNameID,
            timeToLive: claims.timeToLive)
    }

    var withoutSignature: PlainToken {
        var token = self
        token.signature = Data()
        return token
    }
}
