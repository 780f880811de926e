/// The names of the keys for tokens and marks, and which memory a token belongs to.
///
/// One server has one memory. In a cluster each of 1,024 parts has its own: a part's keys have the same text in braces,
/// so they are in the same slot, and a part never spans two servers. So what happens to one slot concerns one part.
struct RedisKeys: Sendable, Hashable {
    /// How many parts there are in a cluster; every verifier must have the same number.
    static let partsOfACluster = 1_024

    /// The slot of each part in a cluster; empty otherwise.
    let slots: [Int]
    private let prefix: String

    init(prefix: String, isCluster: Bool) {
        self.prefix = prefix
        // By the whole key: if the prefix has braces, they decide.
        slots = isCluster ? Self.tags.map { RedisSlot.of("\(prefix):{\($0)}") } : []
    }

    var isCluster: Bool { !slots.isEmpty }

    /// The number of the memory that a token belongs to.
    func part(of spend: RedisSpend) -> Int { isCluster ? spend.place % Self.partsOfACluster : 0 }

    func token(_ spend: RedisSpend) -> String {
        isCluster ? "\(prefix):{\(Self.tags[part(of: spend)])}:\(spend.digest)" : "\(prefix):\(spend.digest)"
    }

    func mark(_ part: Int) -> String {
        isCluster ? "\(prefix):{\(Self.tags[part])}:began" : "\(prefix):began"
    }

    /// For each part, the smallest number whose slot is in the part's share of all slots, so that servers with equally many
    /// slots have equally many parts.
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

/// The parts of a cluster that servers share among them (Redis Cluster specification, "Key distribution model").
enum RedisSlot {
    /// How many there are.
    static let count = 16_384

    /// The slot of a key: CRC16 (XMODEM) of the text in its first braces, or of the whole key if there is none.
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
