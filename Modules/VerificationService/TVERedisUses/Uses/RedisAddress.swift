/// The address at which a Redis (or Valkey) server listens.
public enum RedisAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host, by name or number, and a TCP port.
    case host(String, port: Int)
    /// The path of a Unix domain socket.
    case socket(path: String)

    /// Creates an address from its text, or `nil` if the text has none of the accepted forms.
    ///
    /// - Parameter text: `host`, `host:port`, `[IPv6]:port` or `unix:/path`. The default port is 6379.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The operating system limits the length of such a path.
            guard path.hasPrefix("/"), path.utf8.count < 104, !path.utf8.contains(0) else { return nil }
            self = .socket(path: path)
            return
        }
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
        }
        let isHost = host.utf8.allSatisfy { byte in
            (0x21..<0x7F).contains(byte) && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "@")
        }
        guard !host.isEmpty, host.utf8.count <= 253, isHost else { return nil }
        if rest.isEmpty {
            self = .host(String(host), port: 6379)
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
                (1...65_535).contains(port)
            else { return nil }
            self = .host(String(host), port: port)
        }
    }

    /// The address in the form that a configuration file uses.
    public var description: String {
        switch self {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }
}
