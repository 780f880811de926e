import TVEModels

/// A host that is always the machine itself: `localhost`, or an address of the loopback network.
package enum LoopbackName {
    /// Returns a Boolean value that indicates whether a text is such a host, which may have a port.
    package static func isName(_ text: String) -> Bool {
        if text.hasBytePrefix("[") {
            let (address, port) = text.dropFirst().divided(at: "]")
            guard let port, port.isEmpty || port.utf8.first == UInt8(ascii: ":") else { return false }
            return isIPv6(address)
        }
        // Only IPv6 has more than one colon.
        if text.parts(separatedBy: ":").count > 2 { return isIPv6(text[...]) }
        let host = text.divided(at: ":").before
        return String(host).isSameBytesIgnoringASCIICase(as: "localhost") || octets(host)?.first == 127
    }

    /// Returns a Boolean value that indicates whether a text is `::1` or a mapped address of IPv4 in any form.
    private static func isIPv6(_ text: Substring) -> Bool {
        guard let groups = groups(text) else { return false }
        if groups[5] == 0xFFFF { return groups[..<5].allSatisfy { $0 == 0 } && groups[6] >> 8 == 127 }
        return groups[..<7].allSatisfy { $0 == 0 } && groups[7] == 1
    }

    /// Returns the eight groups of an IPv6 address (RFC 4291, 2.2); `nil` for any other text.
    private static func groups(_ text: Substring) -> [UInt16]? {
        var parts = text.parts(separatedBy: ":")
        // Two colons stand for groups of zeros. At the beginning or the end they leave two empty parts.
        if parts.count > 2, parts[0].isEmpty, parts[1].isEmpty { parts.removeFirst() }
        if parts.count > 2, parts[parts.count - 1].isEmpty, parts[parts.count - 2].isEmpty { parts.removeLast() }
        var groups: [UInt16] = []
        var gap: Int?
        for (place, part) in parts.enumerated() {
            if part.isEmpty {
                guard gap == nil else { return nil }
                gap = groups.count
            } else if place == parts.count - 1, let octets = octets(part) {
                groups += [UInt16(octets[0]) << 8 | UInt16(octets[1]), UInt16(octets[2]) << 8 | UInt16(octets[3])]
            } else if part.utf8.count <= 4, part.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let group = UInt16(part, radix: 16)
            {
                groups.append(group)
            } else {
                return nil
            }
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }

    /// Returns the four bytes of an IPv4 address; `nil` for any other text.
    private static func octets(_ text: Substring) -> [UInt8]? {
        let octets = text.parts(separatedBy: ".").compactMap { part in
            // `UInt8` would take a sign.
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(part) : nil
        }
        return octets.count == 4 && text.parts(separatedBy: ".").count == 4 ? octets : nil
    }
}
