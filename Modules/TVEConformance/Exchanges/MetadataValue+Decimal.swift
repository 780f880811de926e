import TVEModels

extension MetadataValue {
    /// The number, which services also send as a text, or nil for a value that is neither.
    var decimalValue: Double? {
        if let doubleValue { return doubleValue }
        // `Double` also parses the names of infinity and NaN.
        guard let stringValue, let number = Double(JSONCursor.trimmed(stringValue)), number.isFinite else { return nil }
        return number
    }
}
