import Foundation
import TVEModels

/// The first form of an HTML page, reduced to what a login needs.
package struct HTMLForm {
    let action: String
    let isPost: Bool
    /// The input fields in their order, with the values from the page.
    var fields: [(name: String, value: String)]

    /// Reads the first form of a page, or returns `nil` if the page contains none.
    init?(_ html: String) {
        // The page is read as bytes, because a search for characters in any case takes long.
        let texts = html.withUTF8Span { bytes -> (form: String, inputs: [String])? in
            guard let form = Self.tags("form", in: bytes).first,
                let end = Self.end(of: "</form>", in: bytes, from: form.end)
            else { return nil }
            return (form.text, Self.tags("input", in: bytes.extracting(form.end..<end)).map(\.text))
        }
        guard let found = texts else { return nil }
        let attributes = Self.attributes(found.form)
        action = attributes["action"] ?? ""
        isPost = attributes["method"]?.lowercased() == "post"
        fields = found.inputs.compactMap { input in
            let attributes = Self.attributes(input)
            return attributes["name"].map { ($0, attributes["value"] ?? "") }
        }
    }

    var asksForPassword: Bool { fields.contains { $0.name == "password" } }

    /// The attributes of a tag as text, and the place at which the tag ends.
    private struct Tag {
        let text: String
        let end: Int
    }

    private static func tags(_ name: String, in html: Span<UInt8>) -> [Tag] {
        var tags: [Tag] = []
        var place = 0
        while let start = end(of: "<\(name)", in: html, from: place),
            let close = html.firstIndex(of: UInt8(ascii: ">"), from: start)
        {
            // If a letter follows, the tag has another name: `<format>` is not a form.
            if !isLetter(html[start]) {
                tags.append(Tag(text: String(decoding: html.extracting(start..<close)), end: close + 1))
            }
            place = close + 1
        }
        return tags
    }

    /// Returns the place after the next occurrence of a text in upper or lower case.
    ///
    /// - Parameters:
    ///   - text: the text, which begins with a character that has no case.
    ///   - html: the bytes of the page.
    ///   - start: the place at which the search begins.
    private static func end(of text: String, in html: Span<UInt8>, from start: Int) -> Int? {
        guard let first = text.utf8.first else { return start }
        var place = start
        while let begin = html.firstIndex(of: first, from: place) {
            let end = begin + text.utf8.count
            guard end <= html.count else { return nil }
            if String(decoding: html.extracting(begin..<end)).isSameBytesIgnoringASCIICase(as: text) { return end }
            place = begin + 1
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a byte is a letter, or belongs to a character outside of ASCII.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Returns the attributes with a value in double quotes; if a name occurs twice, the first one is used.
    private static func attributes(_ text: String) -> [String: String] {
        var attributes: [String: String] = [:]
        // A name precedes the opening quote, and the value follows it.
        let parts = text.parts(separatedBy: "\"")
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            let bytes = Array(parts[index].utf8)
            guard let last = bytes.lastIndex(where: { !isSpace($0) && $0 != UInt8(ascii: "=") }) else { continue }
            let first = bytes[..<last].lastIndex(where: isSpace).map { $0 + 1 } ?? 0
            let key = String(decoding: bytes[first...last], as: UTF8.self).lowercased()
            attributes[key] = attributes[key] ?? unescaped(String(parts[index + 1]))
        }
        return attributes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns a text of a page without the escapes of the characters that HTML reserves.
    package static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacingBytes(of: $1.0, with: $1.1)
        }
    }
}
