import Foundation
import SwiftASN1
import TVEModels
import TVETokenCodec
import TestTraits
import Testing

@Suite(.fewAtATime)
struct TokenVerificationKeyTests {
    private static func token(_ signature: String) -> String {
        "<signatureInfo>\(signature)<signatureInfo>\(TokenSamples.mediaBody)"
    }

    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)

    @Test(arguments: [CertificateSamples.version3, CertificateSamples.version1])
    func takesTheKeyOfACertificate_inPEMAndDER(pem: String) throws {
        let der = try Data(PEMDocument(pemString: pem).derBytes)
        for certificate in [Data(pem.utf8), der] {
            let verifier = MediaTokenVerifier(
                keys: [try TokenVerificationKey(certificate: certificate)], requestorID: "SBX")
            let found = verifier.verify(Self.token(CertificateSamples.signature), resource: "SBX-1", at: Self.issued)
            #expect(found.verdict == .validToken)
        }
    }

    @Test func takesAShortCertificate_onlyWhenAskedFor() throws {
        let certificate = Data(CertificateSamples.short.utf8)
        #expect(throws: TokenCodecError.invalidKey) { try TokenVerificationKey(certificate: certificate) }
        let key = try TokenVerificationKey(certificate: certificate, allows1024Bits: true)
        #expect(key.verifies(try TokenEnvelope(parsing: Self.token(CertificateSamples.shortSignature))))
    }

    @Test func refusesEveryTruncation_andOtherKeys() throws {
        let der = try PEMDocument(pemString: CertificateSamples.version3).derBytes
        for length in 0..<der.count {
            let part = Data(der.prefix(length))
            #expect(throws: TokenCodecError.invalidKey) { try TokenVerificationKey(certificate: part) }
        }
        for text in [CertificateSamples.ellipticCurve, "-----BEGIN CERTIFICATE-----", "garbage"] {
            #expect(throws: TokenCodecError.invalidKey) { try TokenVerificationKey(certificate: Data(text.utf8)) }
        }
    }

    @Test func neverTraps_onAChangedCertificate() throws {
        let der = try PEMDocument(pemString: CertificateSamples.version3).derBytes
        for index in der.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = der
                changed[index] ^= bit
                // A changed bit outside the key may have no effect: only the key is used.
                _ = try? TokenVerificationKey(certificate: Data(changed))
            }
        }
    }
}
