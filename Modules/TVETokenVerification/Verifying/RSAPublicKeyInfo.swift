import SwiftASN1

/// The `SubjectPublicKeyInfo` of an RSA key.
enum RSAPublicKeyInfo {
    /// Returns the number of bits of the modulus.
    ///
    /// - Parameter info: a `SubjectPublicKeyInfo` in DER.
    /// - Throws: ``TokenKeyFault/otherAlgorithm``, ``TokenKeyFault/keyForPSS`` or ``TokenKeyFault/damaged``.
    static func bits(of info: [UInt8]) throws(TokenKeyFault) -> Int {
        guard let fields = (try? DER.parse(info))?.elements, fields.count == 2,
            let name = fields[0].elements?.first, name.identifier == .objectIdentifier
        else { throw .damaged }
        guard name.encodedBytes.elementsEqual(rsaEncryption) else {
            throw name.encodedBytes.elementsEqual(rsaWithPSS) ? .keyForPSS : .otherAlgorithm
        }
        // The first byte of a bit string is the number of unused bits.
        guard case .primitive(let bits) = fields[1].content, bits.first == 0,
            let modulus = (try? DER.parse(bits.dropFirst()))?.elements?.first,
            let length = self.bits(ofModulus: modulus)
        else { throw .damaged }
        return length
    }

    /// Returns the number of bits of a modulus, or nil if the element is not a positive number.
    static func bits(ofModulus modulus: ASN1Node) -> Int? {
        guard modulus.identifier == .integer, case .primitive(let bytes) = modulus.content else { return nil }
        let significant = bytes.drop { $0 == 0 }
        return significant.first.map { significant.count * 8 - $0.leadingZeroBitCount }
    }

    /// Returns the `SubjectPublicKeyInfo` of an `RSAPublicKey` of PKCS#1, both in DER.
    static func wrapping(_ key: [UInt8]) -> [UInt8] {
        element(0x30, element(0x30, rsaEncryption + [0x05, 0x00]) + element(0x03, [0] + key))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        // A key is far shorter than 16 MiB.
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(bytes.count)] + bytes + content
    }

    /// The object identifier 1.2.840.113549.1.1.1.
    static let rsaEncryption: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
    ]
    /// The object identifier 1.2.840.113549.1.1.10 (RFC 4055, 1.2).
    static let rsaWithPSS = rsaEncryption.dropLast() + [0x0A]
}
