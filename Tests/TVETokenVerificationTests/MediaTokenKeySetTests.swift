import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing
import _CryptoExtras

@Suite(.fewAtATime)
struct MediaTokenKeySetTests {
    private static let signing = [SigningKeys.first, SigningKeys.second, SigningKeys.third]
    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)

    private static func key(_ number: Int, _ name: String) throws -> MediaTokenKey {
        let pem = try signing[number].get().publicKey.pemRepresentation
        return MediaTokenKey(name: name, key: try TokenVerificationKey(pemRepresentation: pem))
    }

    private static func token(_ number: Int) throws -> String {
        let body = CertificateSamples.mediaBody
        let signature = try signing[number].get().signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        return TokenEnvelope(signature: signature.rawRepresentation, body: body).text.rawValue
    }

    @Test func saysWhichKeyItWas_onEveryVerdictBehindTheSignature() throws {
        let keys = MediaTokenKeySet([try Self.key(0, "old"), try Self.key(1, "new")])
        let verifier = MediaTokenVerifier(keys: keys, requestorID: "SBX")
        let token = try Self.token(1)
        #expect(verifier.verify(token, at: Self.issued).keyName == "new")
        #expect(try verifier.verify(Self.token(0), at: Self.issued).keyName == "old")
        let expired = verifier.verify(token, at: Self.issued.addingTimeInterval(420))
        #expect(expired.verdict == .tokenExpired && expired.keyName == "new")
        let other = verifier.verify(token, resource: "other", at: Self.issued)
        #expect(other.verdict == .invalidResourceID && other.keyName == "new")
        #expect(try verifier.verify(Self.token(2), at: Self.issued).keyName == nil)
        #expect(verifier.verify("", at: Self.issued).keyName == nil)
        let unnamed = try MediaTokenVerifier(keys: [Self.key(1, "").key], requestorID: "SBX")
        #expect(unnamed.verify(token, at: Self.issued).keyName == nil)
    }

    @Test func followsARotation_withoutANewVerifier() throws {
        let keys = MediaTokenKeySet()
        let verifier = MediaTokenVerifier(keys: keys, requestorID: "SBX")
        let tokens = try (0..<2).map(Self.token)
        func verdicts() -> [MediaTokenVerifier.Verdict] { tokens.map { verifier.verify($0, at: Self.issued).verdict } }
        #expect(verdicts() == [.invalidSignature, .invalidSignature])
        keys.replace(with: [try Self.key(0, "old")])
        #expect(verdicts() == [.validToken, .invalidSignature])
        keys.replace(with: keys.keys + [try Self.key(1, "new")])
        #expect(verdicts() == [.validToken, .validToken])
        keys.replace(with: keys.keys.filter { $0.name != "old" })
        #expect(verdicts() == [.invalidSignature, .validToken])
    }

    @Test func keepsOneKeyOfAName_theLast() throws {
        let keys = MediaTokenKeySet([try Self.key(0, "a"), try Self.key(1, "b"), try Self.key(2, "a")])
        #expect(keys.keys.map(\.name) == ["a", "b"])
        let verifier = MediaTokenVerifier(keys: keys, requestorID: "SBX")
        #expect(try verifier.verify(Self.token(0), at: Self.issued).verdict == .invalidSignature)
        #expect(try verifier.verify(Self.token(2), at: Self.issued).keyName == "a")
        keys.replace(with: keys.keys + [try Self.key(0, "b")])
        #expect(keys.keys.map(\.name) == ["a", "b"])
        #expect(try verifier.verify(Self.token(0), at: Self.issued).keyName == "b")
        // Names are compared as bytes too, so the Kelvin sign is not a K.
        keys.replace(with: [try Self.key(0, "K"), try Self.key(1, "\u{212A}")])
        #expect(keys.keys.count == 2)
    }

    @Test func staysWhole_whileItIsReplacedUnderUse() async throws {
        // The key of the token is in both sets, so every check must find it.
        let first = try Self.key(0, "first")
        let second = try Self.key(1, "second")
        let keys = MediaTokenKeySet([first])
        let verifier = MediaTokenVerifier(keys: keys, requestorID: "SBX")
        let token = try Self.token(0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<2_000 { keys.replace(with: round % 2 == 0 ? [second, first] : [first]) }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<200 {
                        let found = verifier.verify(token, at: Self.issued)
                        #expect(found.verdict == .validToken && found.keyName == "first")
                    }
                }
            }
        }
    }
}
