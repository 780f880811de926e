package import Foundation
public import TVEModels
import TVETokenCodec
package import TVETokenVerification
import _CryptoExtras

/// The RSA key with which a sandbox signs its tokens.
public struct SandboxKey: Sendable {
    private let key: _RSA.Signing.PrivateKey
    /// The public key, in PEM format.
    public let publicKeyPEM: String
    let verification: TokenVerificationKey
    /// The signed software statements, by the scopes that they grant.
    private let statements = Guarded<[[String]: String]>([:])

    /// The key that the sandboxes of this process share when their creator passes none.
    package static let ofThisProcess = Result { try SandboxKey() }

    /// The key of the sandboxes of this process that have no server.
    ///
    /// Only tests have such sandboxes. They sign several thousand tokens, which takes a fifth of the time with a key of
    /// 1,024 bits.
    static let ofDirectSandboxes = Result {
        try SandboxKey(_RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024)), allows1024Bits: true)
    }

    /// Generates a key of 2,048 bits, which takes about a tenth of a second.
    ///
    /// - Throws: any error of the cryptographic library.
    public init() throws {
        try self.init(_RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    private init(_ key: _RSA.Signing.PrivateKey, allows1024Bits: Bool = false) throws {
        self.key = key
        publicKeyPEM = key.publicKey.pemRepresentation
        verification = try TokenVerificationKey(pemRepresentation: publicKeyPEM, allows1024Bits: allows1024Bits)
    }

    /// Creates a key from a saved private key, so that back ends do not need a new public key.
    ///
    /// - Parameter privateKeyPEM: an RSA private key of 2,048 bits or more, in PEM format. It may be indented, in
    ///   quotation marks or among other text, and its line ends may be escaped (`\n`) or lost.
    /// - Throws: an error that says what the text has instead.
    public init(privateKeyPEM: String) throws {
        try self.init(content: Data(privateKeyPEM.utf8))
    }

    /// Creates a key from the content of a file.
    ///
    /// - Parameter content: an RSA private key of 2,048 bits or more, in PEM or DER.
    /// - Throws: the reason for which there is none.
    package init(content: Data) throws(PrivateKeyFault) {
        let bytes = try PrivateKeyMaterial.key(in: content)
        do {
            try self.init(_RSA.Signing.PrivateKey(derRepresentation: bytes))
        } catch {
            throw .other(.damaged)
        }
    }

    /// The private key, in PEM format.
    ///
    /// Save it to create the same key again.
    public var privateKeyPEM: String { key.pemRepresentation }

    /// Signs the body of a token.
    ///
    /// - Parameter body: the output of `TokenWriter`, or any other text.
    /// - Returns: the token in the form in which the service sends it.
    /// - Throws: any error of the cryptographic library.
    public func sign(_ body: String) throws -> TokenText {
        TokenEnvelope(signature: try signature(Data(body.utf8)), body: body).text
    }

    /// Signs one text and puts the signature in front of a body, which makes the signature wrong when the two differ.
    func sign(_ signed: String, as body: String) throws -> TokenText {
        TokenEnvelope(signature: try signature(Data(signed.utf8)), body: body).text
    }

    private func signature(_ bytes: Data) throws -> Data {
        try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation
    }

    // MARK: - JSON web tokens

    /// Signs claims as a JWT with RS256.
    func jwt(_ claims: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let header = try encoder.encode(["alg": "RS256", "typ": "JWT"])
        let content = header.base64URL + "." + (try encoder.encode(claims)).base64URL
        return content + "." + (try signature(Data(content.utf8))).base64URL
    }

    /// Returns the software statement with the given scopes, which is signed at the first call only.
    ///
    /// Without this, the two signatures would take longer than the rest of a sandbox's start.
    func statement(granting scopes: [String], sign: () throws -> String) throws -> String {
        try statements.withLock { known throws in
            if let statement = known[scopes] { return statement }
            let statement = try sign()
            known[scopes] = statement
            return statement
        }
    }

    /// Returns the claims of a JWT that this key has signed; `nil` for any other text.
    func claims<Claims: Decodable>(_ type: Claims.Type, ofJWT text: String) -> Claims? {
        let parts = text.parts(separatedBy: ".")
        guard parts.count == 3, let signature = Data(base64URL: parts[2]), let claims = Data(base64URL: parts[1]),
            verification.verifies(TokenEnvelope(signature: signature, body: "\(parts[0]).\(parts[1])"))
        else { return nil }
        return try? UntrustedJSON.decode(type, from: claims, .small)
    }
}
