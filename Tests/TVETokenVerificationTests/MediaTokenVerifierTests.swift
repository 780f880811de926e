import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing
import _CryptoExtras

@Suite(.fewAtATime)
struct MediaTokenVerifierTests {
    private static let key = SigningKeys.first
    private static let other = SigningKeys.second
    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)

    private static func verifier(tolerance: TimeInterval = 0, requestor: RequestorID = "SBX") throws
        -> MediaTokenVerifier
    {
        let pems = [try other.get().publicKey.pemRepresentation, try key.get().publicKey.pkcs1PEMRepresentation]
        return try MediaTokenVerifier(
            keys: pems.map { try TokenVerificationKey(pemRepresentation: $0) }, requestorID: requestor,
            clockTolerance: tolerance)
    }

    private static func signed(_ body: String) throws -> String {
        let signature = try key.get().signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        return TokenEnvelope(signature: signature.rawRepresentation, body: body).text.rawValue
    }

    @Test(
        .row("CL17", "MV2"),
        arguments: [
            (0.0, 0.0, MediaTokenVerifier.Verdict.validToken), (419.9, 0, .validToken), (420, 0, .tokenExpired),
            (479, 60, .validToken), (480, 60, .tokenExpired), (-3_600, 0, .validToken),
        ])
    func judgesExpiry(after: Double, tolerance: Double, verdict: MediaTokenVerifier.Verdict) throws {
        let token = try Self.signed(CertificateSamples.mediaBody)
        let found = try Self.verifier(tolerance: tolerance).verify(token, at: Self.issued.addingTimeInterval(after))
        #expect(found.verdict == verdict)
        #expect(found.claims?.mvpdID == "sbx-cable")
    }

    /// The first check that fails decides.
    @Test(
        .row("MV1", "MV2"),
        arguments: [
            (true, true, true, MediaTokenVerifier.Verdict.otherRequestor), (true, true, false, .otherRequestor),
            (true, false, true, .otherRequestor), (false, true, true, .invalidResourceID),
            (false, false, true, .tokenExpired), (false, false, false, .validToken),
        ])
    func checksRequestor_thenResource_thenExpiry(
        isOfAnother: Bool, isForAnother: Bool, isOver: Bool, verdict: MediaTokenVerifier.Verdict
    ) throws {
        let verifier = try Self.verifier(requestor: isOfAnother ? "OTHER" : "SBX")
        let now = Self.issued.addingTimeInterval(isOver ? 420 : 0)
        let token = try Self.signed(CertificateSamples.mediaBody)
        let found = verifier.verify(token, resource: isForAnother ? "SBX-2" : "SBX-1", at: now)
        #expect(found.verdict == verdict)
        #expect((found.use != nil) == (verdict == .validToken))
    }

    /// Verifiers of two versions that share a memory must know a token by the same digest.
    @Test(.row("MV3")) func aUse_isKnownByTheDigestOfItsBody_inEveryVersion() throws {
        let token = try Self.signed(CertificateSamples.mediaBody)
        let use = try Self.verifier().verify(token, at: Self.issued).use
        #expect(use?.digest.hexadecimal == "1f845dbca67f2d2f2fa2f915ab575d8d14b95ce0f6cf7b462ac475bfaf699f14")
    }

    @Test(arguments: [
        ("", TokenCodecError.empty), ("garbage", .envelope(.missing)), ("\n", .empty),
        ("<signatureInfo>AAEC<signatureInfo><a/>", .unexpectedRoot(expected: "authToken")),
        ("<signatureInfo>AAEC<signatureInfo><authToken/>", .missingElement("sessionGUID")),
    ])
    func saysWhyATextIsNoToken(text: String, fault: TokenCodecError) throws {
        let found = try Self.verifier().verify(text, at: Self.issued)
        #expect(found.verdict == .invalidTokenFormat && found.fault == fault)
        let valid = try Self.verifier().verify(try Self.signed(CertificateSamples.mediaBody), at: Self.issued)
        #expect(valid.fault == nil)
    }

    /// Pairs of canonically equivalent texts with different bytes.
    private static let lookAlikes = [
        ("SPORT-K", "SPORT-\u{212A}"), ("CAF\u{E9}", "CAFE\u{301}"), ("\u{C5}", "\u{212B}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]

    @Test(.row("MV1"), arguments: lookAlikes)
    func refusesALookAlike_ofResourceAndRequestor(id: String, other: String) throws {
        for (meant, asked) in [(id, other), (other, id)] {
            let body = CertificateSamples.mediaBody.replacingOccurrences(of: "SBX-1", with: meant)
                .replacingOccurrences(of: "<requestorID>SBX<", with: "<requestorID>\(meant)<")
            let token = try Self.signed(body)
            let verifier = try Self.verifier(requestor: RequestorID(meant))
            #expect(verifier.verify(token, resource: Resource(meant), at: Self.issued).verdict == .validToken)
            #expect(verifier.verify(token, resource: Resource(asked), at: Self.issued).verdict == .invalidResourceID)
            #expect(
                try Self.verifier(requestor: RequestorID(asked)).verify(token, at: Self.issued).verdict
                    == .otherRequestor
            )
        }
    }

    @Test func takesAShortKey_onlyWhenAskedFor() throws {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024))
        let body = CertificateSamples.mediaBody
        let signature = try key.signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5).rawRepresentation
        let token = TokenEnvelope(signature: signature, body: body).text.rawValue
        let pem = key.publicKey.pemRepresentation
        #expect(throws: TokenVerificationError.invalidKey) { try TokenVerificationKey(pemRepresentation: pem) }
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: pem, allows1024Bits: true)], requestorID: "SBX")
        #expect(verifier.verify(token, at: Self.issued).verdict == .validToken)
    }

    @Test(.row("MV1", "SE12", "wire protocol, 6.1")) func refusesEveryChangedByte_ofTheBody() throws {
        let verifier = try Self.verifier()
        let envelope = try TokenEnvelope(parsing: try Self.signed(CertificateSamples.mediaBody))
        for index in 0..<envelope.body.utf8.count {
            var bytes = Array(envelope.body.utf8)
            bytes[index] ^= 1
            let body = String(decoding: bytes, as: UTF8.self)
            let token = TokenEnvelope(signature: envelope.signature, body: body).text.rawValue
            #expect(verifier.verify(token, at: Self.issued).verdict != .validToken)
        }
    }

    @Test(.row("MV1", "wire protocol, 6.4")) func refusesAForeignSignature_andShowsNoClaims() throws {
        let found = try Self.verifier().verify(CertificateSamples.unsigned, at: Self.issued)
        #expect(found.verdict == .invalidSignature && found.claims == nil)
    }

    @Test(arguments: ["", "x", CertificateSamples.authorization, CertificateSamples.mediaBody])
    func refusesWhatIsNoMediaToken(token: String) throws {
        #expect(try Self.verifier().verify(token, at: Self.issued).verdict == .invalidTokenFormat)
    }

    @Test(arguments: ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"])
    func refusesAKeyThatIsNone(pem: String) {
        #expect(throws: TokenVerificationError.invalidKey) { try TokenVerificationKey(pemRepresentation: pem) }
    }
}
