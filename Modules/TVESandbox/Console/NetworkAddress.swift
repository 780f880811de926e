import Foundation

/// This machine's address in the network.
enum NetworkAddress {
    /// The first IPv4 address that is not a loopback address; nil when there is none.
    static var own: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                let text = text(address), !text.hasPrefix("127."), !text.hasPrefix("169.254.")
            else { continue }
            return text
        }
        return nil
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = getnameinfo(address, length, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
