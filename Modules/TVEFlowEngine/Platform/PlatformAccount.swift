public import Foundation
public import TVEModels

/// What the platform says about the viewer's account with a TV provider.
public struct PlatformAccount: Sendable, Hashable, Redacting {
    /// The platform's id of the provider (`TVProvider.platformMappingID`).
    public var providerID: String
    /// When the provider's login at the platform runs out, if known.
    public var expires: Date?
    /// The provider's SAML answer, when one was asked for.
    public var samlResponse: String?

    /// Describes an account.
    ///
    /// - Parameters:
    ///   - providerID: the platform's id of the provider.
    ///   - expires: when the provider's login at the platform runs out.
    ///   - samlResponse: the provider's SAML answer.
    public init(providerID: String, expires: Date? = nil, samlResponse: String? = nil) {
        self.providerID = providerID
        self.expires = expires
        self.samlResponse = samlResponse
    }

    /// The provider, not the answer.
    public var redactedDescription: String { "PlatformAccount(\(providerID))" }
}
