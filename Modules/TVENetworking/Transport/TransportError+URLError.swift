import Foundation
import TVEModels

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Creates the error that an error of a `URLSession` means.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - hasHead: a Boolean value that indicates whether the head of an answer has arrived.
    init(_ error: any Error, hasHead: Bool) {
        let code = (error as? URLError)?.code
        // On Apple systems, a task can end with the error of its socket, for example when the connection was closed
        // while the app was suspended.
        if code == nil, (error as NSError).domain == NSPOSIXErrorDomain {
            self.init(number: Int32(clamping: (error as NSError).code))
            return
        }
        switch code ?? .unknown {
        // On Linux, an answer that was cut off has no code of its own.
        case .unknown where hasHead:
            self = .unreachable
        // On Linux, a connection that was closed before an answer has the code of an unreadable one.
        case .badServerResponse where error.localizedDescription.containsBytes(of: "Empty reply from server"):
            self = .unreachable
        case .cannotFindHost, .dnsLookupFailed:
            self = .unknownHost
        // There is a network, but the device may not use it now: no mobile data, no roaming, or a call.
        case .cannotConnectToHost, .notConnectedToInternet, .networkConnectionLost, .dataNotAllowed,
            .internationalRoamingOff, .callIsActive:
            self = .unreachable
        case .timedOut:
            self = .timedOut
        case .serverCertificateHasBadDate:
            self = .certificateNotTrusted(.expired)
        case .serverCertificateNotYetValid:
            self = .certificateNotTrusted(.notYetValid)
        case .serverCertificateHasUnknownRoot:
            self = .certificateNotTrusted(.unknownAuthority)
        case .secureConnectionFailed, .serverCertificateUntrusted, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .notTrusted
        case .cancelled:
            self = .cancelled
        case .badServerResponse, .cannotParseResponse, .badURL, .unsupportedURL:
            self = .invalid
        default:
            let number = code?.rawValue ?? (error as NSError).code
            self = Self(explanation: error.localizedDescription) ?? .other(code: number)
        }
    }

    /// Creates the error that an error number of the system means.
    ///
    /// - Parameter number: the value of `errno` after a call about a socket.
    package init(number: Int32) {
        switch number {
        case ECONNREFUSED, ECONNRESET, ECONNABORTED, EPIPE, ENETDOWN, ENETUNREACH, EHOSTUNREACH, ENOTCONN:
            self = .unreachable
        case ETIMEDOUT:
            self = .timedOut
        default:
            self = .other(code: Int(number))
        }
    }

    /// Creates the error that a message of libcurl means.
    ///
    /// Foundation on Linux has no code for a failure of TLS or of a proxy, or for a head that it cannot read. It passes
    /// on the message of libcurl, which may be linked with OpenSSL or with GnuTLS.
    ///
    /// - Parameter explanation: the text of the error. The initializer returns nil for a text without a known message.
    init?(explanation: String) {
        guard let meaning = Self.meanings.first(where: { explanation.containsBytes(of: $0.words) }) else { return nil }
        self = meaning.error
    }

    private static let meanings: [(words: String, error: TransportError)] = [
        ("Could not resolve proxy", .proxyFailed),
        ("CONNECT tunnel failed", .proxyFailed),
        ("from proxy after CONNECT", .proxyFailed),
        ("Proxy CONNECT aborted", .proxyFailed),
        // The address of the proxy is not one, for example because it is in quotation marks.
        ("Unsupported proxy", .proxyFailed),
        ("Could not resolve host", .unknownHost),
        ("certificate has expired", .certificateNotTrusted(.expired)),
        ("certificate expiration date has passed", .certificateNotTrusted(.expired)),
        ("certificate is not yet valid", .certificateNotTrusted(.notYetValid)),
        ("certificate not activated yet", .certificateNotTrusted(.notYetValid)),
        // This also matches "no alternative certificate subject name matches target host name".
        ("target host name", .certificateNotTrusted(.wrongName)),
        ("certificate owner does not match", .certificateNotTrusted(.wrongName)),
        ("self-signed certificate", .certificateNotTrusted(.unknownAuthority)),
        ("self signed certificate", .certificateNotTrusted(.unknownAuthority)),
        ("issuer certificate", .certificateNotTrusted(.unknownAuthority)),
        ("unable to verify the first certificate", .certificateNotTrusted(.unknownAuthority)),
        ("server certificate verification failed", .notTrusted),
        // The server was reached and closed the connection. These entries precede those of TLS, whose words may precede
        // the message.
        ("Connection reset by peer", .unreachable),
        ("Connection refused", .unreachable),
        ("was not closed cleanly", .unreachable),
        ("HTTP2 framing layer", .unreachable),
        // Foundation has refused a line of the head, for example one without a name or with a line feed alone. Later
        // versions of libcurl use the words of the second entry.
        ("Failed writing header", .invalid),
        ("Failure writing output to destination", .invalid),
        ("Invalid Content-Length", .invalid),
        ("Too large response headers", .invalid),
        // Such a proxy has answered with a refusal.
        ("SOCKS", .proxyFailed),
        ("SSL", .notTrusted),
        ("TLS", .notTrusted),
        ("gnutls", .notTrusted),
    ]
}
