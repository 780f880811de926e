extension JSONCursor {
    /// A number in the document.
    struct Number {
        let range: Range<Int>
        /// A Boolean value that indicates whether the number has no fraction and no exponent.
        let isWhole: Bool
    }

    /// Skips a number by JSON's grammar, which is stricter than that of `Double`.
    mutating func passNumber() throws(UntrustedJSONError) -> Number {
        let start = index
        step(over: UInt8(ascii: "-"))
        // A leading zero must be the only digit before the decimal point.
        if !step(over: UInt8(ascii: "0")) { try digits() }
        let end = index
        if step(over: UInt8(ascii: ".")) { try digits() }
        if step(over: UInt8(ascii: "e")) || step(over: UInt8(ascii: "E")) {
            if !step(over: UInt8(ascii: "-")) { step(over: UInt8(ascii: "+")) }
            try digits()
        }
        return Number(range: start..<index, isWhole: index == end)
    }

    /// Returns the number as an integer, or nil when it has a fraction or does not fit.
    func wholeNumber(_ number: Number) -> Int64? {
        if number.isWhole, let value = shortWholeNumber(number) { return value }
        let text = bytes.withSpan { String(decoding: $0.extracting(number.range)) }
        return number.isWhole ? Int64(text) : Double(text).flatMap { Int64(exactly: $0) }
    }

    /// Returns the nearest `Double`, or nil when the number is too large.
    func decimal(_ number: Number) -> Double? {
        // Zero is excluded, because its sign would be lost.
        if number.isWhole, let value = shortWholeNumber(number), value != 0 { return Double(value) }
        let value = Double(bytes.withSpan { String(decoding: $0.extracting(number.range)) })
        return value?.isFinite == true ? value : nil
    }

    /// Returns a number of at most 15 characters, which a `Double` represents exactly.
    private func shortWholeNumber(_ number: Number) -> Int64? {
        guard number.range.count <= 15 else { return nil }
        var value: Int64 = 0
        for index in number.range where bytes[index] != UInt8(ascii: "-") {
            value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
        }
        return bytes[number.range.lowerBound] == UInt8(ascii: "-") ? -value : value
    }

    /// Skips one or more digits.
    private mutating func digits() throws(UntrustedJSONError) {
        let start = index
        while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw .malformed }
    }

    /// Skips a byte if it is the expected one.
    @discardableResult
    private mutating func step(over expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        index += 1
        return true
    }
}
