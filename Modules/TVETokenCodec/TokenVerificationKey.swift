import CryptoExtras
import Foundation

/// The public half of the key that signs tokens, ready for use.
public struct TokenVerificationKey: Sendable {
    private let key: _RSA.Signing.PublicKey

    /// Reads a public key.
    ///
    /// - Parameter pem: an RSA key of at least 2,048 bits in PEM, either SPKI (`PUBLIC KEY`) or PKCS#1
    ///   (`RSA PUBLIC KEY`).
    /// - Throws: `TokenCodecError.invalidKey` when it is anything else.
    public init(pemRepresentation pem: String) throws(TokenCodecError) {
        do {
            key = try _RSA.Signing.PublicKey(pemRepresentation: pem)
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
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: envelope.signature), for: Data(envelope.body.utf8),
            padding: .insecurePKCS1v1_5)
    }
}
