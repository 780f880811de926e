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
        // A port alone would be a host whose number is an IPv4 address.
        let isPort = host.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let isHost = text.hasPrefix("[") ? Self.isNumber(host) : Self.isName(host) && !isPort
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

    /// Returns a Boolean value that indicates whether a text has only the characters of a host's name.
    ///
    /// Underscores occur in the names of containers.
    private static func isName(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Returns a Boolean value that indicates whether a text has only the characters of an IPv6 address, which may end
    /// with a percent sign and the name of a network interface.
    private static func isNumber(_ text: Substring) -> Bool {
        let end = text.firstIndex(of: "%") ?? text.endIndex
        let digits = text[..<end].utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return digits && isName(text[end...].dropFirst())
    }

    /// The address in the form that a configuration file uses.
    public var description: String {
        switch self {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }
}
