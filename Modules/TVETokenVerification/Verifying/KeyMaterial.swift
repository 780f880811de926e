import Foundation
import SwiftASN1
import TVEModels

/// A search for the one RSA public key in the usual formats of keys and certificates.
///
/// A certificate is not verified. Configuring a verifier with it means trusting its key, as with the key store of the
/// original verifier.
enum KeyMaterial {
    /// The length of the longest input that is read, in bytes.
    ///
    /// A chain of certificates has some kilobytes.
    private static let longest = 1 << 20

    /// Returns the `SubjectPublicKeyInfo` of the one key in the bytes, in DER.
    ///
    /// - Throws: the reason for which there is none, or more than one.
    static func key(in data: Data) throws(TokenKeyFault) -> [UInt8] {
        guard data.count <= longest else { throw .unknown }
        let bytes = bytes(of: data)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .utf16 }
        // Every DER structure of interest begins with 0x30, which is also the character `0`. The next bytes distinguish
        // DER from text.
        if isKeyStoreOfJava(bytes) || bytes.first == 0x30 && bytes.count > 1 && (bytes[1] >= 0x80 || !isText(bytes)) {
            return try key(inBinary: bytes)
        }
        let blocks = try blocks(in: bytes)
        guard blocks.isEmpty else { return try key(in: blocks) }
        return try key(inBareText: bytes)
    }

    /// Returns the bytes without the byte order mark of UTF-8.
    static func bytes(of data: Data) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return Array(data.starts(with: mark) ? data.dropFirst(mark.count) : data)
    }

    /// Returns the blocks of a PEM text, which may itself be in Base64, as in a secret of Kubernetes.
    static func blocks(in bytes: [UInt8]) throws(TokenKeyFault) -> [PEMBlock] {
        let blocks = try PEMBlock.all(in: bytes)
        guard blocks.isEmpty, let decoded = PEMBlock.decoded(bytes) else { return blocks }
        return try PEMBlock.all(in: decoded)
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
    }

    private static func key(in blocks: [PEMBlock]) throws(TokenKeyFault) -> [UInt8] {
        // A private key beside a certificate is a leak, and the certificate must not hide it.
        let secrets = blocks.compactMap(\.privateKeyFault)
        if let first = secrets.first { throw secrets.contains(.privateKey) ? .privateKey : first }
        var keys: [[UInt8]] = []
        for block in blocks where !isBeside(block.label) {
            if block.isForeign { throw .foreignFormat }
            guard let bytes = block.bytes else { throw .damaged }
            // OpenSSL appends further data to a trusted certificate that is not part of it.
            let isTrusted = block.label.isSameBytes(as: "TRUSTED CERTIFICATE")
            let found = try key(der: isTrusted ? DERShape.firstElement(of: bytes) : bytes, orElse: .damaged)
            if !keys.contains(found) { keys.append(found) }
        }
        guard let first = keys.first else { throw .unknown }
        guard keys.count == 1 else { throw .severalKeys(count: keys.count) }
        return first
    }

    /// Returns a Boolean value that indicates whether a block only accompanies a key.
    private static func isBeside(_ label: String) -> Bool {
        ["EC PARAMETERS", "DSA PARAMETERS", "DH PARAMETERS", "X509 CRL"].contains { label.isSameBytes(as: $0) }
    }

    /// Returns the key in a text without PEM's lines, which is Base64 alone or another recognized format.
    private static func key(inBareText bytes: [UInt8]) throws(TokenKeyFault) -> [UInt8] {
        let text = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = text.first else { throw .empty }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let words = String(decoding: text, as: UTF8.self)
            guard words.containsBytes(of: "\"kty\"") || words.containsBytes(of: "\"keys\"") else { throw .unknown }
            throw hasPrivateMember(text) ? .privateJSONWebKey : .jsonWebKey
        case UInt8(ascii: "<"):
            // .NET writes keys in two forms, and other programs put a prefix before each name.
            func has(_ part: String) -> Bool { PEMBlock.find(part, in: text) != nil }
            guard has("<RSAKeyValue") || has("Modulus>") && has("Exponent>") else { throw .webPage }
            throw has("<D>") || has(":D>") ? .privateXMLKey : .xmlKey
        default: break
        }
        if text.starts(with: "version https://git-lfs.".utf8) { throw .gitLFSPointer }
        for start in ["ssh-", "ecdsa-sha2-", "---- BEGIN SSH2"] where text.starts(with: start.utf8) {
            throw PEMBlock.find("PRIVATE KEY", in: text) == nil ? .foreignFormat : .openSSHPrivateKey
        }
        // The whole text must be Base64. Otherwise a word like "MIGHT" would be reported as damaged.
        guard let binary = PEMBlock.decoded(Array(text)) else { throw .unknown }
        return try key(inBinary: binary)
    }

    /// Returns a Boolean value that indicates whether a JSON Web Key has the private half of a key, which is the member
    /// `d` (RFC 7518, 6.2.2.1 and 6.3.2.1).
    private static func hasPrivateMember(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let name = PEMBlock.find("\"d\"", in: rest) {
            rest = rest[name.upperBound...]
            // The text in quotation marks may also be a value.
            if rest.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") { return true }
        }
        return false
    }

    /// Returns the key in the bytes of a file that is not text, or in what was decoded from Base64 alone.
    private static func key(inBinary bytes: [UInt8]) throws(TokenKeyFault) -> [UInt8] {
        if isKeyStoreOfJava(bytes) { throw .javaKeyStore }
        // Some programs write a container in BER, with an indefinite length, which is no damage.
        if bytes.starts(with: [0x30, 0x80]) {
            let content = bytes.dropFirst(2)
            throw content.starts(with: [2, 1, 3]) ? .pkcs12 : content.first == 6 ? .pkcs7 : .unknown
        }
        // DER that was cut off, or to which an editor has added a line end, is still recognized by its length. A word
        // whose Base64 happens to begin like DER is shorter than any key.
        let isDamaged = bytes.first == 0x30 && bytes.count > 64 && (try? DER.parse(bytes)) == nil
        return try key(der: bytes, orElse: isDamaged ? .damaged : .unknown)
    }

    private static func isKeyStoreOfJava(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]) || bytes.starts(with: [0xCE, 0xCE, 0xCE, 0xCE])
    }

    private static func key(der: [UInt8], orElse other: TokenKeyFault) throws(TokenKeyFault) -> [UInt8] {
        guard let shape = DERShape(der) else { throw other }
        switch shape {
        case .publicKeyInfo(let info): return info
        case .rsaPublicKey: return RSAPublicKeyInfo.wrapping(der)
        case .privateKey: throw .privateKey
        case .certificateRequest: throw .certificateRequest
        case .pkcs7: throw .pkcs7
        case .pkcs12: throw .pkcs12
        }
    }
}
