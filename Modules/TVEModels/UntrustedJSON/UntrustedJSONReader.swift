/// Parses the bytes of a JSON document into a tree, in a time that grows only with their number.
///
/// Only ``UntrustedJSONDocument`` uses it, for documents that Foundation's decoder has accepted as JSON.
struct UntrustedJSONReader {
    let bytes: [UInt8]
    var index = 0
    private var depth = 0

    /// - Parameter bytes: the document in UTF-8.
    /// - Returns: the tree; nil for bytes that are not JSON, are nested deeper than ``MetadataValue/maximumDepth`` or
    ///   contain a number that is too large. Of values with the same name the first counts, as in Foundation.
    static func read(_ bytes: [UInt8]) -> MetadataValue? {
        var reader = UntrustedJSONReader(bytes: bytes)
        // The document may begin with a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        guard let value = reader.value() else { return nil }
        reader.skipBlanks()
        return reader.index == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Skips blanks, and then one byte if it is the expected one.
    private mutating func take(_ expected: Character) -> Bool {
        skipBlanks()
        guard byte == expected.asciiValue else { return false }
        index += 1
        return true
    }

    mutating func take(word: StaticString) -> Bool {
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

    /// A number by JSON's grammar, which is stricter than `Double`'s.
    private mutating func number() -> Double? {
        let start = index
        step(over: "-")
        // A leading zero is the only digit before the point.
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

    /// Skips one or more digits.
    private mutating func digits() -> Bool {
        let start = index
        while let byte, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    /// Skips a byte if it is the next one.
    @discardableResult
    private mutating func step(over expected: Character) -> Bool {
        guard let byte, byte == expected.asciiValue else { return false }
        index += 1
        return true
    }
}
