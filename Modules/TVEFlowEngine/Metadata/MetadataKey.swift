public import TVEModels

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
