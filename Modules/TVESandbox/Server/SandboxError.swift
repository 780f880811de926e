/// Why a sandbox could not start.
public enum SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The host is not an IPv4 address.
    case invalidHost(String)
    /// The address is in use or not this machine's.
    case cannotListen(host: String, port: UInt16)

    /// One sentence that names the address.
    public var description: String {
        switch self {
        case .invalidHost(let host): "\"\(host)\" is no IPv4 address."
        case .cannotListen(let host, let port): "Cannot listen at \(host):\(port); the port may be in use."
        }
    }
}
