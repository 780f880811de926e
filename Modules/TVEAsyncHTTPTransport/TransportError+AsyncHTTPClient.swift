#if AsyncHTTPTransport
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TVENetworking

extension TransportError {
    /// Creates the error that an error of the client, or of the layers below it, means.
    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: self.init(error)
        case is CancellationError: self = .cancelled
        // If the host's name has no address, the client has not tried any connection.
        case let error as NIOConnectionError: self = error.connectionErrors.isEmpty ? .unknownHost : .unreachable
        case is ChannelError: self = .unreachable
        case let error as IOError: self.init(number: error.errnoCode)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self = .certificateNotTrusted(.wrongName)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .notTrusted
        // The answer was cut off before its end.
        case HTTPParserError.invalidEOFState: self = .unreachable
        case is HTTPParserError: self = .invalid
        default: self = .other(code: 0)
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .invalidURL, .emptyHost, .emptyScheme, .bodyLengthMismatch, .traceRequestWithBody:
            self = .invalid
        case .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            self = .timedOut
        case .remoteConnectionClosed, .uncleanShutdown: self = .unreachable
        case .cancelled, .requestStreamCancelled: self = .cancelled
        default: self = .other(code: 0)
        }
    }
}
#endif
