public import Foundation

/// The TV provider's data about a viewer, for example the zip code, the household and parental ratings.
public struct UserMetadata: Sendable, Hashable, Codable, Redacting {
    /// The time at which the service last changed the data or, over REST API v2, at which it sent the data.
    public var updated: Date
    /// The values by name; a value may be a string, a number, a list or a map.
    @BytewiseEqual public var data: [String: MetadataValue]
    /// The names whose values are encrypted for the programmer's key.
    @BytewiseEqual public var encrypted: Set<String>

    /// Creates metadata.
    ///
    /// - Parameters:
    ///   - updated: the time at which the service last changed the data.
    ///   - data: the values by name.
    ///   - encrypted: names whose values are encrypted.
    public init(updated: Date, data: [String: MetadataValue], encrypted: Set<String> = []) {
        self.updated = updated
        self.data = data
        self.encrypted = encrypted
    }

    /// Reads the service's JSON, in which `updated` is in seconds since 1970 and lists may be missing.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when a value has the wrong type, `updated` is not a date before the year 10,000, or an
    ///   encrypted value's name is longer than 256 bytes.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// Writes the service's JSON.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(updated.timeIntervalSince1970.rounded(), forKey: .updated)
        try container.encode(data, forKey: .data)
        try container.encode(encrypted.sorted(), forKey: .encrypted)
    }

    /// The maximum length of an encrypted value's name, in bytes.
    private static let longestName = 256

    private enum CodingKeys: String, CodingKey, CaseIterable { case updated, data, encrypted }

    /// A description that contains the number of values and not the values.
    public var redactedDescription: String { "UserMetadata(\(data.count) values)" }
}

extension UserMetadata: JSONReadable {
    private static let names = JSONNames<CodingKeys>()

    /// Reads the service's JSON, or returns nil if it is not usable.
    ///
    /// It is not usable when a value has the wrong type, the date is out of range, or an encrypted value's name is too
    /// long.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var seconds: Double? = 0
        var data: [String: MetadataValue]? = [:]
        var encrypted: [String]? = []
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            if try json.passNull() { return }
            switch field {
            case .updated: seconds = try json.decimal()
            case .data: data = try .init(&json)
            case .encrypted: encrypted = try .init(&json)
            }
        }
        // The range ends with the year 9999. The number comes from outside and may have any size.
        guard isObject, let seconds, (0...253_402_300_799).contains(seconds), let data, let encrypted,
            // In the worst case, the time to hash a string grows with the square of its length. No real name is this
            // long.
            encrypted.allSatisfy({ $0.utf8.count <= Self.longestName })
        else { return nil }
        self.init(updated: Date(timeIntervalSince1970: seconds), data: data, encrypted: Set(encrypted))
    }
}
