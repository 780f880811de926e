/// A property wrapper that compares texts by their UTF-8 bytes, so that the compiler can synthesize `==` for the
/// enclosing type.
///
/// Use it for texts that have no id type of their own: names, hashes and opaque values of a service.
@propertyWrapper
public struct BytewiseEqual<Value: BytewiseEquatable>: Sendable, Hashable, CustomDebugStringConvertible {
    /// The text or texts.
    public var wrappedValue: Value

    /// Wraps one or more texts.
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

    /// Hashes the value.
    ///
    /// Texts with equal bytes have equal hashes.
    ///
    /// - Parameter hasher: the hasher to feed.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    /// The textual representation of the value, without the wrapper.
    public var debugDescription: String { String(reflecting: wrappedValue) }
}

/// A type that ``BytewiseEqual`` can wrap: a text, or a collection of texts.
public protocol BytewiseEquatable: Sendable, Hashable {
    /// Returns a Boolean value that indicates whether two values consist of the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one value.
    ///   - right: the other value.
    static func areBytewiseEqual(_ left: Self, _ right: Self) -> Bool
}

extension String: BytewiseEquatable {
    /// Returns a Boolean value that indicates whether two texts have the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one text.
    ///   - right: the other text.
    public static func areBytewiseEqual(_ left: String, _ right: String) -> Bool { left.isSameBytes(as: right) }
}

extension Optional: BytewiseEquatable where Wrapped: BytewiseEquatable {
    /// Returns a Boolean value that indicates whether both values are nil, or both are texts with the same UTF-8 bytes.
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
    /// Returns a Boolean value that indicates whether two lists contain texts with the same UTF-8 bytes in the same
    /// order.
    ///
    /// - Parameters:
    ///   - left: one list.
    ///   - right: the other list.
    public static func areBytewiseEqual(_ left: [Element], _ right: [Element]) -> Bool {
        left.elementsEqual(right, by: Element.areBytewiseEqual)
    }
}

extension Set: BytewiseEquatable where Element == String {
    /// Returns a Boolean value that indicates whether two sets contain texts with the same UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - left: one set.
    ///   - right: the other set.
    public static func areBytewiseEqual(_ left: Set<String>, _ right: Set<String>) -> Bool {
        Set<ExactText>(left.map { ExactText($0) }) == Set<ExactText>(right.map { ExactText($0) })
    }
}

extension Dictionary: BytewiseEquatable where Key == String, Value == MetadataValue {
    /// Returns a Boolean value that indicates whether two maps have equal values for the same keys, compared by UTF-8
    /// bytes.
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

// A wrapped property is encoded as if it had no wrapper. The code that the compiler synthesizes for `Codable` types
// calls these overloads of the containers. They also omit a value that is nil.
extension BytewiseEqual: Decodable where Value: Decodable {
    /// Reads the value.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: any error that the value's own initializer throws.
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension BytewiseEqual: Encodable where Value: Encodable {
    /// Writes the value.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the value's own function throws.
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
