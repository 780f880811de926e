public import Foundation
public import TVEModels
import TVETokenCodec

/// The answer to a question about a viewer or this device.
public struct Metadata: Sendable, Hashable, Redacting {
    /// The value; dates are strings in the form of the tokens.
    public var value: MetadataValue
    /// Whether the value is encrypted for the programmer's key; then it is a string, whatever its type was.
    public var isEncrypted: Bool

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - isEncrypted: whether the value is encrypted for the programmer's key.
    public init(value: MetadataValue, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
    }

    /// The instant that the value names: for ``MetadataKey/authenticationExpiry`` and ``MetadataKey/authorizationExpiry(_:)``, nil for
    /// values that are no date of the tokens' form.
    public var date: Date? {
        guard !isEncrypted, let text = value.stringValue else { return nil }
        return TokenDateFormat.entitlement.parse(text)?.date
    }

    /// The kind of value, not the value.
    public var redactedDescription: String { isEncrypted ? "Metadata(encrypted)" : "Metadata" }
}

/// What to ask about a viewer or this device (API reference, `getMetadata`).
public enum MetadataKey: Sendable, Hashable {
    /// When the login expires.
    case authenticationExpiry
    /// When the stored permission for a resource expires.
    case authorizationExpiry(Resource)
    /// The device id, 64 lowercase hexadecimal characters.
    case deviceID
    /// A value from the TV provider, by its name: `zip`, `householdID`, `maxRating`, …
    case user(String)
}
