/// The reason for which bytes contain no key to verify tokens with.
///
/// The fault contains none of the bytes, so it can be logged.
public enum TokenKeyFault: Error, Sendable, Hashable {
    /// There are no bytes, or only white space.
    case empty
    /// A PEM block is cut off, is not Base64, or does not contain what its label states, or bytes of DER are cut off or
    /// followed by others.
    case damaged
    /// The bytes are a key store of Java (JKS or JCEKS).
    case javaKeyStore
    /// The bytes are a PKCS#12 key store, as current versions of Java write them too.
    case pkcs12
    /// The bytes are a PKCS#7 bundle of certificates.
    case pkcs7
    /// The bytes are a private key, or have one among others.
    case privateKey
    /// The bytes are a private JSON Web Key, or a set with one.
    case privateJSONWebKey
    /// The bytes are a private RSA key in XML, as .NET writes it.
    case privateXMLKey
    /// The bytes are a private key of OpenSSH, or have one among others.
    case openSSHPrivateKey
    /// The bytes are a private key of PGP, or have one among others.
    case pgpPrivateKey
    /// The bytes are a request for a certificate.
    case certificateRequest
    /// The key is not an RSA key.
    case otherAlgorithm
    /// The key is an RSA key that is limited to signatures with PSS.
    case keyForPSS
    /// The RSA key is shorter, in bits, than this verifier accepts.
    case shortKey(bits: Int, least: Int)
    /// The RSA key is longer, in bits, than this verifier can use.
    case longKey(bits: Int, most: Int)
    /// There are several different keys, as in a chain of certificates.
    case severalKeys(count: Int)
    /// The bytes are a JSON Web Key or a set of them.
    case jsonWebKey
    /// The bytes are an RSA key in XML, as .NET writes it.
    case xmlKey
    /// The bytes are a page of HTML, or other markup.
    case webPage
    /// The bytes are a public key of SSH or PGP.
    case foreignFormat
    /// The bytes are the pointer that Git LFS stores in place of a file.
    case gitLFSPointer
    /// The bytes are text in UTF-16.
    case utf16
    /// The bytes are in no recognized format.
    case unknown
}

extension TokenKeyFault: CustomStringConvertible {
    /// A sentence that states what was found, and one that recommends what to do.
    public var description: String { "\(finding). \(advice)." }

    /// The sentence about what was found, without its full stop.
    var finding: String {
        switch self {
        case .empty: "This is empty"
        case .damaged: "This is a damaged or incomplete key or certificate"
        case .javaKeyStore: "This is a Java key store"
        case .pkcs12: "This is a PKCS#12 key store"
        case .pkcs7: "This is a PKCS#7 bundle of certificates"
        case .privateKey: "This contains a private key, which must not be stored where tokens are verified"
        case .privateJSONWebKey:
            "This contains a private JSON Web Key, which must not be stored where tokens are verified"
        case .privateXMLKey:
            "This contains a private RSA key in XML, which must not be stored where tokens are verified"
        case .openSSHPrivateKey:
            "This contains an OpenSSH private key, which must not be stored where tokens are verified"
        case .pgpPrivateKey: "This contains a PGP private key, which must not be stored where tokens are verified"
        case .certificateRequest: "This is a certificate signing request, not a certificate"
        case .otherAlgorithm: "This is not an RSA key, and media tokens are signed with RSA"
        case .keyForPSS: "This is an RSA key for PSS alone, and media tokens are signed with PKCS#1 v1.5"
        case .shortKey(let bits, let least):
            "This is an RSA key of \(bits) bits, and at least \(least) bits are required"
        case .longKey(let bits, let most): "This is an RSA key of \(bits) bits, and at most \(most) bits can be used"
        case .severalKeys(let count): "This contains \(count) different keys, as a chain of certificates does"
        case .jsonWebKey: "This is a JSON Web Key"
        case .xmlKey: "This is an RSA key in XML, as .NET writes it"
        case .webPage: "This is a web page or other markup"
        case .foreignFormat: "This is a public key in the format of SSH or PGP"
        case .gitLFSPointer: "This is a pointer of Git LFS, not the file that it stands for"
        case .utf16: "This is text in UTF-16"
        case .unknown: "This is not an RSA public key or certificate"
        }
    }

    /// The recommendation, without its full stop.
    private var advice: String {
        switch self {
        case .empty, .unknown: "Use a public key or an X.509 certificate, in PEM or DER"
        case .damaged:
            "Copy it again as a whole, in PEM from the line that begins with -----BEGIN to the line with -----END"
        case .javaKeyStore:
            "Find the certificate's name with: keytool -list -keystore FILE, and export it with: "
                + "keytool -exportcert -rfc -keystore FILE -alias NAME -file key.pem"
        // With `-clcerts`, the export of a store that has only certificates would be empty.
        case .pkcs12:
            "Export the certificate with: openssl pkcs12 -in FILE -nokeys -out key.pem, "
                + "or that of a private key in the store with: openssl pkcs12 -in FILE -clcerts -nokeys -out key.pem"
        case .pkcs7:
            "Print the certificates with: openssl pkcs7 -print_certs -in FILE (in DER with -inform DER),"
                + " and keep the one that signs tokens"
        case .privateKey:
            "Remove it from here, and, on the machine that signs tokens, export its public key with: "
                + "openssl pkey -in FILE -pubout"
        // OpenSSL does not read the format.
        case .privateJSONWebKey:
            "Remove it from here, and, on the machine that signs tokens, leave out its members d, p, q, dp, dq, qi and "
                + "oth, and convert the rest to PEM"
        case .privateXMLKey:
            "Remove it from here, and, on the machine that signs tokens, leave out its elements D, P, Q, DP, DQ and "
                + "InverseQ, and convert the rest to PEM"
        case .openSSHPrivateKey:
            "Remove it from here, and, on the machine that signs tokens, export its public key with: "
                + "ssh-keygen -e -m PKCS8 -f FILE"
        case .pgpPrivateKey:
            "Remove it from here, and use the public key or certificate of the service that issues tokens, in PEM or "
                + "DER"
        case .certificateRequest: "Use the certificate that was issued for it"
        case .otherAlgorithm, .keyForPSS: "Ask the service that issues tokens for the key that signs them"
        case .shortKey(let bits, let least):
            bits >= 1_024 && least > 1_024
                ? "Ask for a longer key, or allow keys of 1,024 bits, which can be broken" : "Ask for a longer key"
        case .longKey: "Ask for a shorter key"
        case .severalKeys:
            "Keep only the one that signs tokens, or put each into a file of its own"
        case .jsonWebKey, .xmlKey: "Convert it to PEM"
        case .webPage: "Download the key itself; a login page or an error page may have been stored in its place"
        case .foreignFormat: "Use a public key or an X.509 certificate, in PEM or DER"
        case .gitLFSPointer: "Fetch the file with: git lfs pull"
        case .utf16: "Save it as ASCII or UTF-8"
        }
    }
}
