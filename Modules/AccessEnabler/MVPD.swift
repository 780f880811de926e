public import Foundation
public import TVEModels

/// A TV provider, as delegates receive it (API reference, class `MVPD`).
///
/// Two providers are equal when their ids have the same UTF-8 bytes, even if a later configuration describes one of
/// them differently.
#if canImport(ObjectiveC)
@objc(MVPD)
@objcMembers
#endif
public final class MVPD: NSObject, Sendable {
    /// The MVPD id, for `setSelectedProvider(_:)`.
    #if canImport(ObjectiveC)
    @objc(ID)
    #endif
    public let id: String!
    /// The name to show in a picker.
    public let displayName: String!
    /// The URL of the logo.
    public let logoURL: String!
    /// A Boolean value that indicates whether the platform's own sign-on is enabled for this provider.
    public let enablePlatformServices: Bool
    /// The platform's level of support for the provider in its sign-on: `SUPPORTED`, `PICKER` or nil.
    public let boardingStatus: String!
    /// The service that supplied this entry.
    public let spUrl: String!
    /// A Boolean value that indicates whether each requestor needs a login of its own.
    public let hasAuthNPerRequestor: Bool
    /// A Boolean value that indicates whether a silent login may be attempted with a provider that authenticates per
    /// requestor.
    public let passiveAuthnEnabled: Bool
    /// A Boolean value that indicates whether this is a TempPass.
    public let tempPass: Bool
    /// A Boolean value that indicates whether the platform's picker shows the provider.
    public let displayInPlatformPicker: Bool
    /// The provider's id on the platform.
    public let platformMappingId: String!
    /// The attributes to request from the platform's sign-on.
    public let requiredMetadataFields: [String]

    /// Creates a provider, for tests of an app.
    ///
    /// - Parameters:
    ///   - id: the MVPD id.
    ///   - displayName: the name to show in a picker.
    ///   - logoURL: the URL of the logo.
    ///   - tempPass: a Boolean value that indicates whether this is a TempPass.
    public convenience init(id: String, displayName: String, logoURL: String, tempPass: Bool = false) {
        var provider = TVProvider(id: MVPDID(id), displayName: displayName, logoURL: logoURL)
        provider.isTempPass = tempPass
        self.init(provider)
    }

    /// Creates a provider from a configuration's entry.
    ///
    /// - Parameter provider: the configuration's entry.
    public init(_ provider: TVProvider) {
        id = provider.id.text
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
        super.init()
    }

    /// The id and the name.
    public override var description: String { "MVPD(\(id ?? ""), \(displayName ?? ""))" }

    /// Returns the same text as ``description``.
    ///
    /// - Returns: the id and the name.
    public func toString() -> String { description }

    /// Returns a Boolean value that indicates whether the other object is a provider with the same id.
    ///
    /// - Parameter object: the other object.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MVPD else { return false }
        return MVPDID(id) == MVPDID(other.id)
    }

    /// The hash of the id's bytes.
    public override var hash: Int { MVPDID(id).hashValue }
}
