import SwiftASN1

/// The kind of a DER structure, determined by its outermost elements.
enum DERShape {
    /// A public key, alone or from a certificate, with its `SubjectPublicKeyInfo`.
    case publicKeyInfo([UInt8])
    case rsaPublicKey
    case privateKey
    case certificateRequest
    case pkcs7
    case pkcs12

    init?(_ bytes: [UInt8]) {
        guard let root = try? DER.parse(bytes), let fields = root.elements, let first = fields.first else {
            return nil
        }
        let kinds = fields.map(\.identifier)
        switch first.identifier {
        case .sequence:
            if kinds == [.sequence, .bitString] {
                self = .publicKeyInfo(bytes)
            } else if kinds == [.sequence, .octetString] {
                // An encrypted private key of PKCS#8.
                self = .privateKey
            } else if kinds == [.sequence, .sequence, .bitString], let inner = first.elements {
                self.init(signed: inner)
            } else {
                return nil
            }
        case .integer:
            if kinds == [.integer, .integer] {
                self = .rsaPublicKey
            } else if kinds.count >= 9, kinds.allSatisfy({ $0 == .integer }) {
                self = .privateKey
            } else if kinds.count >= 2, kinds[1] == .octetString {
                // A private key of an elliptic curve (RFC 5915).
                self = .privateKey
            } else if kinds.count >= 3, kinds[1] == .sequence, kinds[2] == .octetString {
                // A private key of PKCS#8.
                self = .privateKey
            } else if kinds.count >= 2, kinds[1] == .sequence {
                self = .pkcs12
            } else {
                return nil
            }
        case .objectIdentifier where kinds.count == 2: self = .pkcs7
        default: return nil
        }
    }

    /// Determines the kind of a signed structure, which is a certificate or a request for one.
    private init?(signed fields: [ASN1Node]) {
        var fields = fields[...]
        // The version exists from X.509 version 2 on, and is the only field with a tag of its own here.
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields.removeFirst()
        }
        let kinds = fields.map(\.identifier)
        // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
        if kinds.starts(with: [.integer, .sequence, .sequence, .sequence, .sequence, .sequence]) {
            self = .publicKeyInfo(Array(fields[fields.startIndex + 5].encodedBytes))
        } else if kinds.starts(with: [.integer, .sequence, .sequence]), kinds.count <= 4 {
            self = .certificateRequest
        } else {
            return nil
        }
    }

    /// Returns the bytes of the first element, or all bytes if they do not begin with one.
    static func firstElement(of bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 2, bytes[1] > 0x80 else { return bytes }
        let lengthBytes = Int(bytes[1] & 0x7F)
        guard lengthBytes <= 3, bytes.count > 2 + lengthBytes else { return bytes }
        let length = bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes.prefix(2 + lengthBytes + length))
    }
}

extension ASN1Node {
    /// The elements of a sequence, or nil if the node is not a sequence.
    var elements: [ASN1Node]? {
        guard identifier == .sequence, case .constructed(let nodes) = content else { return nil }
        return Array(nodes)
    }
}
