import CryptoExtras
import Foundation

/// The public half of the key that signs tokens, ready for use.
public struct TokenVerificationKey: Sendable {
    private let key: _RSA.Signing.PublicKey

    /// Reads a public key.
    ///
    /// - Parameters:
    ///   - pem: an RSA key in PEM, either SPKI (`PUBLIC KEY`) or PKCS#1 (`RSA PUBLIC KEY`).
    ///   - allows1024Bits: whether a key of fewer than 2,048 bits is taken. Tokens of the real service were signed with
    ///     1,024 bits for years (wire protocol, envelope); a key that short can be broken, so this must be asked for.
    /// - Throws: `TokenCodecError.invalidKey` when it is anything else.
    public init(pemRepresentation pem: String, allows1024Bits: Bool = false) throws(TokenCodecError) {
        do {
            key =
                try allows1024Bits
                ? _RSA.Signing.PublicKey(unsafePEMRepresentation: pem) : _RSA.Signing.PublicKey(pemRepresentation: pem)
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
