import Foundation
import NIOSSL
import TVEModels
import TVETokenVerification
import TVEVerification

/// Checks of certificates and private keys before the service uses them.
///
/// A key with a pass phrase is refused, so that OpenSSL never asks a terminal for it.
enum TLSFiles {
    /// A problem of a file with a certificate or a private key.
    enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file cannot be read, or is longer than a limit, in bytes.
        case unreadable(path: String, limit: Int)
        /// The file contains a private key, where a certificate is expected.
        case keyInsteadOfCertificate(path: String)
        /// The file contains no certificate that can be recognized.
        case noCertificate(path: String)
        /// The file contains a certificate that cannot be understood.
        case damagedCertificate(path: String)
        /// The file contains a certificate that has expired, which is not a mistake.
        case expiredCertificate(path: String, at: Date)
        /// The file contains a certificate that is not valid yet, which is not a mistake.
        case earlyCertificate(path: String, validFrom: Date)
        /// The file contains a certificate, where a private key is expected.
        case certificateInsteadOfKey(path: String)
        /// The file contains no private key that can be recognized.
        case noKey(path: String)
        /// The file contains certificates or a private key in another format than PEM.
        case otherFormat(path: String, TLSFileFormat, isForKey: Bool)
        /// The private key needs a pass phrase.
        case encryptedKey(path: String)
        /// The private key has the format of OpenSSH, which OpenSSL does not read.
        case openSSHKey(path: String)
        /// The file contains a private key that BoringSSL cannot use: a damaged one, or one of another kind.
        case unusableKey(path: String)
        /// The file contains a private key that cannot be understood.
        case damagedKey(path: String)
        /// The first or last line of a block of PEM is not a line of its own, where alone OpenSSL finds it.
        case displacedLine(path: String)
        /// The first certificate is for a key, or a use of it, that BoringSSL does not have in a server.
        case unusableCertificate(path: String)
        /// The private key is not that of the first certificate.
        case otherPair

        /// A sentence about what was found, and one about what to do.
        var description: String {
            switch self {
            case .unreadable(let path, let limit):
                "\(path) cannot be read, or is longer than \(limit) bytes. "
                    + "Check that it is the right file, and that the user of this service may read it."
            case .keyInsteadOfCertificate(let path):
                "\(path) contains a private key and no certificate. Exchange the two files if they are swapped."
            case .noCertificate(let path):
                "\(path) contains no certificate in PEM. Use a file with -----BEGIN CERTIFICATE-----."
            case .damagedCertificate(let path):
                "\(path) contains a damaged certificate. Copy it again, as a whole."
            case .expiredCertificate(let path, let end):
                "\(path) contains a certificate that expired at \(end.formatted(.iso8601)), so connections with it "
                    + "may fail. Renew it, or correct the clock of this machine."
            case .earlyCertificate(let path, let begin):
                "\(path) contains a certificate that is not valid before \(begin.formatted(.iso8601)), so connections "
                    + "with it may fail. Use one that is valid now, or correct the clock of this machine."
            case .certificateInsteadOfKey(let path):
                "\(path) contains a certificate and no private key. Exchange the two files if they are swapped."
            case .noKey(let path):
                "\(path) contains no private key in PEM. Use a file with -----BEGIN PRIVATE KEY-----."
            case .otherFormat(let path, let format, let isForKey):
                "\(path) is \(format.name), where PEM is expected. "
                    + "\(isForKey ? format.adviceForKey : format.adviceForCertificate)."
            case .encryptedKey(let path):
                "\(path) is encrypted with a pass phrase, which nobody can enter for a service. "
                    + "Decrypt it with: openssl pkey -in FILE -out NEW, readable for this service alone."
            case .openSSHKey(let path):
                "\(path) contains an OpenSSH private key, whose format this service cannot read. "
                    + "Convert it with: ssh-keygen -p -m PEM -N '' -f FILE."
            case .unusableKey(let path):
                "\(path) contains a private key that this service cannot use: "
                    + "it is damaged, or of an unsupported kind. Copy it again as a whole, or use an RSA key or "
                    + "one of the curve P-256, P-384 or P-521, with a certificate for it."
            case .damagedKey(let path): "\(path) contains a damaged private key. Copy it again, as a whole."
            case .displacedLine(let path):
                "\(path) has something beside the first or last line of its PEM, such as a blank, a byte order mark or "
                    + "an escaped line break. Write each line of the PEM on a line of its own, from its beginning."
            case .unusableCertificate(let path):
                "\(path) begins with a certificate for a key of an unsupported kind, or one that may not sign. "
                    + "Use one for an RSA key, or for a key of the curve P-256, P-384 or P-521 that may sign."
            case .otherPair:
                "The key does not belong to the first certificate of the chain. "
                    + "Use the files of one pair, and begin the chain with the certificate of the key."
            }
        }
    }

    /// Reads the certificates in a PEM file, and notes one that is not valid now.
    ///
    /// The dates are no mistake, because the clock may be set later, and the files for Redis may be replaced while the
    /// service runs.
    ///
    /// - Parameters:
    ///   - field: the field that names the file.
    ///   - path: the path of the file.
    ///   - areAuthorities: `true` if the file may have old certificates beside a valid one.
    /// - Throws: a mistake of the field if the file has no certificates, or damaged ones, or also a private key that
    ///   everybody can read.
    static func certificates(
        _ field: ConfigurationField, _ path: String, areAuthorities: Bool = false
    ) throws(ConfigurationError) -> [NIOSSLCertificate] {
        let content = try content(field, path)
        let text = String(decoding: content, as: UTF8.self)
        guard hasCertificate(text) else {
            throw field.error(.tls(problem(of: content, inFile: path, isForKey: false)))
        }
        if hasPrivateKey(text), let problem = FileTrust.problem(of: path, as: .secret) {
            throw field.error(.untrusted(problem))
        }
        let found = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
        // After a byte order mark, OpenSSL would use the other certificates of the file without a word.
        guard let found, !found.isEmpty, !text.utf8.starts(with: "\u{FEFF}-----BEGIN ".utf8) else {
            throw field.error(
                .tls(hasDisplacedLine(text) ? .displacedLine(path: path) : .damagedCertificate(path: path)))
        }
        let problems = found.compactMap { problem(ofDatesOf: $0, in: path, at: field.mistakes.now) }
        if let problem = problems.first, !areAuthorities || problems.count == found.count {
            field.mistakes.note(field.error(.tls(problem)))
        }
        return found
    }

    private static func problem(ofDatesOf certificate: NIOSSLCertificate, in path: String, at now: Date) -> Problem? {
        let begin = Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore))
        let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
        if end < now { return .expiredCertificate(path: path, at: end) }
        return now < begin ? .earlyCertificate(path: path, validFrom: begin) : nil
    }

    /// Reads the private key in a PEM file.
    ///
    /// - Throws: a mistake of the field if the file has no private key, a damaged one, or one with a pass phrase.
    static func privateKey(_ field: ConfigurationField, _ path: String) throws(ConfigurationError) -> NIOSSLPrivateKey {
        let content = try content(field, path)
        let text = String(decoding: content, as: UTF8.self)
        guard hasPrivateKey(text) else {
            throw field.error(.tls(problem(of: content, inFile: path, isForKey: true)))
        }
        guard !text.contains("ENCRYPTED") else { throw field.error(.tls(.encryptedKey(path: path))) }
        do {
            return try NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem)
        } catch {
            if text.utf8.contains("-----BEGIN OPENSSH PRIVATE KEY-----".utf8) {
                throw field.error(.tls(.openSSHKey(path: path)))
            }
            if hasDisplacedLine(text) { throw field.error(.tls(.displacedLine(path: path))) }
            throw field.error(.tls(hasWholeKey(text) ? .unusableKey(path: path) : .damagedKey(path: path)))
        }
    }

    /// Checks that a key belongs to the first certificate of a chain, and that this certificate can be used.
    ///
    /// - Parameters:
    ///   - chain: the certificates.
    ///   - certificate: the field that names their file.
    ///   - path: the path of their file.
    ///   - key: the private key.
    ///   - field: the field that names the file of the key.
    /// - Throws: a mistake of one of the two fields.
    static func checkPair(
        _ chain: [NIOSSLCertificate], of certificate: ConfigurationField, inFile path: String,
        and key: NIOSSLPrivateKey, of field: ConfigurationField
    ) throws(ConfigurationError) {
        let settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        do {
            _ = try NIOSSLContext(configuration: settings)
        } catch NIOSSLError.failedToLoadCertificate {
            throw certificate.error(.tls(.unusableCertificate(path: path)))
        } catch {
            throw field.error(.tls(.otherPair))
        }
    }

    /// Checks who can change a file, and who can read it if it contains a private key, whatever its purpose is.
    static func trustProblem(of path: String, as purpose: FileTrust.Purpose) -> FileTrust.Problem? {
        if let problem = FileTrust.problem(of: path, as: purpose) { return problem }
        guard purpose == .anchor, hasPrivateKey(inFile: path) == true else { return nil }
        return FileTrust.problem(of: path, as: .secret)
    }

    /// Returns a Boolean value that indicates whether a file contains a private key, or `nil` if it cannot be read.
    static func hasPrivateKey(inFile path: String) -> Bool? {
        content(of: path).map { hasPrivateKey(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns a Boolean value that indicates whether a file contains certificates and no private key.
    static func hasOnlyCertificates(inFile path: String) -> Bool {
        guard let content = content(of: path) else { return false }
        let text = String(decoding: content, as: UTF8.self)
        return !hasPrivateKey(text) && (hasCertificate(text) || TLSFileFormat.isCertificate(Array(content)))
    }

    private static let longest = 1 << 20

    private static func content(_ field: ConfigurationField, _ path: String) throws(ConfigurationError) -> Data {
        try content(of: path).orThrow(field.error(.tls(.unreadable(path: path, limit: longest))))
    }

    /// Returns the content of a file, or `nil` if it cannot be read or is too long.
    ///
    /// A named pipe, at which nobody may ever write, is not waited for.
    private static func content(of path: String) -> Data? {
        guard case .bytes(let bytes) = FileContent(path: path, limit: longest) else { return nil }
        return bytes
    }

    /// Returns the problem of a file that does not contain the expected block of PEM.
    private static func problem(of content: Data, inFile path: String, isForKey: Bool) -> Problem {
        let bytes = Array(content)
        let text = String(decoding: bytes, as: UTF8.self)
        if isForKey, hasCertificate(text) || TLSFileFormat.isCertificate(bytes) {
            return .certificateInsteadOfKey(path: path)
        }
        if !isForKey, hasPrivateKey(text) || TLSFileFormat.isPrivateKey(bytes) {
            return .keyInsteadOfCertificate(path: path)
        }
        if let format = TLSFileFormat(bytes) { return .otherFormat(path: path, format, isForKey: isForKey) }
        return isForKey ? .noKey(path: path) : .noCertificate(path: path)
    }

    private static func hasPrivateKey(_ text: String) -> Bool { text.utf8.contains("PRIVATE KEY-----".utf8) }

    /// Returns a Boolean value that indicates whether the first private key of a text is complete and no RSA key.
    ///
    /// BoringSSL can use the usual RSA keys, so one that it refuses is most likely damaged inside.
    private static func hasWholeKey(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END ") }),
            let bytes = Data(base64Encoded: lines[(begin + 1)..<end].joined()),
            !lines[begin].hasSuffix(" RSA PRIVATE KEY-----"), bytes.prefix(32).range(of: rsaEncryption) == nil
        else { return false }
        do throws(TokenKeyFault) {
            _ = try TokenVerificationKey(content: bytes)
            return false
        } catch {
            return error == .privateKey
        }
    }

    /// The identifier of RSA keys in DER (1.2.840.113549.1.1.1).
    private static let rsaEncryption = Data([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])

    /// Returns a Boolean value that indicates whether the first or last line of a block of PEM is no line of its own.
    ///
    /// Only blanks may follow such a line.
    private static func hasDisplacedLine(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let parts = line.components(separatedBy: "-----")
            return parts.contains { $0.hasPrefix("BEGIN ") || $0.hasPrefix("END ") }
                && (parts.count != 3 || !parts[0].isEmpty || !parts[2].allSatisfy(\.isWhitespace))
        }
    }

    private static func hasCertificate(_ text: String) -> Bool {
        // OpenSSL's own format of a certificate and the older label are accepted as well.
        ["", "TRUSTED ", "X509 "].contains { text.utf8.contains("-----BEGIN \($0)CERTIFICATE-----".utf8) }
    }
}
