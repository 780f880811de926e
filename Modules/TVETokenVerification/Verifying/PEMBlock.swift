import Foundation
import TVEModels

/// A block of PEM in any text (RFC 7468), including a block that has lost its line ends.
struct PEMBlock {
    /// The words after `BEGIN`.
    let label: String
    /// The decoded bytes, or nil if the block is cut off or is not Base64.
    let bytes: [UInt8]?

    /// The fault of a block with a private key, or nil for any other block.
    var privateKeyFault: TokenKeyFault? {
        guard label.containsBytes(of: "PRIVATE KEY") else { return nil }
        return isOfSSH ? .openSSHPrivateKey : isOfPGP ? .pgpPrivateKey : .privateKey
    }

    /// A Boolean value that indicates whether the block has a form of its own that is no DER.
    var isForeign: Bool { isOfSSH || isOfPGP }

    private var isOfSSH: Bool { label.containsBytes(of: "SSH") }
    private var isOfPGP: Bool { label.containsBytes(of: "PGP ") }

    /// The number of blocks that are read at most.
    private static let most = 100
    /// The characters on both sides of a block's first line.
    private static let hyphens = "-----".utf8
    private static let blank = UInt8(ascii: " ")

    /// Finds the blocks of a text, whatever surrounds them.
    ///
    /// - Throws: ``TokenKeyFault/damaged`` if a block's first line does not end, or there are too many blocks.
    static func all(in text: [UInt8]) throws(TokenKeyFault) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = text[...]
        while let begin = find("BEGIN ", in: rest) {
            let before = rest[..<begin.lowerBound]
            let isMarked = before.suffix(hyphens.count).elementsEqual(hyphens)
            rest = rest[begin.upperBound...]
            guard before.last(where: { $0 != blank }) == hyphens.first else { continue }
            guard blocks.count < most else { throw .damaged }
            guard let labelEnd = labelEnd(in: rest) else {
                guard !isMarked else { throw .damaged }
                continue
            }
            let words = rest[..<labelEnd]
            let trimmed = words.drop { $0 == blank }.reversed().drop { $0 == blank }.reversed()
            let label = String(decoding: trimmed, as: UTF8.self)
            rest = rest[labelEnd...]
            guard isMarked, trimmed.count == words.count, rest.starts(with: hyphens) else {
                // A line that has lost a hyphen must not hide a private key, so it begins a block too, though a damaged
                // one. Any other such line is text around the blocks.
                if isKey(label) { blocks.append(PEMBlock(label: label, bytes: nil)) }
                continue
            }
            rest = rest.dropFirst(hyphens.count)
            guard let end = find("-----END \(label)-----", in: rest) else {
                blocks.append(PEMBlock(label: label, bytes: nil))
                continue
            }
            blocks.append(PEMBlock(label: label, bytes: decoded(Array(rest[..<end.lowerBound]))))
            rest = rest[end.upperBound...]
        }
        return blocks
    }

    /// Returns the end of the label at the beginning of the bytes, or nil if they begin with no label.
    ///
    /// A label may have hyphens within its words (RFC 7468, 3), and a line may have lost those at its end.
    private static func labelEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        let longest = bytes.prefix(65)
        return longest.indices.first { place in
            guard longest[place] == hyphens.first else { return longest[place] < blank }
            let next = place + 1 < bytes.endIndex ? bytes[place + 1] : blank
            return !isLetterOrDigit(next)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a label is that of a key or a certificate.
    private static func isKey(_ label: String) -> Bool {
        label.hasByteSuffix("KEY") || label.hasByteSuffix("CERTIFICATE") || label.containsBytes(of: "PRIVATE KEY")
    }

    /// Decodes Base64 with white space, with line ends that are written as `\n` or `\r`, and with characters that are
    /// escaped as in JSON.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var characters: [UInt8] = []
        characters.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                characters.append(byte)
                continue
            }
            // What was escaped twice has several backslashes.
            rest = rest.drop { $0 == UInt8(ascii: "\\") }
            guard let character = unescaped(from: &rest) else { return nil }
            characters.append(character)
        }
        characters.removeAll { [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains($0) }
        guard !characters.isEmpty else { return nil }
        return Data(base64Encoded: Data(characters)).map { Array($0) }
    }

    /// Removes what follows a backslash, and returns the character that it stands for, or nil if it stands for none.
    ///
    /// Some writers of JSON escape the slash, and some the plus sign and the equals sign, as `\u002b` and `\u003d`.
    private static func unescaped(from rest: inout ArraySlice<UInt8>) -> UInt8? {
        switch rest.popFirst() {
        case UInt8(ascii: "n"), UInt8(ascii: "r"): return UInt8(ascii: "\n")
        case UInt8(ascii: "/"): return UInt8(ascii: "/")
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            // Only ASCII is of interest. The zeros also exclude a sign, which the conversion would accept.
            guard digits.count == 4, digits.starts(with: "00".utf8) else { return nil }
            rest = rest.dropFirst(4)
            return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        default: return nil
        }
    }

    /// Returns the first place of a text in the bytes, or nil if it does not occur.
    static func find(_ pattern: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
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
