import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing
import _CryptoExtras

/// A test of `Documentation/VerifyingMediaTokens.md`: its example is this code, and it works.
@Suite(.timeLimit(.hanging))
struct PlaybackGateTests {
    // <example>
    struct PlaybackGate {
        let verifier: MediaTokenVerifier
        let uses = MemoryMediaTokenUses()

        init(certificate: Data) throws {
            verifier = try MediaTokenVerifier(
                keys: [TokenVerificationKey(content: certificate)], requestorID: "DEMO")
        }

        func mayPlay(_ token: String, resource: Resource, now: Date = Date()) async throws -> Bool {
            guard let use = verifier.verify(token, resource: resource, at: now).use else { return false }
            return try uses.spend(use, at: now).isGranted
        }
    }
    // </example>

    private static let key = SigningKeys.first

    /// Returns a token that is signed with the gate's key.
    private static func token(_ requestor: RequestorID = "DEMO", issued: Date) throws -> String {
        let claims = MediaToken.Claims(
            sessionGUID: "9f3c", requestorID: requestor, resource: "SBX-1", timeToLive: 420_000,
            issued: TokenDate(secondsSince1970: Int64(bounded: issued.timeIntervalSince1970)), mvpdID: "sbx-cable")
        let body = TokenWriter.body(claims)
        let signature = try key.get().signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        return TokenEnvelope(signature: signature.rawRepresentation, body: body).text.rawValue
    }

    /// Returns a certificate with the gate's key.
    ///
    /// Its other fields are empty.
    private static func certificate() throws -> Data {
        func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let high = UInt8(content.count >> 8)
            let low = UInt8(content.count & 255)
            return [tag] + (high > 0 ? [0x82, high, low] : low > 127 ? [0x81, low] : [low]) + content
        }
        let empty = der(0x30, [])
        let fields = der(2, [1]) + empty + empty + empty + empty + Array(try key.get().publicKey.derRepresentation)
        return Data(der(0x30, der(0x30, fields) + empty + der(3, [0])))
    }

    @Test func letsEachTokenInOnce_forItsResource_whileItIsValid() async throws {
        let gate = try PlaybackGate(certificate: Self.certificate())
        // The token is issued after the gate was created, because the gate's memory grants nothing older.
        let issued = Date().addingTimeInterval(60)
        let token = try Self.token(issued: issued)
        #expect(try await !gate.mayPlay(token, resource: "SBX-2", now: issued))
        #expect(try await !gate.mayPlay(token, resource: "SBX-1", now: issued.addingTimeInterval(420)))
        #expect(try await gate.mayPlay(token, resource: "SBX-1", now: issued))
        #expect(try await !gate.mayPlay(token, resource: "SBX-1", now: issued))
    }

    @Test func letsNobodyIn_withoutATokenOfItsOwn() async throws {
        let gate = try PlaybackGate(certificate: Self.certificate())
        let issued = Date().addingTimeInterval(60)
        #expect(try await !gate.mayPlay("", resource: "SBX-1", now: issued))
        #expect(try await !gate.mayPlay(Self.token("SBX", issued: issued), resource: "SBX-1", now: issued))
        let foreign = try PlaybackGate(certificate: Data(CertificateSamples.version3.utf8))
        #expect(try await !foreign.mayPlay(Self.token(issued: issued), resource: "SBX-1", now: issued))
    }

    @Test func standsInTheDocument() throws {
        #expect(try PageExample.isInThePage(of: #filePath))
    }
}
