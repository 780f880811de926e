/// One value of a viewer's metadata: any JSON value, since the TV provider decides the shape.
public enum MetadataValue: Sendable, Hashable, Codable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number; whole numbers up to 2^53 are exact.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([MetadataValue])
    /// A map.
    case object([String: MetadataValue])

    /// Reads any JSON value.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when the value is none of the JSON kinds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([MetadataValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: MetadataValue].self))
        }
    }

    /// Writes the value as JSON.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
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
}
