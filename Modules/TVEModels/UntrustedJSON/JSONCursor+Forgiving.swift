extension JSONCursor {
    /// Passes one value by its quotes and brackets alone, whatever stands between them.
    ///
    /// So the end of a value is found in a recording that other programs wrote, whatever they wrote into it.
    ///
    /// - Throws: `.malformed` when the document ends before the value.
    package mutating func passLoosely() throws(UntrustedJSONError) {
        skipBlanks()
        guard let end = bytes.withSpan({ Self.end(of: $0, from: index) }) else { throw .malformed }
        index = end
    }

    private static func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
        var depth = 0
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                guard let text = text(in: bytes, from: place + 1, isForgiving: true) else { return nil }
                place = text.range.upperBound
                if depth == 0 { return place + 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of what is around a number or a word.
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ","): if depth == 0 { return place }
            default: break
            }
            place += 1
        }
        return nil
    }
}
