import Crypto
import Foundation
import Harness
import TVEModels
import TVETokenCodec
import TVETokenVerification
import XCTest
import _CryptoExtras

/// The cost per media token in a playback back end.
final class VerificationBenchmarks: XCTestCase {
    func testVerification_againstTheBareSignatureCheck() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let now = Date(timeIntervalSince1970: 1_797_874_200)
        let claims = MediaToken.Claims(
            sessionGUID: String(repeating: "9f3c", count: 8), requestorID: "DEMO",
            resource: .mrss(
                channel: "DEMO-1",
                item: .init(title: "Show & Tell", guid: "ep-100", rating: .init(scheme: "urn:v-chip", value: "TV-PG"))),
            timeToLive: 420_000, issued: TokenDate(secondsSince1970: 1_797_874_190), mvpdID: "demo-cable")
        let body = TokenWriter.body(claims)
        let digest = SHA256.hash(data: Data(body.utf8))
        let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
        let token = TokenEnvelope(signature: signature.rawRepresentation, body: body).text.rawValue
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: key.publicKey.pemRepresentation)], requestorID: "DEMO")
        XCTAssertEqual(verifier.verify(token, resource: claims.resource, at: now).verdict, .validToken)
        var contest = Contest("media token verification") { repetitions in
            for _ in 0..<repetitions {
                guard verifier.verify(token, resource: claims.resource, at: now).verdict == .validToken else {
                    return XCTFail()
                }
            }
        }
        // A private key makes its public key anew each time, which is no part of a check.
        let publicKey = key.publicKey
        let reading = "1.25 to 1.30: reading and hashing the token take 3.8 µs beside a check of 15 µs."
        contest.peer(
            "bare RSA-2048 check of a ready digest", goal: .atMost(1.2, knownUpTo: 1.35, because: reading)
        ) { repetitions in
            for _ in 0..<repetitions {
                guard publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) else {
                    return XCTFail()
                }
            }
        }
        XCTAssertEqual(contest.compare(), [])
        measure { _ = verifier.verify(token, resource: claims.resource, at: now) }
    }
}
