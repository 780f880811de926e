import Crypto
public import Foundation
import SwiftASN1
import TVEModels
public import TVETokenCodec
import _CryptoExtras

/// The public half of the key that signs tokens, ready for use.
public struct TokenVerificationKey: Sendable {
    private let key: _RSA.Signing.PublicKey

    /// Parses a public key.
    ///
    /// - Parameters:
    ///   - pem: an RSA key in PEM, either SPKI (`PUBLIC KEY`) or PKCS#1 (`RSA PUBLIC KEY`).
    ///   - allows1024Bits: whether a key of fewer than 2,048 bits is accepted. Tokens of the real service were signed
    ///     with 1,024 bits for years (wire protocol, envelope); a key that short can be broken, so this is off by
    ///     default.
    /// - Throws: ``TokenVerificationError/invalidKey`` for any other text.
    public init(pemRepresentation pem: String, allows1024Bits: Bool = false) throws(TokenVerificationError) {
        do {
            key =
                try allows1024Bits
                ? _RSA.Signing.PublicKey(unsafePEMRepresentation: pem) : _RSA.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw .invalidKey
        }
    }

    /// Extracts the public key of a certificate.
    ///
    /// Only the key is used: dates, names and the certificate's own signature are not checked, as with the key store of
    /// the original verifier.
    ///
    /// - Parameters:
    ///   - certificate: one X.509 certificate in PEM or DER, with an RSA key.
    ///   - allows1024Bits: whether a key of fewer than 2,048 bits is accepted.
    /// - Throws: ``TokenVerificationError/invalidKey`` for any other bytes.
    public init(certificate: Data, allows1024Bits: Bool = false) throws(TokenVerificationError) {
        guard let bytes = CertificateKey.subjectPublicKeyInfo(of: certificate) else { throw .invalidKey }
        do {
            key =
                try allows1024Bits
                ? _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes)
                : _RSA.Signing.PublicKey(derRepresentation: bytes)
        } catch {
            throw .invalidKey
        }
    }

    /// Whether the envelope's signature was made by this key over the envelope's body.
    ///
    /// The scheme is RSASSA-PKCS1-v1_5 with SHA-256 over the body's UTF-8 bytes (wire protocol, envelope).
    ///
    /// - Parameter envelope: a signed token of any kind.
    public func verifies(_ envelope: TokenEnvelope) -> Bool {
        verifies(envelope.signature, of: SHA256.hash(data: Data(envelope.body.utf8)))
    }

    func verifies(_ signature: Data, of digest: SHA256Digest) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    }
}

/// Finds the public key inside an X.509 certificate.
///
/// Nothing else in the certificate is checked: configuring a verifier with it means trusting its key, as with the key
/// store of the original verifier.
enum CertificateKey {
    /// The DER bytes of the `subjectPublicKeyInfo` of a certificate in PEM or DER; nil when the bytes are not one.
    static func subjectPublicKeyInfo(of certificate: Data) -> [UInt8]? {
        guard let bytes = derBytes(certificate), let root = try? DER.parse(bytes),
            let signed = children(of: root)?.first, var fields = children(of: signed)
        else { return nil }
        // tbsCertificate: the version exists from X.509 version 2 on, and is the only field with a tag of its own here.
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields.removeFirst()
        }
        // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
        guard fields.count >= 6, fields[5].identifier == .sequence else { return nil }
        return Array(fields[5].encodedBytes)
    }

    private static func derBytes(_ certificate: Data) -> [UInt8]? {
        guard certificate.starts(with: "-----".utf8) else { return Array(certificate) }
        guard let text = String(validUTF8: certificate),
            let document = try? PEMDocument(pemString: text),
            document.discriminator == "CERTIFICATE"
        else { return nil }
        return document.derBytes
    }

    private static func children(of node: ASN1Node) -> [ASN1Node]? {
        guard node.identifier == .sequence, case .constructed(let nodes) = node.content else { return nil }
        return Array(nodes)
    }
}
