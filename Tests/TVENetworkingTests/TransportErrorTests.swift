import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVESandbox
import TVETestTraits
import Testing

@testable import TVENetworking
@testable import TVETestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct TransportErrorTests {
    // These are messages of libcurl 7.88 with OpenSSL 3.0 about real servers, and messages of older versions and
    // GnuTLS.
    @Test(arguments: [
        ("SSL certificate problem: self-signed certificate", TransportError.certificateNotTrusted(.unknownAuthority)),
        (
            "SSL certificate problem: unable to get local issuer certificate",
            .certificateNotTrusted(.unknownAuthority)
        ),
        ("SSL certificate problem: certificate has expired", .certificateNotTrusted(.expired)),
        ("server certificate expiration date has passed.", .certificateNotTrusted(.expired)),
        ("SSL certificate problem: certificate is not yet valid", .certificateNotTrusted(.notYetValid)),
        (
            "SSL: no alternative certificate subject name matches target host name 'localhost'",
            .certificateNotTrusted(.wrongName)
        ),
        (
            "SSL: certificate subject name 'a' does not match target host name 'b'",
            .certificateNotTrusted(.wrongName)
        ),
        ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .notTrusted),
        ("OpenSSL/3.0.19: error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported", .notTrusted),
        ("server certificate verification failed. CAfile: none CRLfile: none", .notTrusted),
        ("Recv failure: Connection reset by peer", .unreachable),
        ("OpenSSL SSL_connect: Connection reset by peer in connection to h:443", .unreachable),
        ("HTTP/2 stream 1 was not closed cleanly before end of the underlying stream", .unreachable),
        ("HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)", .unreachable),
        ("Error in the HTTP2 framing layer", .unreachable),
        ("CONNECT tunnel failed, response 407", .proxyFailed),
        ("Could not resolve proxy: nohost.invalid", .proxyFailed),
        ("Received HTTP code 403 from proxy after CONNECT", .proxyFailed), ("Failed writing header", .invalid),
        ("Unsupported proxy syntax in '\"http://127.0.0.1:9\"'", .proxyFailed),
        ("Unsupported proxy scheme for 'foo://127.0.0.1:9'", .proxyFailed), ("Proxy CONNECT aborted", .proxyFailed),
        ("User was rejected by the SOCKS5 server (1 1).", .proxyFailed),
        ("Can't complete SOCKS5 connection to sp.invalid. (4)", .proxyFailed),
        ("Could not resolve host: SOCKS.invalid", .unknownHost), ("Invalid Content-Length: value", .invalid),
        ("Too large response headers: 307652 > 307200", .invalid),
        ("Failure writing output to destination, passed 17 returned 0", .invalid), ("Something else", nil), ("", nil),
    ])
    func understandsTheWordsOfTheSystem(words: String, error: TransportError?) {
        #expect(TransportError(explanation: words) == error)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, TransportError.unknownHost), (.dnsLookupFailed, .unknownHost),
        (.cannotConnectToHost, .unreachable), (.networkConnectionLost, .unreachable),
        (.notConnectedToInternet, .unreachable), (.timedOut, .timedOut),
        (.serverCertificateHasBadDate, .certificateNotTrusted(.expired)),
        (.serverCertificateNotYetValid, .certificateNotTrusted(.notYetValid)),
        (.serverCertificateHasUnknownRoot, .certificateNotTrusted(.unknownAuthority)),
        (.serverCertificateUntrusted, .notTrusted), (.secureConnectionFailed, .notTrusted),
        (.clientCertificateRejected, .notTrusted), (.clientCertificateRequired, .notTrusted), (.cancelled, .cancelled),
        (.dataNotAllowed, .unreachable), (.internationalRoamingOff, .unreachable), (.callIsActive, .unreachable),
        (.badServerResponse, .invalid), (.cannotParseResponse, .invalid), (.badURL, .invalid),
        (.unsupportedURL, .invalid), (.unknown, .other(code: URLError.Code.unknown.rawValue)),
        (.userAuthenticationRequired, .other(code: URLError.Code.userAuthenticationRequired.rawValue)),
    ])
    func hasAMeaning_forEachCode(code: URLError.Code, error: TransportError) {
        #expect(TransportError(URLError(code), hasHead: false) == error)
        // An answer that was cut off has no code of its own.
        #expect(TransportError(URLError(code), hasHead: true) == (code == .unknown ? .unreachable : error))
    }

    /// `URLSession` on Apple's systems passes on some errors of a socket as they are.
    @Test(arguments: [
        (ECONNABORTED, TransportError.unreachable), (ECONNREFUSED, .unreachable), (ECONNRESET, .unreachable),
        (ENOTCONN, .unreachable), (EPIPE, .unreachable), (ENETDOWN, .unreachable), (ENETUNREACH, .unreachable),
        (EHOSTUNREACH, .unreachable), (ETIMEDOUT, .timedOut), (EIO, .other(code: Int(EIO))),
    ])
    func hasAMeaning_forEachNumberOfTheSystem(number: Int32, error: TransportError) {
        let system = NSError(domain: NSPOSIXErrorDomain, code: Int(number))
        #expect(TransportError(system, hasHead: false) == error)
        #expect(TransportError(system, hasHead: true) == error)
    }

    @Test func keepsTheCode_ofAnyOtherError() {
        let error = NSError(domain: "kCFErrorDomainCFNetwork", code: 303)
        #expect(TransportError(error, hasHead: false) == .other(code: 303))
    }
}

#if canImport(FoundationNetworking)
/// Servers whose TLS no client should accept.
///
/// A certificate with a wrong name or date cannot be tested here. Foundation on Linux trusts only the authorities of
/// the system, so the unknown authority is found first.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct UntrustedServerTests {
    @Test(.needs("openssl"))
    func aCertificateOfNoAuthority_isNotTrusted() async throws {
        let folder = URL.testFolder.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.path + "/key.pem"
        try Data(TestKeys.first.utf8).write(to: URL(fileURLWithPath: key))
        let certificate = folder.path + "/certificate.pem"
        let made = try Self.openssl(
            "req", "-x509", "-new", "-key", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost")
        await made.ended()
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        // The system selects the port. Another program could take a number that was only found free.
        let server = try Self.openssl(
            "s_server", "-accept", "0", "-key", key, "-cert", certificate, "-www",
            output: try FileHandle(forWritingTo: log))
        // The program inherits the signals that the thread of a task blocks, and SIGTERM is one of them.
        defer { kill(server.processIdentifier, SIGKILL) }
        var port: Substring?
        _ = await soon {
            // The server prints its address when it listens.
            port = (try? String(contentsOf: log, encoding: .utf8))?.firstMatch(of: /ACCEPT \S*:([0-9]+)\n/)?.1
            return port != nil || !server.isRunning
        }
        let address = "https://localhost:\(try #require(port))/"
        #expect(await Self.outcome(address) == .certificateNotTrusted(.unknownAuthority))
    }

    @Test func aServerWithoutTLS_isNotTrusted() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let port = try #require(sandbox.baseURL.port)
        #expect(await Self.outcome("https://127.0.0.1:\(port)/") == .notTrusted)
    }

    @Test func refusedAndUnknown_areToldApart() async throws {
        let closed = try LoopbackServer(isListening: false)
        #expect(await Self.outcome("https://127.0.0.1:\(closed.port)/") == .unreachable)
        // A port that is free could become that of another connection.
        withExtendedLifetime(closed) {}
        // A proxy of the machine would answer in place of the host.
        let unknown = try #require(URL(string: "https://nohost.invalid/"))
        guard ProxyVariables().proxy(for: unknown) == nil else { return }
        #expect(await Self.outcome(unknown.absoluteString) == .unknownHost)
    }

    private static func outcome(_ text: String) async -> TransportError? {
        guard let url = URL(string: text) else { return nil }
        do throws(TransportError) {
            _ = try await URLSessionTransport(timeout: .hanging).send(HTTPRequest(method: .get, url: url), body: nil)
            return nil
        } catch {
            return error
        }
    }

    private static func openssl(_ arguments: String..., output: FileHandle = .nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
#endif
