public import Foundation
public import TVEModels

/// The viewer's account with a TV provider, as the platform knows it.
public struct PlatformAccount: Sendable, Hashable, Redacting {
    /// The platform's id of the provider (`TVProvider.platformMappingID`).
    public var providerID: String
    /// The time at which the provider's login at the platform expires, if known.
    public var expires: Date?
    /// The provider's SAML response, if it was requested.
    public var samlResponse: String?

    /// Creates an account description.
    ///
    /// - Parameters:
    ///   - providerID: the platform's id of the provider.
    ///   - expires: the time at which the provider's login at the platform expires.
    ///   - samlResponse: the provider's SAML response.
    public init(providerID: String, expires: Date? = nil, samlResponse: String? = nil) {
        self.providerID = providerID
        self.expires = expires
        self.samlResponse = samlResponse
    }

    /// A description with the provider and without the SAML response.
    public var redactedDescription: String { "PlatformAccount(\(providerID))" }
}
