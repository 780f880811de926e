public import TVEModels

/// The credentials an application received for its software statement, and its current access token.
public struct RegisteredApplication: Sendable, Hashable, Codable, Redacting {
    /// The client id.
    @BytewiseEqual public private(set) var clientID: String
    /// The client secret.
    @BytewiseEqual public private(set) var clientSecret: String
    /// What the application may do, as the service said when it registered; nil if that is not known.
    public var scopes: [String]?
    /// The redirects that are registered for the application; nil if that is not known.
    public var redirectURLs: [String]?
    /// The newest access token, if there is one.
    public var accessToken: AccessToken?

    /// The wire dialect of the application; nil if its scopes are not known.
    ///
    /// REST API v2 needs the scope `api:client:v2` (REST API v2, 2).
    public var dialect: ServiceDialect? { scopes.map { $0.contains("api:client:v2") ? .restV2 : .classic } }

    /// Makes credentials.
    ///
    /// - Parameters:
    ///   - clientID: the client id.
    ///   - clientSecret: the client secret.
    ///   - scopes: what the application may do.
    ///   - redirectURLs: the redirects that are registered for it.
    ///   - accessToken: the newest access token, if there is one.
    public init(
        clientID: String, clientSecret: String, scopes: [String]? = nil, redirectURLs: [String]? = nil,
        accessToken: AccessToken? = nil
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
        self.redirectURLs = redirectURLs
        self.accessToken = accessToken
    }

    /// The kind of value, and nothing else.
    public var redactedDescription: String { "RegisteredApplication" }
}
