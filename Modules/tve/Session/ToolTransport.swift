import TVENetworking

#if AsyncHTTPTransport
import TVEAsyncHTTPTransport
#endif

/// The transport that all commands use.
enum ToolTransport {
    /// A Boolean value that indicates whether requests go through the proxies in environment variables.
    ///
    /// On Apple's systems, proxies are configured in the system's settings.
    static var usesProxyVariables: Bool { isFoundationOfLinux }

    /// A Boolean value that indicates whether Foundation on Linux sends the requests.
    static var isFoundationOfLinux: Bool {
        #if AsyncHTTPTransport || !canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }

    /// The proxies of the environment through which requests may go, or `nil` if this build uses none of them.
    static var proxies: ProxyVariables? { usesProxyVariables ? ProxyVariables() : nil }

    /// Creates a transport.
    ///
    /// With the trait `AsyncHTTPTransport`, no answer can crash the tool or fill its memory (CommandLine.md).
    ///
    /// - Parameter timeout: the longest time that a whole exchange may take.
    static func make(timeout: Duration) -> any HTTPTransport {
        #if AsyncHTTPTransport
        AsyncHTTPTransport(timeout: timeout)
        #else
        URLSessionTransport(timeout: timeout)
        #endif
    }
}
