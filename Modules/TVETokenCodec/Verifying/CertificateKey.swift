import Foundation
import SwiftASN1
import TVEModels

/// Finds the public key inside an X.509 certificate.
///
/// Nothing else in the certificate is checked: configuring a verifier with it means trusting its key, as with the key
/// store of the original verifier.
enum CertificateKey {
    /// The DER bytes of the certificate's `subjectPublicKeyInfo`; nil when the bytes are not a certificate.
    ///
    /// - Parameter certificate: one certificate, in PEM or DER.
    static func subjectPublicKeyInfo(of certificate: Data) -> [UInt8]? {
        guard let bytes = derBytes(certificate), let root = try? DER.parse(bytes),
            let signed = children(of: root)?.first, var fields = children(of: signed)
        else { return nil }
        // tbsCertificate: the version exists from X.509 version 2 on, and is the only field with a tag of its own here.
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields.removeFirst()
        }
        // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
        guard fields.count >= 6, fields[5].identifier == .sequence else { return nil }
        return Array(fields[5].encodedBytes)
    }

    private static func derBytes(_ certificate: Data) -> [UInt8]? {
        guard certificate.starts(with: "-----".utf8) else { return Array(certificate) }
        guard let text = String(validUTF8: certificate),
            let document = try? PEMDocument(pemString: text),
            document.discriminator == "CERTIFICATE"
        else { return nil }
        return document.derBytes
    }

    private static func children(of node: ASN1Node) -> [ASN1Node]? {
        guard node.identifier == .sequence, case .constructed(let nodes) = node.content else { return nil }
        return Array(nodes)
    }
}
