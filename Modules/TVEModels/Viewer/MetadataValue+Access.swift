extension MetadataValue {
    /// A Boolean value that indicates whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// The Boolean value, or nil when the value is of another kind.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, or nil when the value is of another kind.
    public var doubleValue: Double? { if case .number(let value) = self { value } else { nil } }

    /// The whole number, or nil when the value is of another kind, has a fraction, or does not fit.
    public var intValue: Int? { doubleValue.flatMap(Int.init(exactly:)) }

    /// The text, or nil when the value is of another kind.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The list, or nil when the value is of another kind.
    public var arrayValue: [MetadataValue]? { if case .array(let value) = self { value } else { nil } }

    /// The map, or nil when the value is of another kind.
    public var objectValue: [String: MetadataValue]? { if case .object(let value) = self { value } else { nil } }

    /// Accesses the value of a name in a map.
    ///
    /// - Parameter name: the name.
    /// - Returns: the value, or nil when the name is missing or this is not a map.
    public subscript(name: String) -> MetadataValue? { objectValue?[name] }

    /// Accesses an element of a list.
    ///
    /// - Parameter index: the position, starting at 0.
    /// - Returns: the element, or nil when the list is shorter or this is not a list.
    public subscript(index: Int) -> MetadataValue? {
        guard let list = arrayValue, list.indices.contains(index) else { return nil }
        return list[index]
    }
}
