public import Foundation
import HTTPTypes
import TVEModels

/// The endpoint of a service provider.
public struct ServiceProvider: Sendable, Hashable {
    /// The scheme, host and port, without a path.
    public let root: URL
    private let scheme: String
    /// The host and port in the form that a URL has.
    private let authority: String

    /// Parses an endpoint as apps write it.
    ///
    /// - Parameter text: the host with or without scheme and path, for example `sp.auth.adobe.com/adobe-services` or
    ///   `http://127.0.0.1:8080`. The default scheme is https (API reference, `serviceProviders`). `http` is refused
    ///   for every host other than this device.
    /// - Throws: ``InvalidServiceProvider`` with the reason.
    public init(_ text: String) throws(InvalidServiceProvider) { try self.init(text, allowsHTTP: false) }

    /// Parses an endpoint as apps write it.
    ///
    /// - Parameters:
    ///   - text: the host with or without scheme and path.
    ///   - allowsHTTP: a Boolean value that indicates whether `http` is accepted for other hosts than this device.
    ///     Others on the network can then read tokens.
    /// - Throws: ``InvalidServiceProvider`` with the reason.
    public init(_ text: String, allowsHTTP: Bool) throws(InvalidServiceProvider) {
        var url = text
        if !text.containsBytes(of: "://") {
            // In a text such as `http:/example.com` or `https/example.com`, the scheme would be parsed as the host.
            let start = String(text.divided(at: "/").before.divided(at: ":").before).lowercasedASCII
            guard !["http", "https"].contains(start) else { throw .noHost }
            url = "https://\(text)"
        }
        guard var components = URLComponents(string: url), let written = components.scheme,
            let host = components.encodedHost, !host.isEmpty
        else { throw .noHost }
        let scheme = written.lowercased()
        switch scheme {
        case "https": break
        case "http" where allowsHTTP || Self.isLoopback(host): break
        case "http": throw .plainHTTP(host: host)
        default: throw .unknownScheme(written)
        }
        // Foundation decodes and encodes the host again for a scheme that is set, even for the same one.
        if scheme != written { components.scheme = scheme }
        components.path = ""
        components.query = nil
        components.fragment = nil
        components.user = nil
        components.password = nil
        guard let root = components.url else { throw .noHost }
        self.root = root
        self.scheme = scheme
        authority = components.port.map { "\(host):\($0)" } ?? host
    }

    /// Creates a request to the service.
    ///
    /// - Parameter path: a path that begins with a slash, perhaps with a query. Everything is escaped already.
    func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
    }

    /// Returns a Boolean value that indicates whether a host is this device.
    ///
    /// The hosts are `localhost`, `::1`, and every address that begins with 127.
    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.parts(separatedBy: ".")
        // `UInt8` would take a sign, and a text with one is a name, which may belong to any machine.
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
    }
}

/// The reason for which a text is not the endpoint of a service provider.
public enum InvalidServiceProvider: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The text names no host.
    case noHost
    /// The text names plain HTTP to another host than this device.
    case plainHTTP(host: String)
    /// The scheme is neither https nor http.
    case unknownScheme(String)

    /// The reason as a sentence, followed by one about what to do, for developers.
    public var description: String {
        switch self {
        case .noHost: "The address has no host. Give a host or a URL, such as sp.example.com or https://sp.example.com."
        case .plainHTTP(let host):
            "Plain http to \(host) is refused, because others on the network can read it. "
                + "Use https; `allowsHTTP` permits http for a test."
        case .unknownScheme(let scheme): "The scheme of the address is \(scheme). Use https."
        }
    }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
