public import TVEModels

/// What to ask the platform about the viewer's account.
public struct PlatformAccountRequest: Sendable, Hashable {
    /// The providers that may be chosen, in the order in which to show them.
    public var supportedProviderIDs: PlatformProviderIDs
    /// The ids to show first.
    public var featuredProviderIDs: [String]
    /// Providers that the picker lists besides, of which the platform knows nothing; if the viewer chooses one, the
    /// request fails with ``PlatformSignOnError/unsupportedProvider(id:)`` and its MVPD id.
    public var otherProviders: [TVProvider] = []
    /// Whether the system may show its picker or login.
    public var mayInterrupt: Bool
    /// Whether a login that the system remembers must not count: the viewer authenticates anew.
    public var isForced = false
    /// The SAML id of the service that asks; see `ServiceEnvironment`.
    public var channelID: String
    /// The service's request to the provider; nil asks for the provider alone.
    public var samlRequest: String?
    /// Names of the attributes to request from the provider.
    public var attributeNames: [String]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - supportedProviderIDs: the providers that may be chosen.
    ///   - featuredProviderIDs: the ids to show first.
    ///   - mayInterrupt: whether the system may show its picker or login.
    ///   - channelID: the SAML id of the service that asks.
    ///   - samlRequest: the service's request to the provider; nil asks for the provider alone.
    ///   - attributeNames: names of the attributes to request from the provider.
    public init(
        supportedProviderIDs: PlatformProviderIDs, featuredProviderIDs: [String] = [], mayInterrupt: Bool,
        channelID: String, samlRequest: String? = nil, attributeNames: [String] = []
    ) {
        self.supportedProviderIDs = supportedProviderIDs
        self.featuredProviderIDs = featuredProviderIDs
        self.mayInterrupt = mayInterrupt
        self.channelID = channelID
        self.samlRequest = samlRequest
        self.attributeNames = attributeNames
    }
}

/// The platform's ids of the providers that may be chosen, in the order in which to show them: at least one.
///
/// To Apple's framework an empty list means all providers (VSAccountMetadataRequest.h), which no requestor works with.
public struct PlatformProviderIDs: Sendable, Hashable {
    /// The ids.
    public let all: [String]

    /// Makes a list of one provider.
    ///
    /// - Parameter id: the platform's id of the provider.
    public init(_ id: String) {
        all = [id]
    }

    /// Makes a list.
    ///
    /// - Parameter ids: the platform's ids of the providers.
    /// - Returns: nil when there is none.
    public init?(_ ids: [String]) {
        guard !ids.isEmpty else { return nil }
        all = ids
    }
}
