import Crypto
import Foundation
public import TVEModels
import _CryptoExtras

/// The programmer's private key, which decrypts encrypted user metadata (wire protocol, user metadata).
///
/// Use it only in a back end, because anyone who has an app can extract its contents.
///
/// The encryption, PKCS#1 v1.5, is the service's choice, and it has a known weakness. An attacker who can submit any
/// number of values, and learns for each whether it was decrypted, can decrypt a value that they have only observed
/// (Bleichenbacher's attack). Therefore every failure that depends on the key results in the same error after the same
/// work, as far as the compiler allows. But the failure itself remains visible. Decrypt only values that came from the
/// service over your own connection, never values from an app or a viewer. Do not reveal to outside parties whether
/// decryption succeeded, or how long it took.
public struct MetadataDecryptionKey: Sendable, Redacting {
    private let key: _RSA.BlindSigning.PrivateKey<SHA384>
    private let blockSize: Int

    /// The number of blocks of the longest value that is decrypted.
    ///
    /// Each block costs an operation with the private key, and metadata is much shorter than the 15 KB that so many
    /// blocks contain.
    private static let mostBlocks = 64
    /// The size in bytes of which every usual block size is a multiple, that of a key of 1,024 bits.
    private static let blockUnit = 128

    /// Parses a private key.
    ///
    /// - Parameter pemRepresentation: an RSA key of 2,048 bits or more, PKCS#1 or PKCS#8 in PEM, without a pass phrase.
    ///   The text may have every form in which ``TokenVerificationKey/init(content:allows1024Bits:)`` reads a public
    ///   key.
    /// - Throws: ``MetadataDecryptionError/encryptedKey``, ``MetadataDecryptionError/shortKey(bits:)`` or
    ///   ``MetadataDecryptionError/notAKey``.
    public init(pemRepresentation: String) throws(MetadataDecryptionError) {
        let bytes: Data
        do throws(PrivateKeyFault) {
            bytes = try PrivateKeyMaterial.key(in: Data(pemRepresentation.utf8))
        } catch {
            switch error {
            case .encrypted: throw .encryptedKey
            case .other(.shortKey(let bits, _)): throw .shortKey(bits: bits)
            case .absent, .publicKey, .several, .other: throw .notAKey
            }
        }
        do {
            key = try _RSA.BlindSigning.PrivateKey(
                derRepresentation: bytes, parameters: .RSABSSA_SHA384_PSS_Randomized)
            let signer = try _RSA.Signing.PrivateKey(derRepresentation: bytes)
            blockSize = signer.keySizeInBits / 8
        } catch {
            throw .notAKey
        }
    }

    /// Decrypts a value.
    ///
    /// - Parameter text: the value in Base64, of either alphabet. It consists of one or more blocks of the key's size,
    ///   each encrypted by PKCS#1 1.5. A value of more than 64 blocks is not decrypted.
    /// - Returns: the value's text.
    /// - Throws: ``MetadataDecryptionError/notEncrypted`` for a value that is not Base64 of whole blocks, neither of
    ///   this key's size nor of another usual one, and ``MetadataDecryptionError/cannotBeOpened`` for every other
    ///   failure.
    public func decrypt(_ text: String) throws(MetadataDecryptionError) -> String {
        guard let bytes = Self.bytes(ofBase64: text), !bytes.isEmpty,
            bytes.count.isMultiple(of: blockSize) || bytes.count.isMultiple(of: Self.blockUnit)
        else { throw .notEncrypted }
        // The value was encrypted for a key of another size. It must not be reported as a plain value.
        guard bytes.count.isMultiple(of: blockSize), bytes.count / blockSize <= Self.mostBlocks else {
            throw .cannotBeOpened
        }
        var plain: [UInt8] = []
        var fault: UInt8 = 0
        // All blocks are decrypted, even after a failure, because the time must not reveal which block failed.
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            let padded = padded(Array(bytes.dropFirst(start).prefix(blockSize)), &fault)
            plain += Self.content(of: padded, &fault)
        }
        let opened = String(validUTF8: plain)
        guard fault == 0, let opened else { throw .cannotBeOpened }
        return opened
    }

    /// Returns the bytes of a text in Base64, in one of its two alphabets, or nil if it is not Base64.
    ///
    /// White space and other characters are ignored. A value that came through a URL may have percent escapes, and no
    /// padding. Without padding it has no other characters, because sentences can have as many letters.
    private static func bytes(ofBase64 text: String) -> Data? {
        var digits: [UInt8] = []
        var isPadded = false
        var hasOthers = false
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        for byte in (text.removingPercentEncoding ?? text).utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                digits.append(byte)
            case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
            case UInt8(ascii: "="): isPadded = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            default: hasOthers = true
            }
        }
        guard digits.count % 4 != 1, digits.count % 4 == 0 || isPadded || !hasOthers else { return nil }
        digits += Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits))
    }

    /// Returns a decrypted block with its padding.
    ///
    /// The library can only decrypt OAEP. A blind signature is the bare RSA operation on a block, and so is decryption.
    ///
    /// - Parameter fault: becomes nonzero for a block that is larger than the modulus, which reveals nothing about the
    ///   private key.
    private func padded(_ block: [UInt8], _ fault: inout UInt8) -> [UInt8] {
        if let signature = try? key.blindSignature(for: block).rawRepresentation, signature.count == blockSize {
            return Array(signature)
        }
        fault |= 1
        return [UInt8](repeating: 0, count: blockSize)
    }

    /// Returns the content of a block without its padding: 0, 2, at least eight random bytes that are not 0, 0,
    /// content.
    ///
    /// Every byte is read, and nothing is decided before the last one.
    ///
    /// - Parameters:
    ///   - padded: the decrypted block, which has the key's size.
    ///   - fault: becomes nonzero for any other padding.
    package static func content(of padded: [UInt8], _ fault: inout UInt8) -> ArraySlice<UInt8> {
        fault |= padded[0] | (padded[1] ^ 2)
        var isBeforeEnd = 1
        var start = 2
        for byte in padded[2...] {
            // The value is 1 for every byte except 0, without a branch.
            isBeforeEnd &= (Int(byte) + 0xFF) >> 8
            start += isBeforeEnd
        }
        // `start` is at the 0 that ends the padding, or after the block.
        fault |= UInt8(isBeforeEnd)
        fault |= start < 10 ? 1 : 0
        return padded[min(start + 1, padded.count)...]
    }

    /// The name of the type without the key.
    public var redactedDescription: String { "MetadataDecryptionKey" }
}

/// The reason for which encrypted metadata could not be decrypted.
public enum MetadataDecryptionError: Error, Sendable, Hashable {
    /// The text is not an RSA private key, or has several different ones.
    case notAKey
    /// The private key is encrypted with a pass phrase.
    case encryptedKey
    /// The private key is shorter than 2,048 bits.
    case shortKey(bits: Int)
    /// The value is not Base64 of whole blocks of any usual key size, which is visible without the key.
    case notEncrypted
    /// The value could not be decrypted with this key, for a reason that is not stated; see ``MetadataDecryptionKey``.
    case cannotBeOpened
}

extension MetadataDecryptionError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without any of the input.
    public var description: String {
        switch self {
        case .notAKey:
            "This is not an RSA private key, or several of them. "
                + "Use the one whose certificate the service has, in PEM."
        case .encryptedKey: "This private key is encrypted. Decrypt it with: openssl pkey -in FILE -out key.pem."
        case .shortKey(let bits):
            "This is an RSA key of \(bits) bits, and at least 2048 bits are required. Create a longer one with: "
                + "openssl genrsa -out FILE 2048, and give its certificate to the service."
        case .notEncrypted: "The value is not encrypted metadata. Use it as it is, if it is readable."
        case .cannotBeOpened:
            "The value cannot be decrypted with this key. Check that the service has this key's certificate."
        }
    }
}
