// Ids compare as UTF-8 bytes. A type that overrides `==` with these functions may keep the synthesized `hash(into:)`:
// texts with equal bytes have equal hashes there too.

extension String {
    /// Whether the other text has the same UTF-8 bytes; `==` only checks canonical equivalence.
    package func isSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        // Comparing two buffers is several times faster than comparing two string views.
        return left.withUTF8 { left in
            right.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }

    /// Whether the other text has the same UTF-8 bytes, ignoring the case of ASCII letters.
    ///
    /// `lowercased()` would turn the Kelvin sign into an ASCII `k`.
    package func isSameBytesIgnoringASCIICase(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// The text with ASCII letters in lower case and all other bytes unchanged.
    package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }

    /// Whether the text begins with these UTF-8 bytes.
    package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Feeds the UTF-8 bytes to a hasher, with a terminator, so that adjacent texts do not run together.
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String? {
    /// Whether both are nil, or texts with the same UTF-8 bytes.
    package func isSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isSameBytes(as: right)
        default: false
        }
    }
}

extension Sequence<String> {
    /// Whether one of the texts has the same UTF-8 bytes as this one.
    package func contains(bytesOf text: String) -> Bool { contains { $0.isSameBytes(as: text) } }

    /// Whether the other sequence holds texts with the same UTF-8 bytes in the same order.
    package func isSameBytes(as other: some Sequence<String>) -> Bool {
        elementsEqual(other) { $0.isSameBytes(as: $1) }
    }
}

extension [String]? {
    /// Whether both are nil, or lists of texts with the same UTF-8 bytes.
    package func isSameBytes(as other: [String]?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isSameBytes(as: right)
        default: false
        }
    }
}

extension Dictionary where Key == String {
    /// The same values under keys that compare as UTF-8 bytes.
    package var keyedByBytes: [ExactText: Value] {
        // Keys that differ as strings differ in their bytes too.
        Dictionary<ExactText, Value>(uniqueKeysWithValues: map { (ExactText($0.key), $0.value) })
    }
}

extension [String: MetadataValue] {
    /// Whether the other map has the same keys, by their UTF-8 bytes, with the same values.
    package func isSameBytes(as other: [String: MetadataValue]) -> Bool {
        count == other.count
            && allSatisfy { key, value in
                guard let found = other.index(forKey: key) else { return false }
                return other[found].key.isSameBytes(as: key) && other[found].value == value
            }
    }
}

extension UInt8 {
    /// The byte, or the lower case of an ASCII letter.
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
