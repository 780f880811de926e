/// Makes a tree of the bytes of a JSON document, in a time that grows with their number alone.
///
/// Only ``OutsideJSONDocument`` uses it, for documents that Foundation's decoder has found to be JSON.
struct OutsideJSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Reads a document.
    ///
    /// - Parameter bytes: the document in UTF-8.
    /// - Returns: the tree; nil for what is no JSON, nested deeper than ``MetadataValue/maximumDepth`` or holds a number that is too
    ///   large. Of values with the same name the first counts, as it does in Foundation.
    static func read(_ bytes: [UInt8]) -> MetadataValue? {
        var reader = OutsideJSONReader(bytes: bytes)
        // A byte order mark may stand before everything.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        guard let value = reader.value() else { return nil }
        reader.skipBlanks()
        return reader.index == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Steps over a byte if it is the next one that is no blank.
    private mutating func take(_ expected: Character) -> Bool {
        skipBlanks()
        guard byte == expected.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual(word.description.utf8) else { return false }
        index = end
        return true
    }

    private mutating func value() -> MetadataValue? {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "\""): return text().map(MetadataValue.string)
        case UInt8(ascii: "["): return nested { $0.list() }
        case UInt8(ascii: "{"): return nested { $0.map() }
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        default: return number().map(MetadataValue.number)
        }
    }

    private mutating func nested(_ read: (inout Self) -> MetadataValue?) -> MetadataValue? {
        guard depth < MetadataValue.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        index += 1
        return read(&self)
    }

    private mutating func list() -> MetadataValue? {
        var values: [MetadataValue] = []
        if take("]") { return .array(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(",")
        return take("]") ? .array(values) : nil
    }

    private mutating func map() -> MetadataValue? {
        var values: [String: MetadataValue] = [:]
        if take("}") { return .object(values) }
        repeat {
            skipBlanks()
            guard byte == UInt8(ascii: "\""), let name = text(), take(":"), let value = value() else { return nil }
            if values[name] == nil { values[name] = value }
        } while take(",")
        return take("}") ? .object(values) : nil
    }

    /// A number of JSON's grammar, on which `Double` alone would not insist.
    private mutating func number() -> Double? {
        let start = index
        step(over: "-")
        // A zero stands alone before the point.
        if !step(over: "0") { guard digits() else { return nil } }
        if step(over: ".") { guard digits() else { return nil } }
        if step(over: "e") || step(over: "E") {
            if !step(over: "-") { step(over: "+") }
            guard digits() else { return nil }
        }
        guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)), number.isFinite else {
            return nil
        }
        return number
    }

    /// Steps over at least one digit.
    private mutating func digits() -> Bool {
        let start = index
        while let byte, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    /// Steps over a byte if it is the next one.
    @discardableResult
    private mutating func step(over expected: Character) -> Bool {
        guard let byte, byte == expected.asciiValue else { return false }
        index += 1
        return true
    }

    /// A text, from its opening quote to behind its closing one.
    private mutating func text() -> String? {
        index += 1
        let start = index
        // Control characters must be escaped.
        let special = bytes[start...].firstIndex {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20
        }
        guard let end = special else { return nil }
        index = end
        // Most texts escape nothing and are copied as a whole.
        if bytes[end] == UInt8(ascii: "\"") {
            index += 1
            return String(validating: bytes[start..<end], as: UTF8.self)
        }
        var content = Array(bytes[start..<end])
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let character = escaped() else { return nil }
                content += String(character).utf8
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    /// What stands behind a backslash.
    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard take(word: "\\u"), let trail = codeUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        default: return nil
        }
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }
}
