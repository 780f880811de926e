public import Foundation
public import TVEModels
import TVETokenCodec

/// A piece of metadata about a viewer or this device.
public struct Metadata: Sendable, Hashable, Redacting {
    /// The value.
    ///
    /// Dates are strings in the format of the tokens.
    public var value: MetadataValue
    /// A Boolean value that indicates whether the value is encrypted for the programmer's key.
    ///
    /// An encrypted value is a string, whatever its type was.
    public var isEncrypted: Bool

    /// Creates a piece of metadata.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - isEncrypted: a Boolean value that indicates whether the value is encrypted for the programmer's key.
    public init(value: MetadataValue, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
    }

    /// The date that the value represents, for ``MetadataKey/authenticationExpiry`` and
    /// ``MetadataKey/authorizationExpiry(_:)``.
    ///
    /// The date is `nil` for values that are not dates in the format of the tokens.
    public var date: Date? {
        guard !isEncrypted, let text = value.stringValue else { return nil }
        return TokenDateFormat.entitlement.parse(text)?.date
    }

    /// A description that contains the kind of value but not the value.
    public var redactedDescription: String { isEncrypted ? "Metadata(encrypted)" : "Metadata" }
}

/// The key of a piece of metadata about a viewer or this device (API reference, `getMetadata`).
public enum MetadataKey: Sendable, Hashable {
    /// The time at which the login expires.
    case authenticationExpiry
    /// The time at which the stored permission for a resource expires.
    case authorizationExpiry(Resource)
    /// The device id, 64 lowercase hexadecimal characters.
    case deviceID
    /// A value from the TV provider, by its name, for example `zip`, `householdID` or `maxRating`.
    case user(String)
}
