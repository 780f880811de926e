extension String {
    /// The text with the five characters that XML and HTML reserve written as entities.
    ///
    /// White space that a parser would normalize is written as a character reference, so that a text in an element or
    /// attribute is read back unchanged. Characters that XML forbids are replaced with U+FFFD.
    package var escapedForXML: String {
        // Most texts need no change; one scan over the bytes is cheaper than escaping each character.
        guard hasReservedBytes else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count + 16)
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t": escaped += "&#9;"
            case "\n": escaped += "&#10;"
            case "\r": escaped += "&#13;"
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// A Boolean value that indicates whether the text may contain a character that is not written as it is.
    ///
    /// Without optimization, a loop over an array takes much less time than a search with a closure in the bytes of a
    /// string.
    private var hasReservedBytes: Bool {
        for byte in Array(utf8) {
            switch byte {
            // Control characters, the five reserved ones, and the first byte of U+FFFE and U+FFFF.
            case 0x00...0x1F, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0xEF: return true
            default: break
            }
        }
        return false
    }
}
