/// White space as XML defines it (XML 1.0, 2.3), which is not part of a value that it surrounds.
extension UInt8 {
    /// A Boolean value that indicates whether the byte is a blank, a tab or part of a line end.
    var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension Span<UInt8> {
    /// The range of the bytes between the white space at the start and at the end.
    var rangeInsideXMLSpace: Range<Int> {
        var start = 0
        var end = count
        while start < end, self[start].isXMLSpace { start += 1 }
        while end > start, self[end - 1].isXMLSpace { end -= 1 }
        return start..<end
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes between the white space at the start and at the end.
    var insideXMLSpace: SubSequence {
        guard let first = firstIndex(where: { !$0.isXMLSpace }),
            let last = lastIndex(where: { !$0.isXMLSpace })
        else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
