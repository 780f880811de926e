import TVENetworking

#if AsyncHTTPTransport
import TVEAsyncHTTPTransport
#endif

/// The transport of every command.
enum ToolTransport {
    /// Whether requests go through the proxies of the environment; Apple's systems have theirs in their settings.
    static var usesProxyVariables: Bool {
        #if AsyncHTTPTransport || !canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }

    /// Makes a transport: with the trait `AsyncHTTPTransport` one that no answer can end or fill (CommandLine.md).
    ///
    /// - Parameter timeout: how long a whole exchange may take.
    static func make(timeout: Duration) -> any HTTPTransport {
        #if AsyncHTTPTransport
        AsyncHTTPTransport(timeout: timeout)
        #else
        URLSessionTransport(timeout: timeout)
        #endif
    }
}
