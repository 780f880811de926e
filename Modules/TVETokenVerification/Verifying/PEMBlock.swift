import Foundation

/// A block of PEM in any text (RFC 7468), including a block that has lost its line ends.
struct PEMBlock {
    /// The words after `BEGIN`.
    let label: String
    /// The decoded bytes, or nil if the block is cut off or is not Base64.
    let bytes: [UInt8]?

    /// The number of blocks that are read at most.
    private static let most = 100

    /// Finds the blocks of a text, whatever surrounds them.
    ///
    /// - Throws: ``TokenKeyFault/damaged`` if the text ends within a block's first line, or has too many blocks.
    static func all(in text: [UInt8]) throws(TokenKeyFault) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = text[...]
        while let begin = find("-----BEGIN ", in: rest) {
            guard blocks.count < most, let labelEnd = find("-----", in: rest[begin.upperBound...]) else {
                throw .damaged
            }
            let label = String(decoding: rest[begin.upperBound..<labelEnd.lowerBound], as: UTF8.self)
            guard label.utf8.count <= 64 else { throw .damaged }
            rest = rest[labelEnd.upperBound...]
            guard let end = find("-----END \(label)-----", in: rest) else {
                blocks.append(PEMBlock(label: label, bytes: nil))
                continue
            }
            blocks.append(PEMBlock(label: label, bytes: decoded(Array(rest[..<end.lowerBound]))))
            rest = rest[end.upperBound...]
        }
        return blocks
    }

    /// Decodes Base64 with white space, and with line ends that are written as `\n` or `\r`.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var characters: [UInt8] = []
        characters.reserveCapacity(text.count)
        var isEscaped = false
        for byte in text {
            if isEscaped {
                guard [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "\\")].contains(byte) else { return nil }
                // A line end that was escaped twice has several backslashes.
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains(byte) {
                characters.append(byte)
            }
        }
        guard !isEscaped, !characters.isEmpty else { return nil }
        return Data(base64Encoded: Data(characters)).map { Array($0) }
    }

    private static func find(_ pattern: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let pattern = Array(pattern.utf8)
        guard bytes.count >= pattern.count else { return nil }
        var place = bytes.startIndex
        while place + pattern.count <= bytes.endIndex {
            guard let first = bytes[place...].firstIndex(of: pattern[0]), first + pattern.count <= bytes.endIndex else {
                return nil
            }
            if bytes[first...].starts(with: pattern) { return first..<(first + pattern.count) }
            place = first + 1
        }
        return nil
    }
}
