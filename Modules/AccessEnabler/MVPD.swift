public import Foundation
public import TVEModels

/// A TV provider as delegates see it (API reference, class `MVPD`).
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
    /// Where the logo is.
    public let logoURL: String!
    /// Whether the platform's own sign-on is on for this provider.
    public let enablePlatformServices: Bool
    /// How far the platform's sign-on supports the provider: `SUPPORTED`, `PICKER` or nil.
    public let boardingStatus: String!
    /// The service that supplied this entry.
    public let spUrl: String!
    /// Whether each requestor needs a login of its own.
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

    /// Makes a provider, for tests of an app.
    ///
    /// - Parameters:
    ///   - id: the MVPD id.
    ///   - displayName: the name to show in a picker.
    ///   - logoURL: where the logo is.
    ///   - tempPass: whether this is a TempPass.
    public convenience init(id: String, displayName: String, logoURL: String, tempPass: Bool = false) {
        var provider = TVProvider(id: MVPDID(id), displayName: displayName, logoURL: logoURL)
        provider.isTempPass = tempPass
        self.init(provider)
    }

    /// Makes a provider from a configuration's entry.
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

    /// Id and name.
    public override var description: String { "MVPD(\(id ?? ""), \(displayName ?? ""))" }

    /// The same as ``description``.
    ///
    /// - Returns: id and name.
    public func toString() -> String { description }

    /// Whether the other object is a provider with the same id.
    ///
    /// - Parameter object: the other object.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MVPD else { return false }
        return MVPDID(id) == MVPDID(other.id)
    }

    /// The hash of the id's bytes.
    public override var hash: Int { MVPDID(id).hashValue }
}
