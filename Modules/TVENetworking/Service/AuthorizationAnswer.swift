public import TVEModels

/// What the service answers when the viewer may watch a resource.
public struct AuthorizationAnswer: Sendable {
    /// The permission.
    public var token: AuthorizationToken
    /// A media token that came along, for one play; nil when it must be fetched.
    public var mediaToken: MediaToken?
    /// Newer metadata, if any.
    public var metadata: UserMetadata?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - token: the permission.
    ///   - mediaToken: a media token that came along.
    ///   - metadata: newer metadata, if any.
    public init(token: AuthorizationToken, mediaToken: MediaToken? = nil, metadata: UserMetadata? = nil) {
        self.token = token
        self.mediaToken = mediaToken
        self.metadata = metadata
    }
}
