/// One scan over the bytes of a JSON document, which only tells strings from everything else.
struct UntrustedJSONScan {
    private let limits: UntrustedJSON.Limits
    private var depth = 0
    /// Where the current string began; nil outside of strings.
    private var textStart: Int?
    private var isEscaped = false
    /// Length of the string up to the current byte.
    private var textLength = 0

    init(_ limits: UntrustedJSON.Limits) {
        self.limits = limits
    }

    /// Why the document must not be read; nil when it may be.
    mutating func refusal(of bytes: Span<UInt8>) -> UntrustedJSONError? {
        for index in bytes.indices {
            let byte = bytes[index]
            // Most bytes are letters and digits inside strings, and none of these.
            guard
                byte < 0x40 || byte == UInt8(ascii: "\\") || byte >= 0x5B && textStart == nil || byte >= 0xFE
                    || isEscaped
            else { continue }
            if let refusal = refusal(of: byte, at: index) { return refusal }
        }
        return nil
    }

    private mutating func refusal(of byte: UInt8, at index: Int) -> UntrustedJSONError? {
        if byte == 0 || byte >= 0xFE { return .malformed }
        if isEscaped {
            isEscaped = false
            return nil
        }
        if let start = textStart {
            if byte == UInt8(ascii: "\\") { isEscaped = true }
            guard byte == UInt8(ascii: "\"") else { return nil }
            textLength = index - start - 1
            textStart = nil
            return nil
        }
        switch byte {
        case UInt8(ascii: "\""): textStart = index
        case UInt8(ascii: ":"):
            if textLength > limits.nameBytes { return .nameTooLong(limit: limits.nameBytes) }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            if depth > limits.depth { return .tooDeep(limit: limits.depth) }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            if depth < 0 { return .malformed }
        default: break
        }
        return nil
    }
}
