extension String {
    /// The text with the five characters that XML and HTML reserve written as entities.
    package var escapedForXML: String {
        // Most texts need nothing; one look over the bytes is cheaper than a copy.
        guard utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count + 16)
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
