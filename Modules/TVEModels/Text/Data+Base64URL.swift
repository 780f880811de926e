package import Foundation

extension Data {
    /// The bytes in Base64 with the URL-safe alphabet, which has `-` and `_`, and without padding.
    package var base64URL: String {
        var bytes = Self.swapped([UInt8](base64EncodedData()))
        while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes Base64 with the URL-safe alphabet and without padding.
    ///
    /// - Parameter text: the encoded bytes.
    package init?(base64URL text: Substring) {
        let padding = Data(repeating: UInt8(ascii: "="), count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: Data(Self.swapped([UInt8](text.utf8))) + padding)
    }

    /// Swaps the two characters in which the alphabets differ, in both directions.
    private static func swapped(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for place in text.indices {
            switch text[place] {
            case UInt8(ascii: "+"): text[place] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[place] = UInt8(ascii: "_")
            case UInt8(ascii: "-"): text[place] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): text[place] = UInt8(ascii: "/")
            default: break
            }
        }
        return text
    }
}
