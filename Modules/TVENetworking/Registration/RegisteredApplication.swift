public import TVEModels

/// The credentials an application received for its software statement, and its current access token.
public struct RegisteredApplication: Sendable, Hashable, Codable, Redacting {
    /// The client id.
    @BytewiseEqual public private(set) var clientID: String
    /// The client secret.
    @BytewiseEqual public private(set) var clientSecret: String
    /// The newest access token, if there is one.
    public var accessToken: AccessToken?

    /// Makes credentials.
    ///
    /// - Parameters:
    ///   - clientID: the client id.
    ///   - clientSecret: the client secret.
    ///   - accessToken: the newest access token, if there is one.
    public init(clientID: String, clientSecret: String, accessToken: AccessToken? = nil) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.accessToken = accessToken
    }

    /// The kind of value, and nothing else.
    public var redactedDescription: String { "RegisteredApplication" }
}
