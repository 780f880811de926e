package import Foundation

/// Readers for the variants in which services send values: numbers as texts, texts as numbers, and missing values.
///
/// A value of any other kind is read as nil, as if it were missing.
extension JSONCursor {
    /// Reads a text, or a whole number as a text.
    package mutating func text() throws(UntrustedJSONError) -> String? {
        switch try scalar() {
        case .text(let text): string(text)
        case .number(let number): wholeNumber(number).map { String($0) }
        default: nil
        }
    }

    /// Reads a text as ``text()`` does, without the white space around it.
    package mutating func trimmedText() throws(UntrustedJSONError) -> String? {
        switch try scalar() {
        case .text(let text): trimmedString(text)
        case .number(let number): wholeNumber(number).map { String($0) }
        default: nil
        }
    }

    /// Reads a text as ``string()`` does, without the white space around it.
    package mutating func trimmedString() throws(UntrustedJSONError) -> String? {
        if case .text(let text) = try scalar() { trimmedString(text) } else { nil }
    }

    /// Returns the content of a text that has been skipped, without the white space around it.
    private func trimmedString(_ text: Text) -> String {
        // Almost no text has any, and two bytes show that.
        let hasBlank = bytes.withSpan { bytes in
            text.isEscaped
                || !text.range.isEmpty
                    && (Self.isBlank(bytes[text.range.lowerBound]) || Self.isBlank(bytes[text.range.upperBound - 1]))
        }
        return hasBlank ? Self.trimmed(string(text)) : string(text)
    }

    /// Returns a text without the white space around it, which is that of JSON and of XML.
    ///
    /// It is not a part of a value: the classic services, too, may put each value on a line of its own.
    package static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last, isBlank(first) || isBlank(last) else { return text }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[start...end], as: UTF8.self)
    }

    /// Reads an identifier, which is the name that a service gives to a code, an action or a type.
    ///
    /// Anything else is read as nil. Texts are compared by their characters, which takes long for some long texts
    /// outside ASCII, and every identifier that a service documents is short.
    package mutating func identifier() throws(UntrustedJSONError) -> String? {
        try trimmedText().flatMap { $0.isIdentifier ? $0 : nil }
    }

    /// Reads an integer, or a text that contains one, with or without white space around it.
    package mutating func wholeNumber() throws(UntrustedJSONError) -> Int? {
        switch try scalar() {
        case .text(let text): Int(trimmedString(text))
        case .number(let number): wholeNumber(number).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    /// Reads a number, or a text that contains one, with or without white space around it.
    package mutating func decimal() throws(UntrustedJSONError) -> Double? {
        switch try scalar() {
        // `Double` also parses the names of infinity and NaN.
        case .text(let text): Double(trimmedString(text)).flatMap { $0.isFinite ? $0 : nil }
        case .number(let number): decimal(number)
        default: nil
        }
    }

    /// Reads milliseconds since 1970 as a number or a text, or returns nil for a value outside the years 1970 to 9999.
    package mutating func instant() throws(UntrustedJSONError) -> Date? {
        guard let milliseconds = try decimal(), (0...Self.lastMillisecond).contains(milliseconds) else { return nil }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Reads the end of a validity as ``instant()`` reads an instant.
    ///
    /// A service may send the largest number of 64 bits for something that never ends, so an end up to that number is
    /// read as the end of the year 9999.
    package mutating func end() throws(UntrustedJSONError) -> Date? {
        guard let milliseconds = try decimal(), (0...0x1p63).contains(milliseconds) else { return nil }
        return Date(timeIntervalSince1970: min(milliseconds, Self.lastMillisecond) / 1000)
    }

    /// The end of the year 9999, in milliseconds since 1970.
    private static let lastMillisecond = 253_402_300_799_999.0

    /// Reads a Boolean value, also from `1` or a text.
    ///
    /// Any other value is false.
    package mutating func flag() throws(UntrustedJSONError) -> Bool {
        try yesOrNo() ?? false
    }

    /// Reads a Boolean value that must be stated: `true` or `false`, `1` or `0`, as a value or as a text, with or
    /// without white space around it.
    ///
    /// - Returns: the value, or nil if the next value states neither.
    package mutating func yesOrNo() throws(UntrustedJSONError) -> Bool? {
        switch try scalar() {
        case .flag(let value): return value
        case .text(let text):
            let text = trimmedString(text).lowercasedASCII
            return ["true", "1"].contains(text) ? true : ["false", "0"].contains(text) ? false : nil
        case .number(let number):
            let number = wholeNumber(number)
            return number == 1 ? true : number == 0 ? false : nil
        case .null, .other: return nil
        }
    }

    /// Reads the texts of a list, or a single text that replaces a list of one element.
    package mutating func texts() throws(UntrustedJSONError) -> [String]? {
        try isAtList() ? list(of: String.self) : text().map { [$0] }
    }

    /// Skips the next value if it is `null`, and returns whether it was.
    package mutating func passNull() throws(UntrustedJSONError) -> Bool {
        skipBlanks()
        guard byte == UInt8(ascii: "n") else { return false }
        try pass(Literal.null)
        return true
    }

    // MARK: - One value

    /// A value that is neither a map nor a list.
    private enum Scalar {
        case text(Text)
        case number(Number)
        case flag(Bool)
        case null
        /// A map, a list, or bytes that are not JSON, which the cursor has skipped.
        case other
    }

    private mutating func scalar() throws(UntrustedJSONError) -> Scalar {
        guard limits.isForgiving else { return try validScalar() }
        skipBlanks()
        let start = index
        if let value = try? validScalar(), byte.map(Self.endsValue) ?? true { return value }
        index = start
        try passLoosely()
        return .other
    }

    /// Returns a Boolean value that indicates whether a byte may follow a value.
    private static func endsValue(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private mutating func validScalar() throws(UntrustedJSONError) -> Scalar {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "\""): return .text(try passText())
        case UInt8(ascii: "t"):
            try pass(Literal.yes)
            return .flag(true)
        case UInt8(ascii: "f"):
            try pass(Literal.no)
            return .flag(false)
        case UInt8(ascii: "n"):
            try pass(Literal.null)
            return .null
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skip()
            return .other
        default: return .number(try passNumber())
        }
    }

    /// Reads a value of any kind with all its content.
    mutating func tree() throws(UntrustedJSONError) -> MetadataValue {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "{"):
            var values: [String: MetadataValue] = [:]
            _ = try members { (name, json) throws(UntrustedJSONError) in
                let value = try json.tree()
                if values[name] == nil { values[name] = value }
            }
            return .object(values)
        case UInt8(ascii: "["):
            var values: [MetadataValue] = []
            _ = try list { (json) throws(UntrustedJSONError) in values.append(try json.tree()) }
            return .array(values)
        default:
            switch try scalar() {
            case .text(let text): return .string(string(text))
            case .number(let number):
                // A number that is too large for a `Double` cannot be represented.
                guard let value = decimal(number) else { throw .malformed }
                return .number(value)
            case .flag(let value): return .bool(value)
            case .null, .other: return .null
            }
        }
    }
}

extension MetadataValue: JSONReadable {
    /// Reads a value of any kind.
    package init(_ json: inout JSONCursor) throws(UntrustedJSONError) { self = try json.tree() }
}
