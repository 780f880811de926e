// Text with delimiters is searched and split as bytes. The searches of the standard library compare characters: a
// combining mark after a delimiter makes another character of both, `\r\n` is one character, and canonically equivalent
// texts are equal.
//
// Inlinable, so that other modules get code for their own types of text: without it, each byte is a call.

extension StringProtocol {
    /// Whether the text begins with these UTF-8 bytes.
    @inlinable
    package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the text ends with these UTF-8 bytes.
    @inlinable
    package func hasByteSuffix(_ suffix: String) -> Bool {
        utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Whether these UTF-8 bytes occur in the text; those of an empty text occur in every one.
    @inlinable
    package func containsBytes(of pattern: String) -> Bool {
        var rest = utf8[...]
        while !rest.starts(with: pattern.utf8) {
            guard rest.popFirst() != nil else { return false }
        }
        return true
    }

    /// The parts between delimiters.
    ///
    /// - Parameters:
    ///   - delimiter: an ASCII character.
    ///   - most: after so many delimiters, the rest is one part.
    ///   - keepsEmpty: whether parts without content are parts.
    @inlinable
    package func parts(
        separatedBy delimiter: Unicode.Scalar, most: Int = .max, keepsEmpty: Bool = true
    ) -> [SubSequence] {
        utf8.split(separator: UInt8(ascii: delimiter), maxSplits: most, omittingEmptySubsequences: !keepsEmpty)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text before the first delimiter and the text after it, which is nil when there is no delimiter.
    ///
    /// - Parameter delimiter: an ASCII character.
    @inlinable
    package func divided(at delimiter: Unicode.Scalar) -> (before: SubSequence, after: SubSequence?) {
        let parts = parts(separatedBy: delimiter, most: 1)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// The text before the last delimiter and the text after it; nil when there is no delimiter.
    ///
    /// - Parameter delimiter: an ASCII character.
    @inlinable
    package func dividedAtLast(_ delimiter: Unicode.Scalar) -> (before: SubSequence, after: SubSequence)? {
        let parts = parts(separatedBy: delimiter)
        guard parts.count > 1, let last = parts.last else { return nil }
        return (self[..<parts[parts.count - 2].endIndex], last)
    }
}
