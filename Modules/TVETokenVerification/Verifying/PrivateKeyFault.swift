/// The reason for which bytes contain no private key to sign tokens with.
///
/// The fault contains none of the bytes, so it can be logged.
package enum PrivateKeyFault: Error, Sendable, Hashable {
    /// There is no key.
    case absent
    /// There is a public key or a certificate alone.
    case publicKey
    /// The private key is encrypted.
    case encrypted
    /// There are several different private keys.
    case several(count: Int)
    /// The bytes are something else.
    case other(TokenKeyFault)
}

extension PrivateKeyFault: CustomStringConvertible {
    /// A sentence that states what was found, and one that recommends what to do.
    package var description: String {
        let creation = "Create an RSA key with: openssl genrsa -out FILE 2048."
        return switch self {
        case .absent: "It has no private RSA key. \(creation)"
        case .publicKey: "It has a public key or a certificate, and no private key. \(creation)"
        case .several(let count):
            "It has \(count) different private keys, and only one can sign the tokens. Remove the others from the file."
        case .encrypted: "Its private key is encrypted. Decrypt it with: openssl pkey -in FILE -out key.pem."
        case .other(let fault):
            switch fault {
            case .damaged, .jsonWebKey, .xmlKey, .webPage, .gitLFSPointer, .utf16: "\(fault)"
            case .certificateRequest: "This is a certificate signing request. \(creation)"
            case .javaKeyStore: "\(fault.finding). Convert it to PEM."
            case .openSSHPrivateKey:
                "Its private key is in the format of OpenSSH. Convert it with: ssh-keygen -p -m PEM -N '' -f FILE."
            case .pgpPrivateKey: "It has a PGP private key. \(creation)"
            case .pkcs12:
                "\(fault.finding). Convert it to PEM with: openssl pkcs12 -in FILE -nocerts -nodes -out key.pem."
            default: "\(fault.finding). \(creation)"
            }
        }
    }
}
