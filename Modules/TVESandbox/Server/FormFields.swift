import Foundation
import TVEModels

/// The decoded fields of a form body or a query, in their order.
///
/// A name may occur several times.
package struct FormFields: Sendable {
    package let fields: [(name: String, value: String)]

    /// Decodes text in the format `application/x-www-form-urlencoded`, and leaves out invalid pairs.
    package init(_ text: String) {
        // The parser works on bytes, because the time to find a `Character` in a run of combining marks grows with the
        // square of the length of the run.
        fields = text.withUTF8Span { bytes in
            var fields: [(name: String, value: String)] = []
            var start = 0
            while start < bytes.count {
                let end = bytes.firstIndex(of: UInt8(ascii: "&"), from: start) ?? bytes.count
                let pair = bytes.extracting(start..<end)
                start = end + 1
                let name = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.count
                guard !pair.isEmpty, let text = Self.decode(pair.extracting(first: name)),
                    let value = Self.decode(pair.extracting(droppingFirst: name + 1))
                else { continue }
                fields.append((text, value))
            }
            return fields
        }
    }

    /// The value of the first field with a name; `nil` when there is none.
    package subscript(name: String) -> String? { fields.first { $0.name.isSameBytes(as: name) }?.value }

    func all(_ name: String) -> [String] { fields.filter { $0.name.isSameBytes(as: name) }.map(\.value) }

    /// Returns fields in the form that a query or the body of a form has.
    package static func encoded(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "\($0)=\($1.escapedForPath)" }.joined(separator: "&")
    }

    private static func decode(_ bytes: Span<UInt8>) -> String? {
        let text = String(decoding: bytes)
        if bytes.firstIndex(of: UInt8(ascii: "+")) == nil, bytes.firstIndex(of: UInt8(ascii: "%")) == nil {
            return text
        }
        var decoded = Array(text.utf8)
        for place in decoded.indices where decoded[place] == UInt8(ascii: "+") { decoded[place] = UInt8(ascii: " ") }
        return String(decoding: decoded, as: UTF8.self).decodingPercents
    }
}

extension String {
    /// The text, percent-encoded as a segment of a path or the value of a query.
    ///
    /// The ids of a world may contain any character.
    package var escapedForPath: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_."))) ?? ""
    }
}
