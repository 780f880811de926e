extension JSONCursor {
    /// Skips one value by looking only at its quotes and brackets.
    ///
    /// This finds the end of a value in a recording of another program, even if the value itself is not valid JSON.
    ///
    /// - Throws: `.malformed` when the document ends before the value does.
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
                // This bracket ends the enclosing map or list of a number or a word.
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
