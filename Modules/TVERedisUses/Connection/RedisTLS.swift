#if VerificationService
/// How connections to Redis are encrypted; TLS 1.2 or later, and the server's certificate is always checked.
public struct RedisTLS: Sendable, Hashable {
    /// Path of a file with the authorities, in PEM, that may have signed the server's certificate; nil means the system's.
    public var authorityFile: String?
    /// Path of the certificate chain, in PEM, for the server; nil when the server asks for none.
    public var certificateFile: String?
    /// Path of the private key of that certificate, in PEM.
    public var keyFile: String?
    /// The name, or the IP address, that the server's certificate must carry; nil means the host of the address.
    public var serverName: String?

    /// Describes an encrypted connection.
    ///
    /// - Parameters:
    ///   - authorityFile: path of the authorities, in PEM; nil means the system's.
    ///   - certificateFile: path of a certificate chain for the server, in PEM.
    ///   - keyFile: path of its private key, in PEM.
    ///   - serverName: what the server's certificate must carry; nil means the host of the address.
    public init(
        authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, serverName: String? = nil
    ) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.serverName = serverName
    }
}
#endif
