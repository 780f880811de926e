import TVEModels

/// A TV provider as delegates get to see it (API reference, class `MVPD`).
public final class MVPD: Sendable, CustomStringConvertible {
    /// The MVPD id, for `setSelectedProvider(_:)`.
    public let id: String!
    /// The name to show in a picker.
    public let displayName: String!
    /// Where the logo is.
    public let logoURL: String!
    /// Whether the platform's own sign-on is on for this provider.
    public let enablePlatformServices: Bool
    /// How far the platform's sign-on supports the provider: `SUPPORTED`, `PICKER` or nil.
    public let boardingStatus: String!
    /// The service that supplied this entry.
    public let spUrl: String!
    /// Whether a login for one requestor does not count for another.
    public let hasAuthNPerRequestor: Bool
    /// Whether a silent login may be tried for a provider that authenticates per requestor.
    public let passiveAuthnEnabled: Bool
    /// Whether this is a TempPass.
    public let tempPass: Bool
    /// Whether the platform's picker shows the provider.
    public let displayInPlatformPicker: Bool
    /// The provider's id on the platform.
    public let platformMappingId: String!
    /// Attributes to ask of the platform's sign-on.
    public let requiredMetadataFields: [String]

    init(_ provider: TVProvider) {
        id = provider.id
        displayName = provider.displayName
        logoURL = provider.logoURL
        enablePlatformServices = provider.allowsPlatformSignOn
        boardingStatus = provider.boardingStatus
        spUrl = provider.serviceProvider
        hasAuthNPerRequestor = provider.authenticatesPerRequestor
        passiveAuthnEnabled = provider.allowsPassiveAuthentication
        tempPass = provider.isTempPass
        displayInPlatformPicker = provider.isShownInPlatformPicker
        platformMappingId = provider.platformMappingID
        requiredMetadataFields = provider.requiredMetadataFields
    }

    /// Id and name.
    public var description: String { "MVPD(\(id ?? ""), \(displayName ?? ""))" }

    /// The same as ``description``.
    ///
    /// - Returns: id and name.
    public func toString() -> String { description }
}
