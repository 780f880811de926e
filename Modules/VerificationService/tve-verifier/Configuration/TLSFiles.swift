import Foundation
import NIOSSL
import TVEModels

/// Checks of certificates and private keys before the service uses them.
///
/// A key with a pass phrase is refused, so that OpenSSL never asks a terminal for it.
enum TLSFiles {
    /// Reads the certificates in a PEM file.
    ///
    /// - Throws: a mistake of the field if the file has no certificates, or damaged ones.
    static func certificates(_ field: ConfigurationField, _ path: String) throws(ConfigurationError)
        -> [NIOSSLCertificate]
    {
        let text = try text(field, path)
        guard hasBlock("CERTIFICATE", in: text) else {
            throw field.error(
                text.contains("PRIVATE KEY-----")
                    ? "\(path) contains a private key and no certificate. Exchange the two files if they are swapped"
                    : "\(path) contains no certificate in PEM. Use a file with -----BEGIN CERTIFICATE-----")
        }
        let found = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
        guard let found, !found.isEmpty else {
            throw field.error("\(path) contains a damaged certificate. Copy it again, as a whole")
        }
        return found
    }

    /// Reads the private key in a PEM file.
    ///
    /// - Throws: a mistake of the field if the file has no private key, a damaged one, or one with a pass phrase.
    static func privateKey(_ field: ConfigurationField, _ path: String) throws(ConfigurationError) -> NIOSSLPrivateKey {
        let text = try text(field, path)
        guard text.contains("PRIVATE KEY-----") else {
            throw field.error(
                hasBlock("CERTIFICATE", in: text)
                    ? "\(path) contains a certificate and no private key. Exchange the two files if they are swapped"
                    : "\(path) contains no private key in PEM. Use a file with -----BEGIN PRIVATE KEY-----")
        }
        guard !text.contains("ENCRYPTED") else {
            throw field.error(
                "\(path) is encrypted with a pass phrase, which nobody can enter for a service. "
                    + "Decrypt it with: openssl pkey -in FILE -out NEW, readable for this service alone")
        }
        do {
            return try NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem)
        } catch {
            throw field.error("\(path) contains a damaged private key. Copy it again, as a whole")
        }
    }

    /// Checks that a key belongs to the first certificate of a chain.
    static func checkPair(
        _ field: ConfigurationField, of chain: [NIOSSLCertificate], and key: NIOSSLPrivateKey
    ) throws(ConfigurationError) {
        let settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        do {
            _ = try NIOSSLContext(configuration: settings)
        } catch {
            throw field.error(
                "the key does not belong to the first certificate of the chain. "
                    + "Use the files of one pair, with the server's own certificate first")
        }
    }

    private static func text(_ field: ConfigurationField, _ path: String) throws(ConfigurationError) -> String {
        let limit = 1 << 20
        guard let handle = FileHandle(forReadingAtPath: path),
            let bytes = try? handle.read(upToCount: limit + 1) ?? Data(), bytes.count <= limit
        else { throw field.error("\(path) cannot be read, or is longer than \(limit) bytes") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hasBlock(_ label: String, in text: String) -> Bool {
        // OpenSSL's own format of a certificate is accepted as well.
        text.contains("-----BEGIN \(label)-----") || text.contains("-----BEGIN TRUSTED \(label)-----")
    }
}
