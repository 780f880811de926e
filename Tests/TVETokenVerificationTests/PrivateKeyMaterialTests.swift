import Foundation
import TVETestTraits
import TVETokenVerification
import Testing
import _CryptoExtras

/// Private keys in the forms in which people store them.
@Suite(.fewAtATime)
struct PrivateKeyMaterialTests {
    /// The key in PKCS#8, as OpenSSL writes it.
    private static let pkcs8 = Result { try SigningKeys.first.get().pkcs8PEMRepresentation }

    @Test(arguments: TokenKeyFormTests.readable)
    func reads_whatIsOneKey(form: Form) throws {
        let key = try SigningKeys.first.get()
        for pem in [key.pemRepresentation, try Self.pkcs8.get()] {
            let text = form.apply(pem.trimmingCharacters(in: .newlines))
            try expect(try PrivateKeyMaterial.key(in: Data(text.utf8)), is: key)
        }
    }

    @Test func readsDER_andAKeyBesideItsCertificate() throws {
        let key = try SigningKeys.first.get()
        try expect(try PrivateKeyMaterial.key(in: key.derRepresentation), is: key)
        let foreign = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----"
        for other in [CertificateSamples.version3, foreign] {
            try expect(try PrivateKeyMaterial.key(in: Data("\(other)\n\(key.pemRepresentation)".utf8)), is: key)
        }
    }

    /// Nobody can tell which of several keys is to sign.
    @Test func readsAKeyThatIsThereTwice_butNotTwoKeys() throws {
        let key = try SigningKeys.first.get()
        let twice = Data((key.pemRepresentation + "\n" + (try Self.pkcs8.get())).utf8)
        try expect(try PrivateKeyMaterial.key(in: twice), is: key)
        let both = Data((key.pemRepresentation + "\n" + (try SigningKeys.second.get().pemRepresentation)).utf8)
        #expect(throws: PrivateKeyFault.several(count: 2)) { try PrivateKeyMaterial.key(in: both) }
    }

    private func expect(_ found: Data, is key: _RSA.Signing.PrivateKey) throws {
        let read = try _RSA.Signing.PrivateKey(derRepresentation: found)
        #expect(read.publicKey.pemRepresentation == key.publicKey.pemRepresentation)
    }

    private static let olderForm = """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,4E30926D303D8DA3DE93C7BF10BEE96B

        AAAA
        -----END RSA PRIVATE KEY-----
        """

    private static let refused: [(String, Data, PrivateKeyFault)] = [
        ("nothing", Data(), .other(.empty)), ("words", Data("no key".utf8), .absent),
        ("a certificate", Data(CertificateSamples.version3.utf8), .publicKey),
        ("an encrypted key", Data(KeySamples.encryptedPrivate.utf8), .encrypted),
        ("a key that is encrypted in the older form", Data(olderForm.utf8), .encrypted),
        ("one in Base64", Data(Data(olderForm.utf8).base64EncodedString().utf8), .encrypted),
        ("an elliptic curve", Data(KeySamples.curvePrivate.utf8), .other(.otherAlgorithm)),
        (
            "a key for PSS",
            Data("-----BEGIN PRIVATE KEY-----\nMBQCAQAwCwYJKoZIhvcNAQEKBAIwAA==\n-----END PRIVATE KEY-----".utf8),
            .other(.keyForPSS)
        ),
        ("1,024 bits", Data(KeySamples.shortPrivate.utf8), .other(.shortKey(bits: 1_024, least: 2_048))),
        ("a cut one", Data(KeySamples.shortPrivate.dropLast(40).utf8), .other(.damaged)),
        (
            "OpenSSH",
            Data("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----".utf8),
            .other(.openSSHPrivateKey)
        ),
        ("PGP", Data("-----BEGIN PGP PRIVATE KEY BLOCK-----\nAA".utf8), .other(.pgpPrivateKey)),
        ("a request", Data(KeySamples.request.utf8), .other(.certificateRequest)),
        ("a public key of SSH", Data("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ".utf8), .other(.foreignFormat)),
        ("a key of JSON", Data("{\"kty\":\"RSA\"}".utf8), .other(.jsonWebKey)),
        ("a private key in XML", Data("<RSAKeyValue><D>AQAB</D></RSAKeyValue>".utf8), .other(.xmlKey)),
        ("a private key of JSON", Data(" {\"kty\":\"RSA\",\"d\":\"AQAB\"}".utf8), .other(.jsonWebKey)),
        ("UTF-16", KeySamples.shortPrivate.data(using: .utf16) ?? Data(), .other(.utf16)),
        (
            "PKCS#12", Data(base64Encoded: KeySamples.keyStore, options: .ignoreUnknownCharacters) ?? Data(),
            .other(.pkcs12)
        ),
    ]

    @Test(arguments: refused)
    func saysWhatWasFound_andWhatToDo(name: String, content: Data, fault: PrivateKeyFault) {
        #expect(throws: fault) { try PrivateKeyMaterial.key(in: content) }
        #expect(fault.description.hasSuffix(".") && fault.description.contains(". "))
    }

    /// The command creates a key, and not the certificate that was requested.
    @Test func aRequest_isToldHowToCreateAKey() {
        let text = "This is a certificate signing request. Create an RSA key with: openssl genrsa -out FILE 2048."
        #expect(PrivateKeyFault.other(.certificateRequest).description == text)
    }
}
