/// A property whose texts compare as UTF-8 bytes, so that the compiler can write the `==` of its type.
///
/// For texts that are no ids of their own type: names, hashes, opaque values of a service.
@propertyWrapper
public struct BytewiseEqual<Value: BytewiseEquatable>: Sendable, Hashable, CustomDebugStringConvertible {
    /// The text or texts.
    public var wrappedValue: Value

    /// Wraps a text or texts.
    ///
    /// - Parameter wrappedValue: the text or texts.
    @inlinable
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Compares the UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        Value.areBytewiseEqual(left.wrappedValue, right.wrappedValue)
    }

    /// Hashes the value; texts with equal bytes have equal hashes.
    ///
    /// - Parameter hasher: takes it.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    /// The value, as it prints without the wrapper.
    public var debugDescription: String { String(reflecting: wrappedValue) }
}

/// A text, or several, for ``BytewiseEqual``.
public protocol BytewiseEquatable: Sendable, Hashable {
    /// Whether the texts have the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one value.
    ///   - right: the other value.
    static func areBytewiseEqual(_ left: Self, _ right: Self) -> Bool
}

extension String: BytewiseEquatable {
    /// Whether two texts have the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one text.
    ///   - right: the other text.
    public static func areBytewiseEqual(_ left: String, _ right: String) -> Bool { left.isSameBytes(as: right) }
}

extension Optional: BytewiseEquatable where Wrapped: BytewiseEquatable {
    /// Whether both are nil, or texts with the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one value.
    ///   - right: the other value.
    public static func areBytewiseEqual(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.areBytewiseEqual(left, right)
        default: false
        }
    }
}

extension Array: BytewiseEquatable where Element: BytewiseEquatable {
    /// Whether two lists have texts with the same UTF-8 bytes in the same order.
    ///
    /// - Parameters:
    ///   - left: one list.
    ///   - right: the other list.
    public static func areBytewiseEqual(_ left: [Element], _ right: [Element]) -> Bool {
        left.elementsEqual(right, by: Element.areBytewiseEqual)
    }
}

extension Set: BytewiseEquatable where Element == String {
    /// Whether two sets have texts with the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one set.
    ///   - right: the other set.
    public static func areBytewiseEqual(_ left: Set<String>, _ right: Set<String>) -> Bool {
        Set<ExactText>(left.map { ExactText($0) }) == Set<ExactText>(right.map { ExactText($0) })
    }
}

extension Dictionary: BytewiseEquatable where Key == String, Value == MetadataValue {
    /// Whether two maps have the same keys, by their UTF-8 bytes, with equal values.
    ///
    /// - Parameters:
    ///   - left: one map.
    ///   - right: the other map.
    public static func areBytewiseEqual(_ left: [String: MetadataValue], _ right: [String: MetadataValue]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                guard let found = right.index(forKey: key) else { return false }
                return right[found].key.isSameBytes(as: key) && right[found].value == value
            }
    }
}

// A wrapped property is coded as if it had no wrapper. The overloads of the containers are what the compiler's own code
// for `Codable` types calls; they also leave out a value that is nil.
extension BytewiseEqual: Decodable where Value: Decodable {
    /// Reads the value.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: what the value's own initializer throws.
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension BytewiseEqual: Encodable where Value: Encodable {
    /// Writes the value.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the value's own function throws.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    package func decode<Value: Decodable>(
        _ type: BytewiseEqual<Value>.Type, forKey key: Key
    ) throws -> BytewiseEqual<Value> {
        BytewiseEqual(wrappedValue: try decode(Value.self, forKey: key))
    }

    package func decode<Value: Decodable>(
        _ type: BytewiseEqual<Value?>.Type, forKey key: Key
    ) throws -> BytewiseEqual<Value?> {
        BytewiseEqual(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    package mutating func encode<Value: Encodable>(_ value: BytewiseEqual<Value>, forKey key: Key) throws {
        try encode(value.wrappedValue, forKey: key)
    }

    package mutating func encode<Value: Encodable>(_ value: BytewiseEqual<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
