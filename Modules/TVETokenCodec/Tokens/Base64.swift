/// Decodes the Base64 of signatures: only the standard alphabet with padding.
///
/// Foundation's decoder would need four allocations per token and a seventh of the total time
/// (Documentation/Performance.md).
enum Base64 {
    /// Appends the decoded bytes of a text; after false, the text is not Base64, and they mean nothing.
    static func decode(_ text: Span<UInt8>, into bytes: inout KeptBuffer<UInt8>) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.count % 4 == 0 else { return false }
        let padding = text[text.count - 1] != pad ? 0 : text[text.count - 2] != pad ? 1 : 2
        let lastGroup = text.count - 4
        // Four bytes are written for every three.
        return bytes.append(count: text.count / 4 * 3 - padding, spare: padding + 1) { output in
            let values = values.span
            // The compiler sees that no byte leads out of the tables.
            precondition(values.count == 4 * 256)
            var used: UInt32 = 0
            var group = 0
            var place = 0
            while group < lastGroup {
                let bits = decoded(values, text[group], text[group &+ 1], text[group &+ 2], text[group &+ 3])
                used |= bits
                output.storeBytes(of: bits.littleEndian, toByteOffset: place, as: UInt32.self)
                place &+= 3
                group &+= 4
            }
            let bits = decoded(
                values, text[group], text[group + 1], padding == 2 ? zero : text[group + 2],
                padding > 0 ? zero : text[group + 3])
            output.storeBytes(of: bits.littleEndian, toByteOffset: place, as: UInt32.self)
            return (used | bits) & invalid == 0
        }
    }

    private static let pad = UInt8(ascii: "=")
    /// The character for six zero bits.
    private static let zero = UInt8(ascii: "A")
    /// The bits set for a byte that is not in the alphabet.
    private static let invalid: UInt32 = 0xFF00_0000

    /// Four tables, one for each place in a group: the bits of a byte there, the first output byte lowest.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: invalid, count: 4 * 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in zip(UInt32(0)..., alphabet.utf8) {
            for place in 0..<4 {
                let bits = value << UInt32(18 - 6 * place)
                values[place * 256 + Int(character)] = bits.byteSwapped >> 8
            }
        }
        return values
    }()

    private static func decoded(
        _ values: Span<UInt32>, _ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8
    ) -> UInt32 {
        values[Int(first)] | values[256 &+ Int(second)] | values[512 &+ Int(third)] | values[768 &+ Int(fourth)]
    }
}
