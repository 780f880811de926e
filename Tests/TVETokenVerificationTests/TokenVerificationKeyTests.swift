import Foundation
import SwiftASN1
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing

@Suite(.fewAtATime)
struct TokenVerificationKeyTests {
    private static func token(_ signature: String) -> String {
        "<signatureInfo>\(signature)<signatureInfo>\(CertificateSamples.mediaBody)"
    }

    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)

    @Test(arguments: [CertificateSamples.version3, CertificateSamples.version1])
    func takesTheKeyOfACertificate_inPEMAndDER(pem: String) throws {
        let der = try Data(PEMDocument(pemString: pem).derBytes)
        for certificate in [Data(pem.utf8), der] {
            let verifier = try MediaTokenVerifier(
                keys: [TokenVerificationKey(content: certificate)], requestorID: "SBX")
            let found = verifier.verify(Self.token(CertificateSamples.signature), resource: "SBX-1", at: Self.issued)
            #expect(found.verdict == .validToken)
        }
    }

    @Test func takesAShortCertificate_onlyWhenAskedFor() throws {
        let certificate = Data(CertificateSamples.short.utf8)
        #expect(throws: TokenKeyFault.shortKey(bits: 1_024, least: 2_048)) {
            try TokenVerificationKey(content: certificate)
        }
        let key = try TokenVerificationKey(content: certificate, allows1024Bits: true)
        #expect(key.verifies(try TokenEnvelope(parsing: Self.token(CertificateSamples.shortSignature))))
    }

    /// Only the key of a certificate is used.
    ///
    /// A changed bit makes the key unreadable, results in another key, or changes nothing because it is outside the
    /// key.
    @Test func aChangedCertificate_hasTheSameKey_orNone_orVerifiesNothing() throws {
        let der = try PEMDocument(pemString: CertificateSamples.version3).derBytes
        let envelope = try TokenEnvelope(parsing: Self.token(CertificateSamples.signature))
        let modulus = try #require(Data(der).range(of: Data([0x87, 0x10, 0x19, 0xD4, 0x91])))
        let key = modulus.lowerBound..<(modulus.lowerBound + 256)
        var refused = 0
        var same = 0
        var other = 0
        for index in der.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = der
                changed[index] ^= bit
                guard let found = try? TokenVerificationKey(content: Data(changed)) else {
                    refused += 1
                    continue
                }
                let verifies = found.verifies(envelope)
                if key.contains(index) { #expect(!verifies, "byte \(index)") }
                if verifies { same += 1 } else { other += 1 }
            }
        }
        #expect(refused > 100 && same > 100 && other > 100)
    }
}
