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
