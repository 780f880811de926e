import TVEModels

// Values of a leaf's text, parsed from its bytes.

extension Span<UInt8> {
    /// A Boolean value that indicates whether the text is `true`, in any case.
    var isTrue: Bool {
        count == 4 && (self[0] | 0x20) == UInt8(ascii: "t") && (self[1] | 0x20) == UInt8(ascii: "r")
            && (self[2] | 0x20) == UInt8(ascii: "u") && (self[3] | 0x20) == UInt8(ascii: "e")
    }

    /// The number that the text consists of, or nil if there are no ASCII digits, too many, or other characters.
    var wholeNumber: Int64? {
        guard !isEmpty else { return nil }
        var number: Int64 = 0
        for index in indices {
            guard let digit = self[index].asciiDigit else { return nil }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(Int64(digit))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the byte is a blank, a tab or part of a line end (XML 1.0, 2.3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    var asciiDigit: Int? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? Int(value) : nil
    }
}

extension Span<UInt8> {
    /// Returns the number of occurrences of a byte, up to a limit.
    ///
    /// The C library compares many bytes at a time.
    func count(of byte: UInt8, upTo limit: Int = .max) -> Int {
        var found = 0
        var start = 0
        while found < limit, let place = firstIndex(of: byte, from: start) {
            found += 1
            start = place + 1
        }
        return found
    }
}
