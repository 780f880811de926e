import Foundation
import TVEModels
import TVETestTraits
import Testing

struct RedactionTests {
    private static let secret = "s3cr3t"

    private static var values: [any Redacting & Sendable] {
        var authentication = AuthenticationToken.Claims(
            authenticationGUID: secret, requestorID: "DEMO", expires: TokenDate(secondsSince1970: 0), mvpdID: "cable",
            fingerprint: secret)
        authentication.samlNameID = secret
        let authorization = AuthorizationToken.Claims(
            requestorID: "DEMO", resource: Resource(secret), expires: TokenDate(secondsSince1970: 0), mvpdID: "cable",
            fingerprint: secret)
        let media = MediaToken.Claims(
            sessionGUID: secret, requestorID: "DEMO", resource: "DEMO-1", timeToLive: 1,
            issued: TokenDate(secondsSince1970: 0), mvpdID: "cable")
        return [
            TokenText(secret), SoftwareStatement(secret), authentication, authorization, media,
            AuthenticationToken(text: TokenText(secret), claims: authentication),
            AuthorizationToken(text: TokenText(secret), claims: authorization),
            MediaToken(text: TokenText(secret), claims: media),
            UserMetadata(updated: Date(timeIntervalSince1970: 0), data: ["zip": .string(secret)]),
        ]
    }

    @Test(.row("SE1", "SE11"), arguments: values.indices)
    func showsNoSecret_howeverPrinted(index: Int) {
        let value = Self.values[index]
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        let shown = [
            dumped, "\(value)", String(reflecting: value), String(describing: [value]), "\(Optional(value) as Any)",
        ]
        for text in shown { #expect(!text.contains(Self.secret), "\(type(of: value))") }
    }
}
