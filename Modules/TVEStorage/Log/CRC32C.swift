import TVEModels

/// The checksum of records, CRC-32C (Castagnoli), as in iSCSI and ext4.
///
/// It detects every damage of up to 32 consecutive bits. There are eight tables, one for each byte of a step.
enum CRC32C {
    static func checksum(_ bytes: Span<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
        let table = tables.span
        // With this precondition, the compiler knows that every byte is a valid index of the tables.
        precondition(table.count == 8 * 256)
        var crc = ~previous
        var offset = 0
        while offset &+ 8 <= bytes.count {
            // The word is inside the bytes, as the condition of the loop ensures.
            let mixed = unsafe bytes.uncheckedWord(at: offset) ^ UInt64(crc)
            crc = table[1_792 &+ Int(truncatingIfNeeded: mixed & 0xFF)]
            crc ^= table[1_536 &+ Int(truncatingIfNeeded: mixed &>> 8 & 0xFF)]
            crc ^= table[1_280 &+ Int(truncatingIfNeeded: mixed &>> 16 & 0xFF)]
            crc ^= table[1_024 &+ Int(truncatingIfNeeded: mixed &>> 24 & 0xFF)]
            crc ^= table[768 &+ Int(truncatingIfNeeded: mixed &>> 32 & 0xFF)]
            crc ^= table[512 &+ Int(truncatingIfNeeded: mixed &>> 40 & 0xFF)]
            crc ^= table[256 &+ Int(truncatingIfNeeded: mixed &>> 48 & 0xFF)]
            crc ^= table[Int(truncatingIfNeeded: mixed &>> 56)]
            offset &+= 8
        }
        while offset < bytes.count {
            crc = crc &>> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)]
            offset &+= 1
        }
        return ~crc
    }

    private static let tables: ContiguousArray<UInt32> = {
        var tables = ContiguousArray<UInt32>(repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()
}
