import Foundation
import TVEModels
import Testing

/// The ends of tokens, whose times have different units.
struct TokenTimeTests {
    @Test(arguments: [(99.9, false), (100, true), (100.1, true)])
    func aLogin_andAPermission_endWithTheirSecond(seconds: TimeInterval, isExpired: Bool) {
        let end = TokenDate(secondsSince1970: 100)
        let now = Date(timeIntervalSince1970: seconds)
        let login = AuthenticationToken(
            text: TokenText(""),
            claims: .init(authenticationGUID: "", requestorID: "P", expires: end, mvpdID: "A", fingerprint: "f"))
        let permission = AuthorizationToken(
            text: TokenText(""),
            claims: .init(requestorID: "P", resource: "R", expires: end, mvpdID: "A", fingerprint: nil))
        #expect(login.isExpired(at: now) == isExpired && permission.isExpired(at: now) == isExpired)
    }

    /// The lifetime is in milliseconds, and the offset of a date changes only how it is written.
    @Test func aMediaToken_endsAfterItsMilliseconds() {
        let claims = MediaToken.Claims(
            sessionGUID: "", requestorID: "P", resource: "R", timeToLive: 1_500,
            issued: TokenDate(secondsSince1970: 100, utcOffsetMinutes: 60), mvpdID: "A")
        #expect(claims.expires == Date(timeIntervalSince1970: 101.5))
    }
}
