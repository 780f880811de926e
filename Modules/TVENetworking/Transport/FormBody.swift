import Foundation
import TVEModels

/// The body of a form post, `application/x-www-form-urlencoded`.
enum FormBody {
    static let contentType = "application/x-www-form-urlencoded; charset=UTF-8"

    /// Encodes fields in order.
    ///
    /// Everything except letters, digits and `-._~` is percent-encoded. Otherwise, a server's decoding would change the
    /// `+`, `/` and `=` of Base64.
    static func encode(_ fields: [(String, String)]) -> Data {
        Data(query(fields).utf8)
    }

    /// Encodes fields in the same way for the query of a URL.
    static func query(_ fields: [(String, String)]) -> String {
        fields.map { "\(escape($0))=\(escape($1))" }.joined(separator: "&")
    }

    /// Encodes one path segment or value.
    ///
    /// The function does not use `addingPercentEncoding`, which is slow on Linux.
    static func escape(_ text: String) -> String {
        // Most ids contain nothing to encode.
        if text.utf8.allSatisfy(isPlain) { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isPlain(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns a platform's SAML response as a form value.
    ///
    /// The platform inserts blanks and line breaks. As in the vendor's cookbook for the platform, a run of blanks
    /// becomes one, and line breaks disappear: a blank in their place would change text that the provider has signed.
    static func samlResponse(_ answer: String) -> String {
        var kept = ""
        var isInBlanks = false
        for scalar in answer.unicodeScalars {
            let isBlank = scalar == " " || scalar == "\t"
            if isBlank, !isInBlanks { kept.unicodeScalars.append(" ") }
            if !isBlank, !CharacterSet.newlines.contains(scalar) { kept.unicodeScalars.append(scalar) }
            isInBlanks = isBlank
        }
        return Data(kept.trimmingCharacters(in: .whitespacesAndNewlines).utf8).base64EncodedString()
    }

    /// Returns the app's data as JSON with sorted names, or nil if there is none.
    static func json(_ data: [String: MetadataValue]) -> Data? {
        guard !data.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The values are JSON values by their type, so encoding fails only for a number that is not finite.
        return (try? encoder.encode(data)) ?? Data("{}".utf8)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
