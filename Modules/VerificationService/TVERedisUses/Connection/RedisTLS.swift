import CTVEOpenSSL
import Foundation

/// The encryption of connections to Redis.
///
/// Connections use TLS 1.2 or later, and the certificate of the server is always verified.
public struct RedisTLS: Sendable, Hashable {
    /// The path of a file with the certificate authorities that the verifier trusts, in PEM; `nil` selects those of the
    /// system.
    public var authorityFile: String?
    /// The path of the client's certificate chain, in PEM; `nil` if the server requires none.
    public var certificateFile: String?
    /// The path of the private key of the client's certificate, in PEM; `nil` if ``certificateFile`` contains it.
    public var keyFile: String?
    /// The name or IP address that the server's certificate must contain; `nil` selects the host of the address.
    public var serverName: String?

    /// Creates the settings of an encrypted connection.
    ///
    /// - Parameters:
    ///   - authorityFile: the path of the trusted certificate authorities, in PEM; `nil` selects those of the system.
    ///   - certificateFile: the path of the client's certificate chain, in PEM; `nil` if the server requires none.
    ///   - keyFile: the path of its private key, in PEM; `nil` if `certificateFile` contains it.
    ///   - serverName: the name or IP address that the server's certificate must contain; `nil` selects the host of the
    ///     address.
    public init(
        authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, serverName: String? = nil
    ) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.serverName = serverName
    }
}

/// The OpenSSL context for connections to Redis.
///
/// The class is `@unchecked Sendable`, because the context is created in `init`, never changed afterwards and only read
/// by OpenSSL, which counts references to it. The class is `@safe`, because the context is freed only in `deinit`, and
/// OpenSSL copies every text that it is given.
@safe final class RedisTLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Creates a context from files.
    ///
    /// - Throws: `.tls` if a file cannot be read, or if the key does not match the certificate.
    init(_ tls: RedisTLS) throws(RedisUsesError) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw .tls(Self.lastError()) }
        unsafe self.context = context
        unsafe tve_ssl_ctx_set_min_version(context, TLS1_2_VERSION)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe tve_ssl_ctx_never_ask(context)
        let hasAuthority =
            if let file = tls.authorityFile {
                unsafe SSL_CTX_load_verify_locations(context, file, nil) == 1
            } else {
                unsafe SSL_CTX_set_default_verify_paths(context) == 1
            }
        guard hasAuthority else { throw .tls(Self.lastError()) }
        if let certificate = tls.certificateFile {
            guard unsafe SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
                unsafe SSL_CTX_use_PrivateKey_file(context, tls.keyFile ?? certificate, SSL_FILETYPE_PEM) == 1,
                unsafe SSL_CTX_check_private_key(context) == 1
            else { throw .tls(Self.lastError()) }
        }
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    /// Creates a session over a connected socket, ready for its handshake.
    ///
    /// - Parameters:
    ///   - socket: the descriptor of the socket.
    ///   - name: the name or IP address that the server's certificate must contain.
    /// - Returns: a session that the caller frees.
    /// - Throws: `.tls` if OpenSSL refuses the name.
    func session(over socket: Int32, name: String) throws(RedisUsesError) -> OpaquePointer {
        guard let session = unsafe SSL_new(context) else { throw .tls(Self.lastError()) }
        var isReady = unsafe SSL_set_fd(session, socket) == 1
        // An address is verified as an address; a name is verified as a name and also sent to the server.
        if let parameters = unsafe SSL_get0_param(session), unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, name) != 1
        {
            isReady = unsafe isReady && SSL_set1_host(session, name) == 1 && tve_ssl_set_server_name(session, name) == 1
        }
        ERR_clear_error()
        guard isReady else {
            unsafe SSL_free(session)
            throw .tls("the name of the server cannot be checked")
        }
        return unsafe session
    }

    /// Returns the reason for which a session failed, and what to do about it.
    static func failure(of session: OpaquePointer) -> String {
        let verdict = unsafe SSL_get_verify_result(session)
        let reason = lastError()
        switch Int32(clamping: verdict) {
        case X509_V_OK:
            let plain: Set = ["wrong version number", "http request", "packet length too long", "record layer failure"]
            return plain.contains(reason)
                ? "the server answers without TLS; name its port with TLS, or configure Redis without it" : reason
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            return "the server's certificate is for another name; name the server as its certificate does (serverName)"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return "the server's certificate is of an unknown authority; name the file of the authority that signed it"
        default:
            guard let text = unsafe X509_verify_cert_error_string(verdict) else { return reason }
            return unsafe "the server's certificate is not accepted: \(String(cString: text))"
        }
    }

    /// Removes the last error of this thread from OpenSSL's queue and returns its text.
    static func lastError() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return "no reason given" }
        return unsafe String(cString: reason)
    }
}
