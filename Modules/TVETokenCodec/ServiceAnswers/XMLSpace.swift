// The white space around a value is not part of it.

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
