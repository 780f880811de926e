package import Foundation
import TVEModels

/// The address of this machine that other devices of its network can reach.
package enum NetworkAddress {
    /// Returns the address at which a phone reaches a server of this machine.
    ///
    /// - Parameter host: the address at which the server listens; `0.0.0.0` listens on every network.
    /// - Returns: an address in the network, or `nil` if the server answers only this machine or there is no network.
    package static func forPhones(_ host: String) -> String? {
        if host == "0.0.0.0" { return own }
        return isLoopback(host) ? nil : host
    }

    /// Returns the address at which a phone can open a page.
    ///
    /// - Parameter page: the page, whose host may be `localhost` or an address of the loopback network.
    /// - Returns: the page at this machine's address in its network, the unchanged page if it is on another machine, or
    ///   `nil` if there is no network.
    package static func forPhones(_ page: URL) -> URL? {
        guard let host = page.host, isLoopback(host) else { return page }
        guard let own, var parts = URLComponents(url: page, resolvingAgainstBaseURL: true) else { return nil }
        parts.host = own
        return parts.url
    }

    private static func isLoopback(_ host: String) -> Bool {
        host.lowercasedASCII == "localhost" || host.hasBytePrefix("127.") || ["::1", "[::1]"].contains(host)
    }

    /// The prefixes of the names of interfaces that no phone can reach, such as those to containers and tunnels.
    private static let virtual = ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun", "tun", "tap"]

    /// The first IPv4 address of an interface that other devices can reach, or `nil` if there is none.
    static var own: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return nil }
        // The system owns the list and the addresses in it, which stay valid until this call.
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let interface = unsafe next?.pointee {
            unsafe next = interface.ifa_next
            let name = unsafe String(cString: interface.ifa_name)
            guard !virtual.contains(where: name.hasBytePrefix), let address = unsafe interface.ifa_addr,
                unsafe address.pointee.sa_family == sa_family_t(AF_INET), let text = unsafe text(address),
                !text.hasBytePrefix("127."), !text.hasBytePrefix("169.254.")
            else { continue }
            return text
        }
        return nil
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The call receives the buffer's actual length.
        let result = unsafe getnameinfo(address, length, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
