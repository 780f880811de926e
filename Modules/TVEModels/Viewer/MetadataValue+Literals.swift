// Not for `nil`: it would be unclear whether `metadata["zip"] = nil` removes a value or writes `null`.

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    ///
    /// - Parameter value: the value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// Makes a number.
    ///
    /// - Parameter value: the number; exact up to 2^53.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// Makes a number.
    ///
    /// - Parameter value: the number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension MetadataValue: ExpressibleByStringInterpolation {
    /// Makes a text.
    ///
    /// - Parameter value: the text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByArrayLiteral {
    /// Makes a list.
    ///
    /// - Parameter elements: the list's values, in order.
    public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
}

extension MetadataValue: ExpressibleByDictionaryLiteral {
    /// Makes a map.
    ///
    /// - Parameter elements: names and values; of a name that occurs twice the last value counts.
    public init(dictionaryLiteral elements: (String, MetadataValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
