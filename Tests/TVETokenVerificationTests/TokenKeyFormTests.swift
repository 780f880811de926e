import Foundation
import SwiftASN1
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing
import _CryptoExtras

/// Public keys in the forms in which people store them.
@Suite(.fewAtATime)
struct TokenKeyFormTests {
    private static let private2048 = SigningKeys.first
    private static let certificate = CertificateSamples.version3

    static let readable = [
        Form("as it is") { $0 },
        Form("escaped line ends") { $0.replacing("\n", with: "\\n") },
        Form("escaped line ends of Windows") { $0.replacing("\n", with: "\\r\\n") },
        Form("line ends that were escaped twice") { $0.replacing("\n", with: "\\\\n") },
        Form("escaped line ends in JSON") { "{\"key\": \"\($0.replacing("\n", with: "\\n"))\\n\"}" },
        Form("escaped slashes in JSON") {
            "{\"key\": \"\($0.replacing("/", with: "\\/").replacing("\n", with: "\\n"))\"}"
        },
        Form("slashes that were escaped twice") { $0.replacing("/", with: "\\\\/").replacing("\n", with: "\\\\n") },
        Form("escaped signs in JSON") {
            let signs = $0.replacing("+", with: "\\u002B").replacing("=", with: "\\u003d")
            return "{\"key\": \"\(signs.replacing("/", with: "\\u002f").replacing("\n", with: "\\n"))\"}"
        },
        Form("one line") { $0.replacing("\n", with: " ") },
        Form("no line ends") { $0.replacing("\n", with: "") },
        Form("lines of Windows") { $0.replacing("\n", with: "\r\n") },
        Form("lines of old Macs") { $0.replacing("\n", with: "\r") },
        Form("indented") { "  " + $0.replacing("\n", with: "\n  ") },
        Form("indented with tabs") { "\t" + $0.replacing("\n", with: "\n\t") },
        Form("a byte order mark") { "\u{FEFF}" + $0 },
        Form("quoted") { "\"\($0)\"\n" },
        Form("text before and after") { "Bag Attributes\n    localKeyID: 5F 80\nsubject=CN = e\n\n\($0)\nthe end" },
        Form("a comment with hyphens") { "# ---BEGIN KEY OF REF1---\n\($0)" },
        Form("a long comment") { "# -BEGIN \(String(repeating: "a", count: 70))\n\($0)" },
        Form("twice") { "\($0)\n\($0)\n" },
        Form("Base64") { Data($0.utf8).base64EncodedString() },
        Form("Base64 in lines, with a line end inside") {
            Data("\($0)\n".utf8).base64EncodedString(options: .lineLength76Characters) + "\n"
        },
        Form("without its first and last line") {
            $0.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
        },
        Form("a byte order mark before Base64") { "\u{FEFF}" + Data($0.utf8).base64EncodedString() },
        Form("a byte order mark before Base64 alone") {
            "\u{FEFF}" + $0.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
        },
    ]

    @Test(arguments: readable)
    func reads_whatCanOnlyBeOneKey(form: Form) throws {
        let key = try Self.private2048.get().publicKey
        let token = try TokenEnvelope(
            parsing: "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(CertificateSamples.mediaBody)")
        let content = Data(form.apply(Self.certificate).utf8)
        #expect(try TokenVerificationKey(content: content).verifies(token))
        let signature = try Self.private2048.get().signature(
            for: Data(CertificateSamples.mediaBody.utf8), padding: .insecurePKCS1v1_5)
        let own = TokenEnvelope(signature: signature.rawRepresentation, body: CertificateSamples.mediaBody)
        for pem in [key.pemRepresentation, key.pkcs1PEMRepresentation] {
            let text = form.apply(pem.trimmingCharacters(in: .newlines))
            #expect(try TokenVerificationKey(content: Data(text.utf8)).verifies(own))
            #expect(try TokenVerificationKey(pemRepresentation: text).verifies(own))
        }
    }

    @Test func reads_binaryForms() throws {
        let key = try Self.private2048.get().publicKey
        for bytes in [key.derRepresentation, key.pkcs1DERRepresentation] {
            #expect(throws: Never.self) { try TokenVerificationKey(content: bytes) }
        }
        // OpenSSL appends its own element to a certificate that it trusts.
        let der = try PEMDocument(pemString: Self.certificate).derBytes + [0x30, 0x03, 0x0C, 0x01, 0x65]
        let trusted = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: der).pemString
        #expect(throws: Never.self) { try TokenVerificationKey(content: Data(trusted.utf8)) }
        #expect(throws: TokenKeyFault.damaged) { try TokenVerificationKey(content: Data(der)) }
    }

    @Test func reads_aKeyBesideItsOwnCertificate() throws {
        let info = try #require(try Self.infoOfTheCertificate())
        let text = Self.certificate + "\n" + PEMDocument(type: "PUBLIC KEY", derBytes: info).pemString
        #expect(throws: Never.self) { try TokenVerificationKey(content: Data(text.utf8)) }
    }

    private static func infoOfTheCertificate() throws -> [UInt8]? {
        let root = try DER.parse(PEMDocument(pemString: certificate).derBytes)
        guard case .constructed(let parts) = root.content, let first = parts.first(where: { _ in true }),
            case .constructed(let fields) = first.content
        else { return nil }
        return Array(Array(fields)[6].encodedBytes)
    }

    /// A key of PKCS#1 whose modulus has 8,200 bits.
    private static let long: Data = {
        let start: [UInt8] = [0x30, 0x82, 0x04, 0x0B, 0x02, 0x82, 0x04, 0x02, 0x00]
        return Data(start) + Data(repeating: 0xFF, count: 1_025) + Data([0x02, 0x03, 0x01, 0x00, 0x01])
    }()

    private static let refused: [(String, Data, TokenKeyFault)] = [
        ("nothing", Data(), .empty), ("blanks", Data(" \n".utf8), .empty),
        ("a Java key store", Data([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]), .javaKeyStore),
        ("an old Java key store", Data([0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2]), .javaKeyStore),
        ("a Java key store in Base64", Data("/u3+7QAAAAI=".utf8), .javaKeyStore),
        ("an old one in Base64", Data("zs7OzgAAAAI=\n".utf8), .javaKeyStore),
        ("PKCS#12", Data(base64Encoded: KeySamples.keyStore, options: .ignoreUnknownCharacters) ?? Data(), .pkcs12),
        ("PKCS#12 in BER", Data([0x30, 0x80, 2, 1, 3] + Array(repeating: 0, count: 80)), .pkcs12),
        ("PKCS#7 in BER", Data([0x30, 0x80, 6, 9] + Array(repeating: 0, count: 80)), .pkcs7),
        ("PKCS#12 in Base64", Data(KeySamples.keyStore.utf8), .pkcs12),
        ("PKCS#7", Data(KeySamples.bundle.utf8), .pkcs7),
        ("a request", Data(KeySamples.request.utf8), .certificateRequest),
        ("a private key", Data(KeySamples.curvePrivate.utf8), .privateKey),
        ("an encrypted key", Data(KeySamples.encryptedPrivate.utf8), .privateKey),
        ("a key beside a certificate", Data((certificate + "\n" + KeySamples.encryptedPrivate).utf8), .privateKey),
        ("a private key of OpenSSH", Data("-----BEGIN OPENSSH PRIVATE KEY-----\nAA".utf8), .openSSHPrivateKey),
        ("a private key of PGP", Data("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAA".utf8), .pgpPrivateKey),
        (
            "two private keys", Data(("-----BEGIN OPENSSH PRIVATE KEY-----\n" + KeySamples.encryptedPrivate).utf8),
            .privateKey
        ),
        ("a private key whose lines lost hyphens", Data(KeySamples.curvePrivate.dropFirst().utf8), .privateKey),
        (
            "such a key beside a certificate", Data("\(certificate)\n\(KeySamples.curvePrivate.dropFirst())".utf8),
            .privateKey
        ),
        (
            "a private key whose first line ends with few hyphens",
            Data(KeySamples.curvePrivate.replacing("KEY-----\nM", with: "KEY---\nM").utf8), .privateKey
        ),
        (
            "a private key with blanks beside its hyphens, after a certificate",
            Data("\(certificate)\n----- BEGIN RSA PRIVATE KEY -----\nMIIB".utf8), .privateKey
        ),
        (
            "a private key of SSH 2 after a certificate",
            Data("\(certificate)\n---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/5".utf8), .openSSHPrivateKey
        ),
        (
            "a private key whose label has a hyphen",
            Data("-----BEGIN RSA-PSS PRIVATE KEY-----\nMBQC\n-----END RSA-PSS PRIVATE KEY-----".utf8), .privateKey
        ),
        ("a certificate whose first line lost a hyphen", Data(certificate.dropFirst().utf8), .damaged),
        ("an RSA key for PSS", Data(KeySamples.forPSS.utf8), .keyForPSS),
        ("an elliptic curve", Data(CertificateSamples.ellipticCurve.utf8), .otherAlgorithm),
        ("1,024 bits", Data(CertificateSamples.short.utf8), .shortKey(bits: 1_024, least: 2_048)),
        ("8,200 bits", long, .longKey(bits: 8_200, most: 8_192)),
        ("a chain", Data((certificate + "\n" + CertificateSamples.ellipticCurve).utf8), .severalKeys(count: 2)),
        ("a set of JSON", Data("{\"keys\": [{\"kty\": \"RSA\", \"n\": \"AQAB\"}]}".utf8), .jsonWebKey),
        ("a key of JSON", Data("\n{\"kty\":\"RSA\",\"kid\":\"d\"}".utf8), .jsonWebKey),
        (
            "a private key of JSON", Data("{\"kty\":\"RSA\",\"kid\":\"d\",\"d\" : \"AQAB\"}".utf8),
            .privateJSONWebKey
        ),
        ("XML", Data("<RSAKeyValue><Modulus>AQAB</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>".utf8), .xmlKey),
        ("private XML", Data("<?xml version='1.0'?>\n<RSAKeyValue><D>AQAB</D></RSAKeyValue>".utf8), .privateXMLKey),
        ("XML of parameters", Data("<RSAParameters><Exponent>AQAB</Exponent><Modulus>AQAB</Modulus>".utf8), .xmlKey),
        (
            "private XML with prefixes",
            Data("<ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent><ds:D>".utf8), .privateXMLKey
        ),
        ("Git LFS", Data("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n".utf8), .gitLFSPointer),
        ("other JSON", Data("{}".utf8), .unknown), ("a page", Data("<!DOCTYPE html><html>".utf8), .webPage),
        ("a page after blanks", Data(" \r\n<html>".utf8), .webPage),
        ("SSH", Data("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ me@here".utf8), .foreignFormat),
        ("SSH 2", Data("---- BEGIN SSH2 PUBLIC KEY ----".utf8), .foreignFormat),
        ("private SSH 2", Data("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----".utf8), .openSSHPrivateKey),
        ("PGP", Data("-----BEGIN PGP PUBLIC KEY BLOCK-----\nAA".utf8), .foreignFormat),
        ("UTF-16", certificate.data(using: .utf16) ?? Data(), .utf16),
        ("a cut one", Data(certificate.dropLast(40).utf8), .damaged),
        ("a first line", Data("-----BEGIN CERT".utf8), .damaged),
        ("empty PEM", Data("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----".utf8), .damaged),
        ("zeros", Data("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----".utf8), .damaged),
        ("control characters", Data([0, 0, 0, 2, 0, 0, 0, 20]), .unknown),
        ("words", Data("nothing".utf8), .unknown), ("bytes", Data([0x30, 0x82, 0xFF]), .unknown),
        ("a digit", Data("0".utf8), .unknown), ("much", Data(repeating: 0x41, count: 2 << 20), .unknown),
    ]

    @Test(arguments: refused)
    func saysWhatWasFound_andWhatToDo(name: String, content: Data, fault: TokenKeyFault) throws {
        #expect(throws: fault) { try TokenVerificationKey(content: content) }
        let text = String(decoding: content, as: UTF8.self)
        #expect(throws: TokenVerificationError.invalidKey) { try TokenVerificationKey(pemRepresentation: text) }
        let sentences = fault.description
        #expect(sentences.hasPrefix("This ") && sentences.hasSuffix(".") && sentences.contains(". "))
    }

    /// The DER of a key has a length, which shows that some of it is missing or that an editor has added a line end.
    @Test func derThatIsCutOrLonger_isDamaged() throws {
        let der = Data(try PEMDocument(pemString: Self.certificate).derBytes)
        for content in [der + Data("\n".utf8), der + Data("\r\n".utf8), der.dropLast(), der.prefix(100)] {
            #expect(throws: TokenKeyFault.damaged) { try TokenVerificationKey(content: content) }
            let text = Data(content.base64EncodedString().utf8)
            #expect(throws: TokenKeyFault.damaged) { try TokenVerificationKey(content: text) }
        }
        // These words are Base64 of bytes that begin as DER does.
        #expect(throws: TokenKeyFault.unknown) { try TokenVerificationKey(content: Data("MIGHTY12".utf8)) }
    }

    /// A key of PKCS#1 whose modulus has 1,016 bits.
    private static let shortest: Data = {
        let start: [UInt8] = [0x30, 0x81, 0x88, 0x02, 0x81, 0x80, 0x00]
        return Data(start) + Data(repeating: 0xFF, count: 127) + Data([0x02, 0x03, 0x01, 0x00, 0x01])
    }()

    @Test func refusesAKeyOfFewerThan1024Bits_alsoWhereShortKeysAreAllowed() {
        for (allowed, least) in [(false, 2_048), (true, 1_024)] {
            #expect(throws: TokenKeyFault.shortKey(bits: 1_016, least: least)) {
                try TokenVerificationKey(content: Self.shortest, allows1024Bits: allowed)
            }
        }
    }

    /// A file of any length would take any time.
    @Test func readsOneHundredBlocks_andNoMore() throws {
        func copies(_ count: Int) -> Data { Data(String(repeating: Self.certificate + "\n", count: count).utf8) }
        _ = try TokenVerificationKey(content: copies(100))
        #expect(throws: TokenKeyFault.damaged) { try TokenVerificationKey(content: copies(101)) }
    }

    /// Keys of fewer than 1,024 bits are refused with every setting.
    @Test(arguments: [(512, 2_048, false), (1_023, 2_048, false), (1_024, 2_048, true), (512, 1_024, false)])
    func namesTheSettingForShortKeys_whereItHelps(bits: Int, least: Int, isNamed: Bool) {
        let text = TokenKeyFault.shortKey(bits: bits, least: least).description
        #expect(text.containsBytes(of: "or allow keys of 1,024 bits") == isNamed)
    }

    @Test func namesTheCommand_forAKeyStore() {
        let java = TokenKeyFault.javaKeyStore.description
        #expect(java.contains(": keytool -list -keystore FILE,"))
        #expect(java.contains(": keytool -exportcert -rfc -keystore FILE "))
        // OpenSSL exports only certificates of private keys with `-clcerts`, and a store may have no private key.
        let advice = ": openssl pkcs12 -in FILE -nokeys -out key.pem, or"
        #expect(TokenKeyFault.pkcs12.description.containsBytes(of: advice))
    }

    /// OpenSSL reads no JSON Web Key.
    @Test func namesNoCommandOfOpenSSL_forAPrivateJSONWebKey() throws {
        let key = Data(#"{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"}"#.utf8)
        let fault = #expect(throws: TokenKeyFault.self) { try TokenVerificationKey(content: key) }
        let text = try #require(fault).description
        #expect(text.containsBytes(of: "members d, p, q, dp, dq, qi and oth") && !text.containsBytes(of: "openssl"))
    }

    @Test func refusesEveryTruncation_withoutATrap() throws {
        let der = Data(try PEMDocument(pemString: Self.certificate).derBytes)
        for length in 0..<der.count {
            #expect(throws: TokenKeyFault.self) { try TokenVerificationKey(content: der.prefix(length)) }
            let text = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: Array(der.prefix(length))).pemString
            #expect(throws: TokenKeyFault.self) { try TokenVerificationKey(content: Data(text.utf8)) }
        }
    }
}
