package import Foundation
import SwiftASN1
import TVEModels

/// A search for an RSA private key in every form in which a public key is found.
package enum PrivateKeyMaterial {
    /// Returns the one private key in the bytes, as an `RSAPrivateKey` of PKCS#1 in DER.
    ///
    /// - Throws: the reason for which there is none of 2,048 bits or more, or more than one.
    package static func key(in data: Data) throws(PrivateKeyFault) -> Data {
        do throws(TokenKeyFault) {
            _ = try KeyMaterial.key(in: data)
        } catch {
            switch error {
            case .privateKey: return try privateKey(in: KeyMaterial.bytes(of: data))
            case .privateJSONWebKey: throw .other(.jsonWebKey)
            case .privateXMLKey: throw .other(.xmlKey)
            case .unknown: throw .absent
            default: throw .other(error)
            }
        }
        throw .publicKey
    }

    private static func privateKey(in bytes: [UInt8]) throws(PrivateKeyFault) -> Data {
        let blocks = ((try? KeyMaterial.blocks(in: bytes)) ?? []).filter { $0.privateKeyFault == .privateKey }
        // The search for a public key found this one without a block.
        guard !blocks.isEmpty else { return try privateKey(der: PEMBlock.decoded(bytes) ?? bytes) }
        var keys: [Data] = []
        for block in blocks {
            let key = try privateKey(in: block, of: bytes)
            if !keys.contains(key) { keys.append(key) }
        }
        guard keys.count == 1 else { throw .several(count: keys.count) }
        return keys[0]
    }

    private static func privateKey(in block: PEMBlock, of bytes: [UInt8]) throws(PrivateKeyFault) -> Data {
        guard let der = block.bytes else {
            // The older form of encryption has lines before the Base64 (RFC 1421, 4.6.1.1), and all of it
            // may be in Base64.
            let isEncrypted = [bytes, PEMBlock.decoded(bytes) ?? []].contains {
                String(decoding: $0, as: UTF8.self).containsBytes(of: "Proc-Type: 4,ENCRYPTED")
            }
            throw isEncrypted ? .encrypted : .other(.damaged)
        }
        return try privateKey(der: der)
    }

    private static func privateKey(der: [UInt8]) throws(PrivateKeyFault) -> Data {
        guard let fields = (try? DER.parse(der))?.elements, fields.count > 1 else { throw .other(.damaged) }
        if fields[0].identifier == .sequence, fields[1].identifier == .octetString { throw .encrypted }
        guard let name = fields[1].elements?.first else { return try rsaKey(der) }
        guard name.encodedBytes.elementsEqual(RSAPublicKeyInfo.rsaEncryption) else {
            throw .other(name.encodedBytes.elementsEqual(RSAPublicKeyInfo.rsaWithPSS) ? .keyForPSS : .otherAlgorithm)
        }
        // PKCS#8 contains PKCS#1.
        guard fields.count > 2, case .primitive(let key) = fields[2].content else { throw .other(.damaged) }
        return try rsaKey(Array(key))
    }

    /// Returns a key of PKCS#1 after a check of its length.
    private static func rsaKey(_ der: [UInt8]) throws(PrivateKeyFault) -> Data {
        guard let fields = (try? DER.parse(der))?.elements else { throw .other(.damaged) }
        guard fields.count >= 9, let bits = RSAPublicKeyInfo.bits(ofModulus: fields[1]) else {
            throw .other(.otherAlgorithm)
        }
        guard bits >= 2_048 else { throw .other(.shortKey(bits: bits, least: 2_048)) }
        return Data(der)
    }
}
