// There is no `nil` literal, because it would be unclear whether `metadata["zip"] = nil` removes a value or writes
// `null`.

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean value.
    ///
    /// - Parameter value: the value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// Creates a number.
    ///
    /// - Parameter value: the number; exact up to 2^53.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    ///
    /// - Parameter value: the number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension MetadataValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    ///
    /// - Parameter value: the text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByArrayLiteral {
    /// Creates a list.
    ///
    /// - Parameter elements: the list's values, in order.
    public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
}

extension MetadataValue: ExpressibleByDictionaryLiteral {
    /// Creates a map.
    ///
    /// - Parameter elements: names and values. If a name occurs twice, the last value is used.
    public init(dictionaryLiteral elements: (String, MetadataValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
