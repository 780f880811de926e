import Foundation
import TVEModels

/// The first form of an HTML page, reduced to what a login needs.
struct HTMLForm {
    let action: String
    let isPost: Bool
    /// The input fields in their order, with the values from the page.
    var fields: [(name: String, value: String)]

    /// Reads the first form of a page, or returns `nil` if the page contains none.
    init?(_ html: String) {
        guard let form = Self.tags("form", in: html[...]).first,
            let end = html.range(of: "</form>", options: .caseInsensitive, range: form.end..<html.endIndex)
        else { return nil }
        let attributes = Self.attributes(form.text)
        action = attributes["action"] ?? ""
        isPost = attributes["method"]?.lowercased() == "post"
        fields = Self.tags("input", in: html[form.end..<end.lowerBound]).compactMap { input in
            let attributes = Self.attributes(input.text)
            return attributes["name"].map { ($0, attributes["value"] ?? "") }
        }
    }

    var asksForPassword: Bool { fields.contains { $0.name == "password" } }

    /// The attributes of a tag as text, and the index at which the tag ends.
    private struct Tag {
        let text: Substring
        let end: String.Index
    }

    private static func tags(_ name: String, in html: Substring) -> [Tag] {
        var tags: [Tag] = []
        var rest = html
        while let start = rest.range(of: "<\(name)", options: .caseInsensitive),
            case let (text, after?) = rest[start.upperBound...].divided(at: ">")
        {
            rest = after
            // If a letter follows, the tag has another name: `<format>` is not a form.
            if text.first?.isLetter != true { tags.append(Tag(text: text, end: rest.startIndex)) }
        }
        return tags
    }

    /// Returns the attributes with a value in double quotes; if a name occurs twice, the first one is used.
    private static func attributes(_ text: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        // A name precedes the opening quote, and the value follows it.
        let parts = text.parts(separatedBy: "\"")
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            let name = parts[index].reversed().drop { $0.isWhitespace || $0 == "=" }.prefix { !$0.isWhitespace }
            guard !name.isEmpty else { continue }
            let key = String(name.reversed()).lowercased()
            attributes[key] = attributes[key] ?? unescaped(String(parts[index + 1]))
        }
        return attributes
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacingBytes(of: $1.0, with: $1.1)
        }
    }
}
