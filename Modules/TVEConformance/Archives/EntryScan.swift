import Foundation
import TVEModels

/// Finds the entries of an HTTP archive by their brackets, without reading the whole document at once.
struct EntryScan {
    private let bytes: Data
    private var index: Int

    /// Goes to the list `log.entries`.
    init(_ bytes: Data) throws(HTTPArchiveError) {
        self.bytes = bytes
        if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B]) { throw .compressed }
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        skip()
        guard byte == UInt8(ascii: "{") else { throw bytes.isEmpty ? .empty : .notAnArchive }
        try enter("log", UInt8(ascii: "{"))
        try enter("entries", UInt8(ascii: "["))
    }

    /// The place of the next entry; nil after the last one.
    mutating func next() throws(HTTPArchiveError) -> Range<Int>? {
        skip()
        if byte == UInt8(ascii: ",") {
            index += 1
            skip()
        }
        guard let byte else { throw .cut }
        if byte == UInt8(ascii: "]") { return nil }
        guard byte == UInt8(ascii: "{") else { throw .notAnArchive }
        let start = index
        try skipValue()
        return start..<index
    }

    private var byte: UInt8? { index < bytes.count ? bytes[bytes.startIndex + index] : nil }

    private mutating func skip() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Goes from an opening brace to the value of a name, which begins with the expected byte, and behind that byte.
    private mutating func enter(_ name: String, _ expected: UInt8) throws(HTTPArchiveError) {
        // The opening brace.
        index += 1
        if byte == nil { throw .cut }
        while true {
            skip()
            if byte == UInt8(ascii: ",") {
                index += 1
                skip()
            }
            guard let byte else { throw .cut }
            guard byte == UInt8(ascii: "\"") else { throw .notAnArchive }
            let start = index
            try skipValue()
            let found = bytes[(bytes.startIndex + start)..<(bytes.startIndex + index)]
            skip()
            guard self.byte == UInt8(ascii: ":") else { throw self.byte == nil ? .cut : .notAnArchive }
            index += 1
            skip()
            if found.elementsEqual("\"\(name)\"".utf8) {
                guard self.byte == expected else { throw self.byte == nil ? .cut : .notAnArchive }
                if expected == UInt8(ascii: "[") { index += 1 }
                return
            }
            try skipValue()
        }
    }

    /// Goes behind a value.
    ///
    /// Brackets count, and not whether they fit: the decoder judges each entry.
    private mutating func skipValue() throws(HTTPArchiveError) {
        let end = bytes.withSpan { Self.end(of: $0, from: index) }
        guard let end else { throw .cut }
        index = end
    }

    private static func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
        var (index, depth, isText) = (start, 0, false)
        while index < bytes.count {
            let byte = bytes[index]
            if isText {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                    if depth == 0 { return index + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    // The end of what is around a number or a word.
                    if depth == 0 { return index }
                    depth -= 1
                    if depth == 0 { return index + 1 }
                case UInt8(ascii: ","): if depth == 0 { return index }
                default: break
                }
            }
            index += 1
        }
        return nil
    }
}
