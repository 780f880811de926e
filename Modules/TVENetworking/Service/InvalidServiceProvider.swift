public import Foundation

/// Why a text is not the endpoint of a service provider.
public enum InvalidServiceProvider: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// It names no host.
    case noHost
    /// It is plain HTTP to another host than this device.
    case plainHTTP(host: String)
    /// It is neither https nor http.
    case unknownScheme(String)

    /// The reason as a sentence, for developers.
    public var description: String {
        switch self {
        case .noHost: "The address of a service is a host, such as sp.example.com or https://sp.example.com."
        case .plainHTTP(let host):
            "Plain http to \(host) is refused, because others on the network can read it: use https. `allowsHTTP` permits it for a test."
        case .unknownScheme(let scheme): "A service has an https address, not one with \(scheme)."
        }
    }

    /// The same.
    public var errorDescription: String? { description }
}
