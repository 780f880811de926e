public import TVEModels

/// The service's answer when the viewer may watch a resource.
public struct AuthorizationAnswer: Sendable {
    /// The permission.
    public var token: AuthorizationToken
    /// The media token for one playback, if the answer has one; nil when it must be fetched.
    public var mediaToken: MediaToken?
    /// Newer metadata, if any.
    public var metadata: UserMetadata?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - token: the permission.
    ///   - mediaToken: the media token, if the answer has one.
    ///   - metadata: newer metadata, if any.
    public init(token: AuthorizationToken, mediaToken: MediaToken? = nil, metadata: UserMetadata? = nil) {
        self.token = token
        self.mediaToken = mediaToken
        self.metadata = metadata
    }
}
