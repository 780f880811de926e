package import Foundation

extension Data {
    /// The bytes in Base64 with the URL-safe alphabet, which has `-` and `_`, and without padding.
    package var base64URL: String {
        let bytes = base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: bytes.map { Self.swapped($0) }, as: UTF8.self)
    }

    /// Decodes Base64 with the URL-safe alphabet and without padding.
    ///
    /// - Parameter text: the encoded bytes.
    package init?(base64URL text: Substring) {
        let padding = Data(repeating: UInt8(ascii: "="), count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: Data(text.utf8.map { Self.swapped($0) }) + padding)
    }

    /// Swaps the two characters in which the alphabets differ, in both directions.
    private static func swapped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }
}
