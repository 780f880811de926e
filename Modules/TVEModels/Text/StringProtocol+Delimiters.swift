import Foundation

// Text with delimiters is searched and split as bytes, because the searches of the standard library compare characters.
// A combining mark after a delimiter forms one character with it, `\r\n` is a single character, and canonically
// equivalent texts are equal.
//
// The functions are inlinable, so that other modules can specialize them for their own types of text. Otherwise, each
// byte would cost a call.

extension StringProtocol {
    /// Returns a Boolean value that indicates whether the text begins with the given UTF-8 bytes.
    @inlinable
    package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns a Boolean value that indicates whether the text ends with the given UTF-8 bytes.
    @inlinable
    package func hasByteSuffix(_ suffix: String) -> Bool {
        utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// A Boolean value that indicates whether the text begins with a quotation mark or a backtick.
    ///
    /// Typographic quotation marks come with a text that was copied from a document.
    @inlinable
    package var beginsWithQuotationMark: Bool {
        ["\"", "'", "`", "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}"]
            .contains { hasBytePrefix($0) }
    }

    /// Returns a Boolean value that indicates whether the given UTF-8 bytes occur in the text.
    ///
    /// An empty pattern occurs in every text.
    @inlinable
    package func containsBytes(of pattern: String) -> Bool {
        guard let first = pattern.utf8.first else { return true }
        var rest = utf8[...]
        // The pattern is compared only where its first byte is.
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: pattern.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns the parts between delimiters.
    ///
    /// - Parameters:
    ///   - delimiter: an ASCII character.
    ///   - most: the maximum number of splits. The rest of the text is one part.
    ///   - keepsEmpty: a Boolean value that indicates whether to return empty parts.
    @inlinable
    package func parts(
        separatedBy delimiter: Unicode.Scalar, most: Int = .max, keepsEmpty: Bool = true
    ) -> [SubSequence] {
        utf8.split(separator: UInt8(ascii: delimiter), maxSplits: most, omittingEmptySubsequences: !keepsEmpty)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Returns the text before the first delimiter and the text after it, which is nil when there is no delimiter.
    ///
    /// - Parameter delimiter: an ASCII character.
    @inlinable
    package func divided(at delimiter: Unicode.Scalar) -> (before: SubSequence, after: SubSequence?) {
        let parts = parts(separatedBy: delimiter, most: 1)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// Returns the text before the last delimiter and the text after it, or nil when there is no delimiter.
    ///
    /// - Parameter delimiter: an ASCII character.
    @inlinable
    package func dividedAtLast(_ delimiter: Unicode.Scalar) -> (before: SubSequence, after: SubSequence)? {
        let parts = parts(separatedBy: delimiter)
        guard parts.count > 1, let last = parts.last else { return nil }
        return (self[..<parts[parts.count - 2].endIndex], last)
    }
}

// Most texts are strings, and the C library searches their bytes many at a time. The functions above do the same with
// every text, but call several functions for each byte in a build without optimization.

extension String {
    /// Returns the parts between delimiters.
    ///
    /// - Parameters:
    ///   - delimiter: an ASCII character.
    ///   - most: the maximum number of splits. The rest of the text is one part.
    ///   - keepsEmpty: a Boolean value that indicates whether to return empty parts.
    package func parts(
        separatedBy delimiter: Unicode.Scalar, most: Int = .max, keepsEmpty: Bool = true
    ) -> [Substring] {
        let delimiter = UInt8(ascii: delimiter)
        let ranges = withUTF8Span { bytes in
            var ranges: [Range<Int>] = []
            var start = 0
            while ranges.count < most, let end = bytes.firstIndex(of: delimiter, from: start) {
                if keepsEmpty || start < end { ranges.append(start..<end) }
                start = end + 1
            }
            if keepsEmpty || start < bytes.count { ranges.append(start..<bytes.count) }
            return ranges
        }
        let bytes = utf8
        var last = bytes.startIndex
        var lastOffset = 0
        return ranges.map { range in
            let begin = bytes.index(last, offsetBy: range.lowerBound - lastOffset)
            last = bytes.index(begin, offsetBy: range.count)
            lastOffset = range.upperBound
            return self[begin..<last]
        }
    }

    /// Returns the text before the first delimiter and the text after it, which is nil when there is no delimiter.
    ///
    /// - Parameter delimiter: an ASCII character.
    package func divided(at delimiter: Unicode.Scalar) -> (before: Substring, after: Substring?) {
        guard let offset = withUTF8Span({ bytes in bytes.firstIndex(of: UInt8(ascii: delimiter)) }) else {
            return (self[...], nil)
        }
        let end = utf8.index(utf8.startIndex, offsetBy: offset)
        return (self[..<end], self[utf8.index(after: end)...])
    }

    /// The text with its percent-encoded bytes decoded; nil if they are no valid UTF-8 or a percent sign is alone.
    package var decodingPercents: String? {
        // Most texts have no percent sign, and Foundation would copy them.
        withUTF8Span { bytes in bytes.firstIndex(of: UInt8(ascii: "%")) } == nil ? self : removingPercentEncoding
    }
}
