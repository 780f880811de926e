/// What an app asked about the TV provider account.
public struct TVAccountQuestion: Sendable, Hashable {
    /// `channelIdentifier`.
    public var channel: String?
    /// `supportedAccountProviderIdentifiers`.
    public var supported: [String]
    /// `featuredAccountProviderIdentifiers`.
    public var featured: [String]
    /// `verificationToken`.
    public var verificationToken: String?
    /// `attributeNames`.
    public var attributes: [String]
    /// `isInterruptionAllowed`.
    public var mayInterrupt: Bool

    /// `forceAuthentication`.
    public var isForced: Bool
    /// The ids of `applicationAccountProviders`, nil for none.
    public var ownProviders: [String]?

    /// Makes a question.
    public init(
        channel: String?, supported: [String], featured: [String], verificationToken: String?, attributes: [String],
        mayInterrupt: Bool, isForced: Bool = false, ownProviders: [String]? = nil
    ) {
        self.isForced = isForced
        self.ownProviders = ownProviders
        self.channel = channel
        self.supported = supported
        self.featured = featured
        self.verificationToken = verificationToken
        self.attributes = attributes
        self.mayInterrupt = mayInterrupt
    }
}
