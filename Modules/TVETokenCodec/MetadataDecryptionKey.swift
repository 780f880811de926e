import Crypto
import CryptoExtras
import Foundation
public import TVEModels

/// The programmer's private key, which opens encrypted user metadata (wire protocol, user metadata).
///
/// Belongs into a back end: whoever has the app has what is in it.
public struct MetadataDecryptionKey: Sendable, Redacting {
    private let key: _RSA.BlindSigning.PrivateKey<SHA384>
    private let blockSize: Int

    /// Reads a private key.
    ///
    /// - Parameter pemRepresentation: an RSA key of 2,048 bits or more, PKCS#1 or PKCS#8 in PEM.
    /// - Throws: ``MetadataDecryptionError/notAKey``.
    public init(pemRepresentation: String) throws(MetadataDecryptionError) {
        do {
            key = try _RSA.BlindSigning.PrivateKey(
                pemRepresentation: pemRepresentation, parameters: .RSABSSA_SHA384_PSS_Randomized)
            let signer = try _RSA.Signing.PrivateKey(pemRepresentation: pemRepresentation)
            blockSize = signer.keySizeInBits / 8
        } catch {
            throw .notAKey
        }
    }

    /// Opens a value.
    ///
    /// - Parameter text: Base64 of one or more blocks of the key's size, each encrypted by PKCS#1 1.5, joined.
    /// - Returns: the value's text.
    /// - Throws: ``MetadataDecryptionError``.
    public func decrypt(_ text: String) throws(MetadataDecryptionError) -> String {
        guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !bytes.isEmpty,
            bytes.count % blockSize == 0
        else { throw .notEncrypted }
        var plain = Data()
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            plain += try open(bytes.dropFirst(start).prefix(blockSize))
        }
        guard let text = String(validating: plain, as: UTF8.self) else { throw .wrongKey }
        return text
    }

    /// Opens one block.
    ///
    /// The library decrypts by OAEP only. A blind signature is the bare RSA operation on a block, which decryption is too; what
    /// remains is the padding: 0, 2, at least eight random bytes that are not 0, 0, content.
    private func open(_ block: Data) throws(MetadataDecryptionError) -> Data {
        guard let padded = try? key.blindSignature(for: Array(block)).rawRepresentation, padded.starts(with: [0, 2]),
            let end = padded.dropFirst(2).firstIndex(of: 0), end - padded.startIndex >= 10
        else { throw .wrongKey }
        return padded[(end + 1)...]
    }

    /// Nothing of the key.
    public var redactedDescription: String { "MetadataDecryptionKey" }
}
