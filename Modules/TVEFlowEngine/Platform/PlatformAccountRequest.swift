/// What to ask the platform about the viewer's account.
public struct PlatformAccountRequest: Sendable, Hashable {
    /// The platform's ids of the providers that may be chosen, in the order in which to show them.
    public var supportedProviderIDs: [String]
    /// The ids to show first.
    public var featuredProviderIDs: [String]
    /// Whether the system may show its picker or login.
    public var mayInterrupt: Bool
    /// The entity id of the service provider that asks.
    public var channelID: String
    /// The service's request to the provider; nil asks for the provider alone.
    public var samlRequest: String?
    /// Names of the attributes to request from the provider.
    public var attributeNames: [String]

    /// The production service's entity id (sign-on notes of the reference).
    public static let productionChannelID = "https://saml.sp.auth.adobe.com"

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - supportedProviderIDs: the platform's ids of the providers that may be chosen.
    ///   - featuredProviderIDs: the ids to show first.
    ///   - mayInterrupt: whether the system may show its picker or login.
    ///   - channelID: the entity id of the service provider.
    ///   - samlRequest: the service's request to the provider; nil asks for the provider alone.
    ///   - attributeNames: names of the attributes to request from the provider.
    public init(
        supportedProviderIDs: [String], featuredProviderIDs: [String] = [], mayInterrupt: Bool,
        channelID: String = Self.productionChannelID, samlRequest: String? = nil, attributeNames: [String] = []
    ) {
        self.supportedProviderIDs = supportedProviderIDs
        self.featuredProviderIDs = featuredProviderIDs
        self.mayInterrupt = mayInterrupt
        self.channelID = channelID
        self.samlRequest = samlRequest
        self.attributeNames = attributeNames
    }
}
