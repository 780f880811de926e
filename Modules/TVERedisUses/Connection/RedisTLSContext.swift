#if VerificationService
import COpenSSL
import Foundation

/// OpenSSL's settings for connections to Redis, read again for each attempt so that new certificates work without a
/// restart.
///
/// Unchecked, because the context is made in `init`, never changed afterwards and only read by OpenSSL, which counts
/// references.
final class RedisTLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Reads the files.
    ///
    /// - Parameter tls: the files.
    /// - Throws: `.tls` when a file cannot be read or does not match.
    init(_ tls: RedisTLS) throws(RedisUsesError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .tls(Self.lastError()) }
        self.context = context
        tve_ssl_ctx_set_min_version(context, TLS1_2_VERSION)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let hasAuthority =
            if let file = tls.authorityFile {
                SSL_CTX_load_verify_locations(context, file, nil) == 1
            } else {
                SSL_CTX_set_default_verify_paths(context) == 1
            }
        guard hasAuthority else { throw .tls(Self.lastError()) }
        if let certificate = tls.certificateFile {
            guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
                SSL_CTX_use_PrivateKey_file(context, tls.keyFile ?? certificate, SSL_FILETYPE_PEM) == 1,
                SSL_CTX_check_private_key(context) == 1
            else { throw .tls(Self.lastError()) }
        }
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// A session over a socket, ready for its handshake.
    ///
    /// - Parameters:
    ///   - socket: the connected socket.
    ///   - name: the name or IP address that the server's certificate must carry.
    /// - Throws: `.tls`.
    func session(over socket: Int32, name: String) throws(RedisUsesError) -> OpaquePointer {
        guard let session = SSL_new(context) else { throw .tls(Self.lastError()) }
        var isReady = SSL_set_fd(session, socket) == 1
        // An address is verified as an address; a name is verified as a name and also sent to the server.
        if let parameters = SSL_get0_param(session), X509_VERIFY_PARAM_set1_ip_asc(parameters, name) != 1 {
            isReady = isReady && SSL_set1_host(session, name) == 1 && tve_ssl_set_server_name(session, name) == 1
        }
        ERR_clear_error()
        guard isReady else {
            SSL_free(session)
            throw .tls("The name of the server cannot be checked")
        }
        return session
    }

    /// OpenSSL's text for the last error on this thread.
    static func lastError() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "no reason given" }
        return String(cString: reason)
    }
}
#endif
