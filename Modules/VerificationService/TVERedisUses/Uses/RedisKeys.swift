/// The names of the keys that store tokens and marks, and the assignment of tokens to memories.
///
/// A single server has one memory. In a cluster the keys are divided into 1,024 parts, each with a memory of its own.
/// All keys of a part have the same hash tag (the text in braces), so they share a slot and a part never spans two
/// servers. Whatever happens to one slot therefore affects one part only.
struct RedisKeys: Sendable, Hashable {
    /// The number of parts in a cluster, which must be the same for every verifier.
    static let partsOfACluster = 1_024

    /// The slot of each part; empty for a single server.
    let slots: [Int]
    private let prefix: String

    init(prefix: String, isCluster: Bool) {
        self.prefix = prefix
        // The slot is computed from the whole key, because braces in the prefix take precedence.
        slots = isCluster ? Self.tags.map { RedisSlot.of("\(prefix):{\($0)}") } : []
    }

    var isCluster: Bool { !slots.isEmpty }

    /// Returns the number of the memory that a token belongs to.
    func part(of spend: RedisSpend) -> Int { isCluster ? spend.place % Self.partsOfACluster : 0 }

    func token(_ spend: RedisSpend) -> String {
        isCluster ? "\(prefix):{\(Self.tags[part(of: spend)])}:\(spend.digest)" : "\(prefix):\(spend.digest)"
    }

    func mark(_ part: Int) -> String {
        isCluster ? "\(prefix):{\(Self.tags[part])}:began" : "\(prefix):began"
    }

    /// The hash tag of each part: the smallest number whose slot is in the part's share of all slots.
    ///
    /// Servers that have equally many slots therefore have equally many parts.
    private static let tags: [String] = {
        var tags = [String?](repeating: nil, count: partsOfACluster)
        var missing = partsOfACluster
        var number = 0
        while missing > 0 {
            let part = RedisSlot.of(String(number)) / (RedisSlot.count / partsOfACluster)
            if tags[part] == nil {
                tags[part] = String(number)
                missing -= 1
            }
            number += 1
        }
        return tags.compactMap { $0 }
    }()
}

/// The hash slots that the servers of a cluster divide among themselves (Redis Cluster specification, "Key distribution
/// model").
enum RedisSlot {
    /// The number of slots in a cluster.
    static let count = 16_384

    /// Returns the slot of a key: CRC16 (XMODEM) of the text in its first braces, or of the whole key if there is none.
    static func of(_ key: String) -> Int {
        var bytes = Substring(key).utf8
        if let start = bytes.firstIndex(of: UInt8(ascii: "{")) {
            let tag = bytes[bytes.index(after: start)...]
            if let end = tag.firstIndex(of: UInt8(ascii: "}")), end != tag.startIndex { bytes = tag[..<end] }
        }
        var remainder: UInt16 = 0
        for byte in bytes {
            remainder ^= UInt16(byte) << 8
            for _ in 0..<8 { remainder = remainder & 0x8000 == 0 ? remainder << 1 : remainder << 1 ^ 0x1021 }
        }
        return Int(remainder) % count
    }
}
