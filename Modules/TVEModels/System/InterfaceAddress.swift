import Foundation

/// An address of one of this machine's network interfaces.
package struct InterfaceAddress: Sendable {
    /// The name of the interface, for example `eth0`.
    package let interface: String
    /// The address as a text, which ends with the scope if the address is local to a link.
    package let text: String
    /// A Boolean value that indicates whether the address is an address of IPv4.
    package let isIPv4: Bool

    /// The addresses of all interfaces, in the order in which the system lists them.
    ///
    /// Foundation's `Host` also asks name servers for the names of the addresses on macOS, which can take long.
    package static var all: [InterfaceAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        // The system owns the list and the addresses in it, which stay valid until this call.
        defer { unsafe freeifaddrs(list) }
        var found: [InterfaceAddress] = []
        var next = unsafe list
        while let interface = unsafe next?.pointee {
            unsafe next = interface.ifa_next
            guard let address = unsafe interface.ifa_addr else { continue }
            let name = unsafe String(cString: interface.ifa_name)
            let family = unsafe Int32(address.pointee.sa_family)
            guard let text = unsafe Self.text(of: address, family: family) else { continue }
            found.append(InterfaceAddress(interface: name, text: text, isIPv4: family == AF_INET))
        }
        return found
    }

    /// Returns an address as a text, or nil for an address that is none of IPv4 or IPv6.
    private static func text(of address: UnsafeMutablePointer<sockaddr>, family: Int32) -> String? {
        let length: Int
        switch family {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var buffer = [CChar](repeating: 0, count: 64)
        // The call receives the lengths of the address and of the buffer.
        let result = unsafe getnameinfo(
            address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
