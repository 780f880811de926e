/// Finds the place where bytes stop being UTF-8.
enum UTF8Check {
    /// The offset of the first byte that does not belong to valid UTF-8, nil when all do.
    static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
        // The standard library validates much faster than it tells where; the slow search runs on bad input only.
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }
}
