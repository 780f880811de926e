/// The blocks of a QR code of level M, each with its own error correction (Reed–Solomon).
struct QRBlocks {
    let count: Int
    /// The number of data bytes in each block.
    let data: Int
    /// The number of error correction bytes in each block.
    let correction: Int

    /// The blocks of each version.
    static let all: [Int: QRBlocks] = [
        1: .init(count: 1, data: 16, correction: 10), 2: .init(count: 1, data: 28, correction: 16),
        3: .init(count: 1, data: 44, correction: 26), 4: .init(count: 2, data: 32, correction: 18),
        5: .init(count: 2, data: 43, correction: 24), 6: .init(count: 4, data: 27, correction: 16),
    ]

    /// Returns the smallest version that holds a number of bytes, or `nil` if none does.
    ///
    /// The kind and the length need twelve bits in addition.
    static func version(holding bytes: Int) -> Int? {
        (1...6).first { version in all[version].map { bytes + 2 <= $0.count * $0.data } ?? false }
    }

    /// Returns the bytes of data and error correction in the order in which the code places them.
    func codewords(_ bytes: [UInt8]) -> [UInt8] {
        // Four bits hold the kind and eight the number of bytes, so every byte begins in the middle of a codeword.
        var filled: [UInt8] = [0x40 | UInt8(bytes.count >> 4)]
        var half = UInt8(bytes.count & 0xF)
        for byte in bytes {
            filled.append(half << 4 | byte >> 4)
            half = byte & 0xF
        }
        filled.append(half << 4)
        let capacity = count * data
        var pad: UInt8 = 0xEC
        while filled.count < capacity {
            filled.append(pad)
            pad ^= 0xEC ^ 0x11
        }
        let blocks = (0..<count).map { Array(filled[($0 * data)..<(($0 + 1) * data)]) }
        let corrections = blocks.map { Self.correction($0, correction) }
        return (0..<data).flatMap { place in blocks.map { $0[place] } }
            + (0..<correction).flatMap { place in corrections.map { $0[place] } }
    }

    // MARK: - Reed–Solomon over the field of 256 elements

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var sum = 0
        var factor = Int(left)
        var rest = Int(right)
        while rest > 0 {
            if rest & 1 == 1 { sum ^= factor }
            factor <<= 1
            if factor > 0xFF { factor ^= 0x11D }
            rest >>= 1
        }
        return UInt8(sum)
    }

    /// Returns the remainder of the data, as a polynomial, divided by the product of (x - 2^i).
    private static func correction(_ data: [UInt8], _ count: Int) -> [UInt8] {
        var divisor: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            let shifted = divisor + [0]
            let scaled = [0] + divisor.map { product($0, root) }
            divisor = zip(shifted, scaled).map { $0 ^ $1 }
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest[0]
            rest = Array(rest.dropFirst()) + [0]
            for place in 0..<count { rest[place] ^= product(divisor[place + 1], factor) }
        }
        return rest
    }
}
