import Crypto
public import Foundation
import TVEModels
public import TVETokenCodec
import _CryptoExtras

/// The public half of the key that signs tokens, ready for use.
public struct TokenVerificationKey: Sendable {
    private let key: _RSA.Signing.PublicKey

    /// Reads a public key or the key of a certificate from the content of a file, a setting or a secret.
    ///
    /// The initializer accepts PEM and DER, with text before and after, indented, with line ends that were escaped
    /// (`\n`) or lost, with the escapes of JSON, in Base64 once more, and Base64 without PEM's first and last line.
    ///
    /// Only the key of a certificate is used: dates, names and the certificate's own signature are not verified, as
    /// with the key store of the original verifier.
    ///
    /// - Parameters:
    ///   - content: the bytes, which contain exactly one RSA key, however often.
    ///   - allows1024Bits: a Boolean value that indicates whether a key of 1,024 to 2,047 bits is accepted. Tokens of
    ///     the real service were signed with 1,024 bits for years (wire protocol, envelope). Such a short key can be
    ///     broken, so the default is false.
    /// - Throws: a ``TokenKeyFault`` that states what the bytes are instead and what to do.
    public init(content: Data, allows1024Bits: Bool = false) throws(TokenKeyFault) {
        try self.init(info: KeyMaterial.key(in: content), allows1024Bits: allows1024Bits)
    }

    /// Parses a public key.
    ///
    /// - Parameters:
    ///   - pem: an RSA key in PEM, either SPKI (`PUBLIC KEY`) or PKCS#1 (`RSA PUBLIC KEY`). Every other content that
    ///     ``init(content:allows1024Bits:)`` accepts is accepted too.
    ///   - allows1024Bits: a Boolean value that indicates whether a key of 1,024 to 2,047 bits is accepted.
    /// - Throws: ``TokenVerificationError/invalidKey`` for any other text.
    public init(pemRepresentation pem: String, allows1024Bits: Bool = false) throws(TokenVerificationError) {
        do throws(TokenKeyFault) {
            try self.init(content: Data(pem.utf8), allows1024Bits: allows1024Bits)
        } catch {
            throw .invalidKey
        }
    }

    private init(info bytes: [UInt8], allows1024Bits: Bool) throws(TokenKeyFault) {
        let bits = try RSAPublicKeyInfo.bits(of: bytes)
        let least = allows1024Bits ? 1_024 : 2_048
        guard bits >= least else { throw .shortKey(bits: bits, least: least) }
        do {
            key =
                try allows1024Bits
                ? _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes)
                : _RSA.Signing.PublicKey(derRepresentation: bytes)
        } catch {
            throw bits > Self.longest ? .longKey(bits: bits, most: Self.longest) : .damaged
        }
    }

    /// The number of bits of the longest key that BoringSSL accepts.
    private static let longest = 8_192

    /// Returns a Boolean value that indicates whether this key signed the envelope's body.
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
