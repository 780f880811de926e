import Foundation
import TVEModels
import TVETokenCodec
import XCTest

/// How long it takes to read an AuthN token: envelope, Base64, XML, dates.
final class AuthenticationTokenBenchmarks: XCTestCase {
    /// Different tokens in rotation, so that nothing is measured twice on the same bytes.
    private static let tokens = (0..<64).map { number in
        var claims = AuthenticationToken.Claims(
            authenticationGUID: UUID().uuidString, requestorID: "DEMO",
            expires: TokenDate(secondsSince1970: 1_797_874_200 + Int64(number), utcOffsetMinutes: -480),
            mvpdID: "demo-cable", fingerprint: String(repeating: "\(number % 10)", count: 40))
        claims.samlSessionIndex = String(repeating: "index", count: 20)
        claims.samlNameID = String(repeating: "name", count: 10)
        claims.timeToLive = 2_592_000
        let signature = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &+ number) })
        return TokenEnvelope(signature: signature, body: TokenWriter.body(claims)).text.rawValue
    }

    private static let repetitions = 10_000

    func testDecodesAuthenticationTokens() throws {
        let decoder = TokenDecoder()
        let tokens = Self.tokens
        XCTAssertEqual(try decoder.authenticationToken(tokens[0]).claims.mvpdID, "demo-cable")
        var failures = 0
        measure {
            for number in 0..<Self.repetitions {
                if (try? decoder.authenticationToken(tokens[number % tokens.count])) == nil { failures += 1 }
            }
        }
        XCTAssertEqual(failures, 0)
    }
}
