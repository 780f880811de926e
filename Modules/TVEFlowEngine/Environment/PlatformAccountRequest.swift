public import TVEModels

/// A request to the platform for the viewer's account.
public struct PlatformAccountRequest: Sendable, Hashable {
    /// The providers that the viewer can choose, in display order.
    public var supportedProviderIDs: PlatformProviderIDs
    /// The providers to display first.
    public var featuredProviderIDs: [String]
    /// Additional providers that the picker lists although the platform cannot log in with them.
    ///
    /// If the viewer chooses one, the request fails with ``PlatformSignOnError/unsupportedProvider(id:)`` and the
    /// provider's MVPD id.
    public var otherProviders: [TVProvider] = []
    /// A Boolean value that indicates whether the system may present its picker or login.
    public var mayInterrupt: Bool
    /// A Boolean value that indicates whether the system must ignore a login that it remembers and authenticate the
    /// viewer again.
    public var isForced = false
    /// The SAML id of the service that sends the request; see `ServiceEnvironment`.
    public var channelID: String
    /// The service's SAML request to the provider.
    ///
    /// Pass `nil` to request only the identity of the provider.
    public var samlRequest: String?
    /// The names of the attributes to request from the provider.
    public var attributeNames: [String]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - supportedProviderIDs: the providers that the viewer can choose, in display order.
    ///   - featuredProviderIDs: the providers to display first.
    ///   - mayInterrupt: a Boolean value that indicates whether the system may present its picker or login.
    ///   - channelID: the SAML id of the service that sends the request.
    ///   - samlRequest: the service's SAML request to the provider. Pass `nil` to request only the identity of the
    ///     provider.
    ///   - attributeNames: the names of the attributes to request from the provider.
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

/// The platform's ids of the providers that the viewer can choose, in display order.
///
/// The list has at least one element.
///
/// Apple's framework interprets an empty list as all providers (VSAccountMetadataRequest.h), and no requestor works
/// with all of them.
public struct PlatformProviderIDs: Sendable, Hashable {
    /// The ids.
    public let all: [String]

    /// Creates a list of one provider.
    ///
    /// - Parameter id: the platform's id of the provider.
    public init(_ id: String) {
        all = [id]
    }

    /// Creates a list.
    ///
    /// - Parameter ids: the platform's ids of the providers.
    /// - Returns: `nil` if `ids` is empty.
    public init?(_ ids: [String]) {
        guard !ids.isEmpty else { return nil }
        all = ids
    }
}
