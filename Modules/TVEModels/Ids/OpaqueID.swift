/// An id that the services issue and compare byte by byte.
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
    /// - Parameter hasher: the hasher to feed.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    /// Reads the id from its text.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when there is no text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The coding key for maps whose keys are ids.
    public var codingKey: any CodingKey { text.codingKey }

    /// Reads the id from a key of a map.
    ///
    /// - Parameter codingKey: the key.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

    /// The text.
    public var description: String { text }
}

/// The case-sensitive id of a requestor, which is a programmer's brand that requests entitlements.
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

/// The case-sensitive id of a TV provider (MVPD).
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

/// Any other text that serves as a key and is compared by its UTF-8 bytes.
package struct ExactText: OpaqueID {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
