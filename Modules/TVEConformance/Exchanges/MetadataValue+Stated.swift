import TVEModels

extension MetadataValue {
    /// The Boolean value, which services also send as a number or a text, or nil for a value that is none of these.
    var statedBoolean: Bool? {
        switch self {
        case .bool(let value): value
        case .number(let number): number == 1 ? true : number == 0 ? false : nil
        case .string(let text):
            switch JSONCursor.trimmed(text).lowercasedASCII {
            case "true", "1": true
            case "false", "0": false
            default: nil
            }
        default: nil
        }
    }

    /// The number, which services also send as a text, or nil for a value that is neither.
    var decimalValue: Double? {
        if let doubleValue { return doubleValue }
        // `Double` also parses the names of infinity and NaN.
        guard let stringValue, let number = Double(JSONCursor.trimmed(stringValue)), number.isFinite else { return nil }
        return number
    }
}
