extension String {
    /// The text with the five characters that XML and HTML reserve written as entities.
    ///
    /// Control characters that no XML document may hold become U+FFFD.
    package var escapedForXML: String {
        // Most texts need nothing; one look over the bytes is cheaper than a copy.
        guard utf8.contains(where: { $0 < 0x20 || "&<>\"'".utf8.contains($0) }) else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count + 16)
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(character)
            case "\0"..<" ": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
