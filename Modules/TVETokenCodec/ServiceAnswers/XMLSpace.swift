import Foundation

// The white space around a value is not part of it.

extension Data {
    /// The answer of a service without the white space before its XML declaration, where XML allows none.
    ///
    /// Some servers write a line end before what they answer. A signed token has no such tolerance.
    var fromXMLDeclaration: Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = (starts(with: mark) ? dropFirst(mark.count) : self).drop { $0.isXMLSpace }
        return rest.starts(with: "<?xml".utf8) ? rest : self
    }
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
