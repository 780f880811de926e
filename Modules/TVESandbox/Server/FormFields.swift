import Foundation
import TVEModels

/// Decoded fields of a form body or a query, in order; a name may occur several times.
package struct FormFields: Sendable {
    package let fields: [(name: String, value: String)]

    /// Decodes `application/x-www-form-urlencoded`; invalid pairs are left out.
    package init(_ text: String) {
        var text = text
        // In bytes: the time to find a character in a run of combining marks grows with the square of its length. With
        // `memchr`: a debug build must read long bodies quickly too.
        fields = text.withUTF8 { bytes in
            var fields: [(name: String, value: String)] = []
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let pair: UnsafeRawBufferPointer
                (pair, rest) = Self.cut(rest, at: UInt8(ascii: "&"))
                let (name, value) = Self.cut(pair, at: UInt8(ascii: "="))
                guard !pair.isEmpty, let name = Self.decode(name), let value = Self.decode(value) else { continue }
                fields.append((name, value))
            }
            return fields
        }
    }

    /// The first value of a name, nil when it is missing.
    package subscript(name: String) -> String? { fields.first { $0.name.isSameBytes(as: name) }?.value }

    func all(_ name: String) -> [String] { fields.filter { $0.name.isSameBytes(as: name) }.map(\.value) }

    /// Fields as a query or as the body of a form.
    package static func encoded(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "\($0)=\($1.escapedForPath)" }.joined(separator: "&")
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        let isPlain = "+%".utf8.allSatisfy { place(of: $0, in: bytes) == nil }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: blanks, as: UTF8.self).removingPercentEncoding
    }

    /// The bytes before the first occurrence of one, and those after it: none if it does not occur.
    private static func cut(
        _ bytes: UnsafeRawBufferPointer, at byte: UInt8
    ) -> (before: UnsafeRawBufferPointer, after: UnsafeRawBufferPointer) {
        let place = place(of: byte, in: bytes) ?? bytes.count
        return (
            UnsafeRawBufferPointer(rebasing: bytes.prefix(place)),
            UnsafeRawBufferPointer(rebasing: bytes.dropFirst(place + 1))
        )
    }

    private static func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension String {
    /// The text as a segment of a path or the value of a query; ids of a world may contain any character.
    package var escapedForPath: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_."))) ?? ""
    }
}
