public import Foundation

/// A value of a viewer's metadata, which can be any JSON value because the TV provider decides its shape.
public enum MetadataValue: Sendable, Hashable, Codable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number, which is exact for whole numbers up to 2^53.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([MetadataValue])
    /// A map.
    case object([String: MetadataValue])

    /// The maximum nesting of lists and maps in a document.
    package static let maximumDepth = 32

    /// Reads any JSON value.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when the value is not JSON, is a number too large for a `Double`, or is nested deeper
    ///   than 32 lists and maps in its document.
    public init(from decoder: any Decoder) throws {
        // The coding path has one key for each list and map around the value.
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "nested deeper than \(Self.maximumDepth)"))
        }
        if let document = UntrustedJSONDocument.of(decoder) {
            guard let value = document.value(at: decoder.codingPath) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "cannot be read"))
            }
            self = value
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try Self.read({ try container.decode(String.self) }) {
            self = .string(value)
        } else if let value = try Self.read({ try container.decode(Bool.self) }) {
            self = .bool(value)
        } else if let value = try Self.read({ try container.decode(Double.self) }) {
            self = .number(value)
        } else if var list = try Self.read({ try decoder.unkeyedContainer() }) {
            var values: [MetadataValue] = []
            while !list.isAtEnd { values.append(try list.decode(MetadataValue.self)) }
            self = .array(values)
        } else {
            self = .object(try container.decode([String: MetadataValue].self))
        }
    }

    /// Returns the decoder's value, or nil when the value is of another kind.
    ///
    /// Any other error ends the decoding. An error deep inside the document must not be retried as another kind on
    /// every level above it, because the time would double with each level.
    private static func read<Value>(_ decode: () throws -> Value) throws -> Value? {
        do {
            return try decode()
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// Writes the value as JSON.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Reads a JSON document of any kind from outside.
    ///
    /// The time grows linearly with the number of bytes, whatever they contain. A `JSONDecoder` takes some hundred
    /// times as long for values of any kind, because it must try each kind.
    ///
    /// - Parameter bytes: the document in UTF-8: at most 1 MB, 32 nested lists and maps, and names of 256 bytes.
    /// - Throws: ``UntrustedJSONError``, which states the problem.
    public init(json bytes: Data) throws(UntrustedJSONError) {
        self = try UntrustedJSON.read(MetadataValue.self, from: bytes)
    }

    /// Compares kinds and values.
    ///
    /// Texts and names are compared as UTF-8 bytes, because they may be ids of viewers.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): [String: MetadataValue].areBytewiseEqual(left, right)
        default: false
        }
    }
}
