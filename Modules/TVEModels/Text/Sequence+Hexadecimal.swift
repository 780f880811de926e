extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal characters, two per byte.
    package var hexadecimal: String {
        // The bytes are first copied to an array, to avoid a protocol call for every byte.
        let bytes = Array(self)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(Self.digit(byte >> 4))
            text.append(Self.digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
