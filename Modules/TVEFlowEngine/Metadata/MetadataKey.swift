public import TVEModels

/// What to ask about a viewer or this device (API reference, `getMetadata`).
public enum MetadataKey: Sendable, Hashable {
    /// When the login runs out.
    case authenticationExpiry
    /// When the kept permission for a resource runs out.
    case authorizationExpiry(Resource)
    /// The device id, 64 lowercase hexadecimal characters.
    case deviceID
    /// A value that the TV provider tells, by its name: `zip`, `householdID`, `maxRating`, …
    case user(String)
}
