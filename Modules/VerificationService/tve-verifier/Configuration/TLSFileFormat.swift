import Foundation
import NIOSSL
import TVETokenVerification

/// A format of certificates and private keys other than PEM.
enum TLSFileFormat: Sendable, Hashable {
    case der, javaKeyStore, pkcs12, pkcs7, utf16

    /// Recognizes the format of a file, or returns `nil` if it is another one.
    init?(_ bytes: [UInt8]) {
        if Self.isCertificate(bytes) || Self.isPrivateKey(bytes) {
            self = .der
            return
        }
        do throws(TokenKeyFault) {
            _ = try TokenVerificationKey(content: Data(bytes), allows1024Bits: true)
            return nil
        } catch {
            switch error {
            case .javaKeyStore: self = .javaKeyStore
            case .pkcs12: self = .pkcs12
            case .pkcs7: self = .pkcs7
            case .utf16: self = .utf16
            default: return nil
            }
        }
    }

    /// Returns a Boolean value that indicates whether the bytes are a certificate in DER.
    static func isCertificate(_ bytes: [UInt8]) -> Bool {
        (try? NIOSSLCertificate(bytes: bytes, format: .der)) != nil
    }

    /// Returns a Boolean value that indicates whether the bytes are a private key in DER.
    static func isPrivateKey(_ bytes: [UInt8]) -> Bool {
        // NIOSSL traps if there are no bytes.
        !bytes.isEmpty && (try? NIOSSLPrivateKey(bytes: bytes, format: .der)) != nil
    }

    /// The format as a part of a sentence about the file.
    var name: String {
        switch self {
        case .der: "in DER"
        case .javaKeyStore: "a Java key store"
        case .pkcs12: "a PKCS#12 key store"
        case .pkcs7: "a PKCS#7 bundle of certificates"
        case .utf16: "text in UTF-16"
        }
    }

    /// The advice where certificates are expected, without the full stop.
    var adviceForCertificate: String {
        switch self {
        case .der: "Convert it with: openssl x509 -inform DER -in FILE -out NEW"
        case .javaKeyStore: "Print its certificates with: keytool -list -rfc -keystore FILE"
        case .pkcs12: "Export its certificates with: openssl pkcs12 -in FILE -nokeys -out NEW"
        case .pkcs7: "Print its certificates with: openssl pkcs7 -print_certs -in FILE (in DER with -inform DER)"
        case .utf16: "Save it as ASCII or UTF-8"
        }
    }

    /// The advice where a private key is expected, without the full stop.
    var adviceForKey: String {
        switch self {
        case .der: "Convert it with: openssl pkey -inform DER -in FILE -out NEW, readable for this service alone"
        case .javaKeyStore:
            "Convert it to PKCS#12 with: keytool -importkeystore -srckeystore FILE -destkeystore NEW "
                + "-deststoretype pkcs12, and export the key from there with: openssl pkcs12 -in NEW -nocerts -nodes"
        case .pkcs12:
            "Export its key with: openssl pkcs12 -in FILE -nocerts -nodes -out NEW, readable for this service alone"
        case .pkcs7: "A bundle contains no private key, so use the file with the private key of the certificate"
        case .utf16: "Save it as ASCII or UTF-8"
        }
    }
}
