extension String {
    /// Replaces every occurrence of some bytes.
    ///
    /// The usual search compares characters, and a combining mark behind a `>` makes it another character: what must be
    /// found for safety's sake is looked for in the bytes.
    ///
    /// - Parameters:
    ///   - old: what to look for, not empty.
    ///   - new: what to put in its place.
    package func replacingBytes(of old: String, with new: String) -> String {
        let pattern = Array(old.utf8)
        guard let first = pattern.first, utf8.contains(first) else { return self }
        let text = Array(utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == first, text[index...].starts(with: pattern) {
                result += new.utf8
                index += pattern.count
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
