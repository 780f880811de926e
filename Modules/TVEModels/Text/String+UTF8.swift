extension String {
    /// Creates a string from bytes, or returns nil when they are not valid UTF-8.
    ///
    /// It replaces `String(validating:as:)`, which systems before iOS 18 do not have.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        // The bytes are checked first, because the standard library repairs every invalid one, which takes long for a
        // body that is no text. They are nearly always contiguous.
        let isValid = bytes.withSpanIfContiguous { bytes in UTF8Check.firstInvalidOffset(in: bytes) == nil }
        guard isValid != false else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
        guard isValid == true || utf8.elementsEqual(bytes) else { return nil }
    }

    /// Returns a Boolean value that indicates whether the given UTF-8 bytes occur in the text.
    ///
    /// It replaces the method of `StringProtocol` for whole texts, in which the C library can search.
    package func containsBytes(of pattern: String) -> Bool {
        withUTF8Span { text in pattern.withUTF8Span { text.hasBytes(of: $0) } }
    }

    /// Returns the text with every occurrence of a byte sequence replaced.
    ///
    /// The usual search compares characters, and a combining mark after a `>` forms another character with it. A search
    /// that serves security must compare bytes.
    ///
    /// - Parameter old: the text to search for, which must not be empty.
    package func replacingBytes(of old: String, with new: String) -> String {
        let pattern = Array(old.utf8)
        guard let first = pattern.first, withUTF8Span({ bytes in bytes.firstIndex(of: first) }) != nil else {
            return self
        }
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
