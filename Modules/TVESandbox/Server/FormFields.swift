import Foundation
import TVEModels

/// Decoded fields of a form body or a query, in order; a name may occur several times.
struct FormFields: Sendable {
    let fields: [(name: String, value: String)]

    /// Decodes `application/x-www-form-urlencoded`; invalid pairs are left out.
    init(_ text: String) {
        // In bytes: the time to find a character in a run of combining marks grows with the square of its length.
        fields = text.utf8.split(separator: UInt8(ascii: "&")).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = parts.count > 1 ? Self.decode(parts[1]) : "" else {
                return nil
            }
            return (name, value)
        }
    }

    /// The first value of a name, nil when it is missing.
    subscript(name: String) -> String? { fields.first { $0.name.isSameBytes(as: name) }?.value }

    /// All values of a name.
    func all(_ name: String) -> [String] { fields.filter { $0.name.isSameBytes(as: name) }.map(\.value) }

    private static func decode(_ text: Substring.UTF8View) -> String? {
        // Token fields are long, and a debug build must answer quickly too: most of them hold nothing to decode.
        let isPlain = text.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return true }
            return "+%".utf8.allSatisfy { memchr(start, Int32($0), bytes.count) == nil }
        }
        if isPlain == true { return String(Substring(text)) }
        let blanks = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: blanks, as: UTF8.self).removingPercentEncoding
    }
}
