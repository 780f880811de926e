extension MetadataValue {
    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, nil when the value is of another kind.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, nil when the value is of another kind.
    public var doubleValue: Double? { if case .number(let value) = self { value } else { nil } }

    /// The whole number, nil when the value is of another kind, has a fraction, or does not fit.
    public var intValue: Int? { doubleValue.flatMap(Int.init(exactly:)) }

    /// The text, nil when the value is of another kind.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The list, nil when the value is of another kind.
    public var arrayValue: [MetadataValue]? { if case .array(let value) = self { value } else { nil } }

    /// The map, nil when the value is of another kind.
    public var objectValue: [String: MetadataValue]? { if case .object(let value) = self { value } else { nil } }

    /// The value of a name in a map.
    ///
    /// - Parameter name: the name.
    /// - Returns: the value; nil when there is none, or this is no map.
    public subscript(name: String) -> MetadataValue? { objectValue?[name] }

    /// An element of a list.
    ///
    /// - Parameter index: the place, from 0.
    /// - Returns: the element; nil when the list is shorter, or this is no list.
    public subscript(index: Int) -> MetadataValue? {
        guard let list = arrayValue, list.indices.contains(index) else { return nil }
        return list[index]
    }
}
