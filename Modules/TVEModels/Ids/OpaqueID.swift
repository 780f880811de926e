/// The id of something, as the services know it: a text that they compare byte by byte.
///
/// Swift compares `String` by canonical equivalence: the Kelvin sign U+212A equals `K`, and `é` equals `e` with a
/// combining accent. To the services, and to the signers of tokens, these are different ids. Two values of a conforming
/// type are equal when their UTF-8 bytes are.
public protocol OpaqueID: Sendable, Hashable, Codable, CodingKeyRepresentable, ExpressibleByStringInterpolation,
    CustomStringConvertible
where StringLiteralType == String {
    /// The id as the services write it.
    var text: String { get }

    /// Wraps an id.
    ///
    /// - Parameter text: the id, passed on unmodified.
    init(_ text: String)
}

extension OpaqueID {
    /// Wraps a literal.
    ///
    /// - Parameter text: the id.
    public init(stringLiteral text: String) { self.init(text) }

    /// Compares the UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.isSameBytes(as: right.text) }

    /// Hashes the UTF-8 bytes.
    ///
    /// - Parameter hasher: takes them.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    /// Reads the id from its text.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when there is no text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The text, where the id is a key of a map.
    public var codingKey: any CodingKey { text.codingKey }

    /// Reads the id from a key of a map.
    ///
    /// - Parameter codingKey: the key.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

    /// The text.
    public var description: String { text }
}

/// The id of a requestor, a programmer's brand that asks for entitlements; case-sensitive.
public struct RequestorID: OpaqueID {
    /// The id as the services write it.
    public let text: String

    /// Wraps an id.
    ///
    /// - Parameter text: the id, passed on unmodified.
    @inlinable
    public init(_ text: String) {
        self.text = text
    }
}

/// The id of a TV provider (MVPD); case-sensitive.
public struct MVPDID: OpaqueID {
    /// The id as the services write it.
    public let text: String

    /// Wraps an id.
    ///
    /// - Parameter text: the id, passed on unmodified.
    @inlinable
    public init(_ text: String) {
        self.text = text
    }
}

/// Any other text as a key: two are equal when their UTF-8 bytes are.
package struct ExactText: OpaqueID {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
