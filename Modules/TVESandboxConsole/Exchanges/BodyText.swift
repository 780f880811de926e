import Foundation
import TVEModels
import TVESandbox
import TVETokenCodec

/// A body in readable form: indented and decoded, with one field per line.
struct BodyText {
    /// The format of the body: `JSON`, `XML`, `form`, `HTML`, `text`, `bytes` or `empty`.
    let kind: String
    let text: String

    init(_ message: SandboxExchange.Message, _ masking: Masking) {
        let note = message.length > message.body.count ? "\n… \(message.length - message.body.count) more bytes" : ""
        guard !message.body.isEmpty else {
            kind = "empty"
            text = ""
            return
        }
        guard let plain = String(validUTF8: message.body) else {
            kind = "bytes"
            text = "\(message.length) bytes, beginning with \(message.body.prefix(32).map { $0 }.hexadecimal)"
            return
        }
        let type = message.header("Content-Type") ?? ""
        if note.isEmpty, let value = try? UntrustedJSON.read(MetadataValue.self, from: message.body, .small) {
            kind = "JSON"
            text = Self.json(value, of: "", indent: "", masking: masking)
        } else if note.isEmpty, !plain.hasBytePrefix("<signatureInfo>"), !type.containsBytes(of: "html"),
            let root = try? XMLTree(parsing: message.body, .answer)
        {
            kind = "XML"
            text = Self.xml(root, indent: "", masking: masking)
        } else if type.hasBytePrefix("application/x-www-form-urlencoded") || Self.isForm(plain), Self.hasNames(plain) {
            let lines = FormFields(plain).fields.map { "\($0.name) = \(masking.value($0.value, of: $0.name))" }
            kind = "form"
            text = lines.joined(separator: "\n") + note
        } else {
            kind = type.containsBytes(of: "html") && Self.isPage(plain) ? "HTML" : "text"
            text = (kind == "HTML" ? masking.text(plain) : masking.unread(plain)) + note
        }
    }

    /// Returns a body in the format in which it was sent, with its secrets masked, for programs that read a recording.
    static func asSent(_ message: SandboxExchange.Message, _ masking: Masking) -> String {
        let plain = String(decoding: message.body, as: UTF8.self)
        guard !masking.shows else { return plain }
        guard String(validUTF8: message.body) != nil else { return "" }
        let body = BodyText(message, masking)
        switch body.kind {
        case "form":
            return FormFields(plain).fields
                .map { "\($0.name.escapedForPath)=\(masking.value($0.value, of: $0.name).escapedForPath)" }
                .joined(separator: "&")
        // Indentation does not change the meaning of these documents.
        case "JSON", "XML": return body.text
        case "HTML": return masking.text(plain)
        default: return masking.unread(plain)
        }
    }

    private static func isForm(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "=")) && !text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") }
    }

    /// Returns a Boolean value that indicates whether all fields of a form have words as names.
    ///
    /// A form that does not may be a document with a wrong type, whose secrets would be taken for names.
    private static func hasNames(_ text: String) -> Bool {
        FormFields(text).fields.allSatisfy { field in
            field.name.utf8.count <= 64
                && field.name.utf8.allSatisfy {
                    switch $0 {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
    }

    private static func isPage(_ text: String) -> Bool {
        let start = String(decoding: text.utf8.prefix(100), as: UTF8.self).lowercasedASCII
        return start.containsBytes(of: "<!doctype html") || start.containsBytes(of: "<html")
    }

    // MARK: - Printers

    /// Returns a JSON value as indented lines.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - name: the name of the member that holds the value, by which secrets are recognized.
    ///   - indent: the indentation of the line on which the value begins.
    ///   - masking: the masking of secrets.
    private static func json(
        _ value: MetadataValue, of name: String, indent: String, masking: Masking
    ) -> String {
        let inner = indent + "  "
        switch value {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .number(let number): return TokenFinder.text(number)
        case .string(let text): return "\"\(masking.value(text, of: name).escapedForJSON)\""
        case .array(let values):
            guard !values.isEmpty else { return "[]" }
            let lines = values.map { inner + json($0, of: name, indent: inner, masking: masking) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let values):
            guard !values.isEmpty else { return "{}" }
            let lines = values.sorted { $0.key < $1.key }.map {
                // The member "value" of a profile's attribute is masked by the name of the attribute.
                let owner = $0.key == "value" ? name : $0.key
                let text = json($0.value, of: owner, indent: inner, masking: masking)
                return "\(inner)\"\($0.key.escapedForJSON)\": \(text)"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private static func xml(_ element: XMLTree, indent: String, masking: Masking) -> String {
        let attributes = element.attributes.sorted { $0.key < $1.key }
            .map { " \($0.key)=\"\(masking.value($0.value, of: $0.key).escapedForXML)\"" }.joined()
        let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let shown = text.isEmpty ? "" : masking.value(text, of: element.name).escapedForXML
        guard !element.children.isEmpty else {
            return shown.isEmpty
                ? "\(indent)<\(element.name)\(attributes)/>"
                : "\(indent)<\(element.name)\(attributes)>\(shown)</\(element.name)>"
        }
        let inner = element.children.map { xml($0, indent: indent + "  ", masking: masking) }
            .joined(separator: "\n")
        let own = shown.isEmpty ? "" : "\n\(indent)  \(shown)"
        return "\(indent)<\(element.name)\(attributes)>\(own)\n\(inner)\n\(indent)</\(element.name)>"
    }
}

extension String {
    /// The text with JSON's special characters escaped.
    fileprivate var escapedForJSON: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\0"..<" ": escaped += "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
