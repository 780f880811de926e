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
            explanation, AuthorizationDenial(code: "c", details: secret, explanation: explanation),
            PreauthorizationDecision(resource: Resource(secret), isAuthorized: false, error: explanation),
        ]
    }

    /// An error whose texts the provider has written for one viewer.
    private static let explanation = EnhancedError(
        status: 403, code: "c", message: secret, details: secret, helpURL: "https://cable.example/\(secret)",
        trace: secret, action: "none")

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

    /// The provider's text may name the viewer or the viewer's plan.
    @Test func anError_isDumpedWithoutTheProvidersText() {
        let error = TVEError(.notAuthorized, message: "for a developer", providerMessage: Self.secret)
        var dumped = ""
        dump(error, to: &dumped)
        dump(Result<Int, TVEError>.failure(error), to: &dumped)
        #expect(dumped.contains("notAuthorized") && !dumped.contains(Self.secret))
    }

    /// Printing takes no lock, and the text that a cache guards may be that of a login.
    @Test func aGuardedValue_isNotShown() {
        let cache = LastRead<Int>()
        #expect(cache.value(of: Self.secret) { $0.utf8.count } == Self.secret.utf8.count)
        var dumped = ""
        dump(cache, to: &dumped)
        dump(Guarded(Self.secret), to: &dumped)
        #expect(dumped.contains("Guarded") && !dumped.contains(Self.secret))
    }

    /// The codes are for logs, as long as they are no sentences.
    @Test func aDenial_isPrintedWithItsCode() {
        let denied = EnhancedError(status: 403, code: "denied_by_mvpd", action: "none")
        var undecided = PreauthorizationDecision(resource: "DEMO-1", isAuthorized: false)
        undecided.isDecided = false
        let printed = [
            "\(denied)", "\(EnhancedError(code: "two words\n"))", "\(AuthorizationDenial(code: "notAuthorized"))",
            "\(PreauthorizationDecision(resource: "DEMO-1", isAuthorized: true))",
            "\(PreauthorizationDecision(resource: "DEMO-1", isAuthorized: false, error: denied))", "\(undecided)",
        ]
        #expect(
            printed == [
                "EnhancedError(403, denied_by_mvpd, none)", "EnhancedError(unknown)",
                "AuthorizationDenial(notAuthorized)", "PreauthorizationDecision(authorized)",
                "PreauthorizationDecision(not authorized, denied_by_mvpd)", "PreauthorizationDecision(not decided)",
            ])
        #expect(!"\(PendingLogout(reason: "1", explanation: Self.explanation))".contains(Self.secret))
    }
}
