import Foundation

/// The address and port on which the service listens.
struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    var host: String
    var port: Int

    /// A Boolean value that indicates whether only this machine can connect.
    var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host == "::1" || host == "localhost" || (isIPv4 && parts[0] == "127")
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The reason for which the service cannot listen on this address now; `nil` if it can.
    var obstacle: StartFailure? {
        // The system reads the hints, and creates a list that is valid until it is freed.
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE
        #if os(Linux)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0, let found = unsafe found else {
            return .unknownHost(self)
        }
        defer { unsafe freeaddrinfo(found) }
        // The server uses the first address.
        let address = unsafe found.pointee
        let descriptor = unsafe socket(address.ai_family, address.ai_socktype, 0)
        guard descriptor >= 0 else { return .cannotListen(self, errno: errno) }
        defer { close(descriptor) }
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return nil }
        switch errno {
        case EADDRINUSE: return .addressInUse(self)
        case EADDRNOTAVAIL: return .foreignAddress(self)
        case EACCES: return .portNotAllowed(self)
        case let number: return .cannotListen(self, errno: number)
        }
    }
}
