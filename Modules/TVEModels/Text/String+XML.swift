extension String {
    /// The text with the five characters that XML and HTML reserve written as entities.
    ///
    /// White space that a parser would normalize is written as a character reference, so that a text in an element or
    /// attribute is read back unchanged. Characters that XML forbids are replaced with U+FFFD.
    package var escapedForXML: String {
        // Most texts need no change; one scan over the bytes is cheaper than a copy.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0xEF || "&<>\"'".utf8.contains($0) }) else { return self }
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
}
