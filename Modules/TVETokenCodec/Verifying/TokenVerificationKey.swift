import Crypto
public import Foundation
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
    /// - Throws: `TokenCodecError.invalidKey` for any other text.
    public init(pemRepresentation pem: String, allows1024Bits: Bool = false) throws(TokenCodecError) {
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
    /// - Throws: `TokenCodecError.invalidKey` for any other bytes.
    public init(certificate: Data, allows1024Bits: Bool = false) throws(TokenCodecError) {
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

    /// Whether this key made the signature over bytes with this digest.
    func verifies(_ signature: Data, of digest: SHA256Digest) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    }
}
