public import TVEModels

/// The service's answer for a viewer who may watch a resource.
public struct AuthorizationAnswer: Sendable {
    /// The permission.
    public var token: AuthorizationToken
    /// The media token for one playback, or nil if it must be requested separately.
    public var mediaToken: MediaToken?
    /// Newer metadata, if the answer contains any.
    public var metadata: UserMetadata?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - token: the permission.
    ///   - mediaToken: the media token, if the answer contains one.
    ///   - metadata: newer metadata, if the answer contains any.
    public init(token: AuthorizationToken, mediaToken: MediaToken? = nil, metadata: UserMetadata? = nil) {
        self.token = token
        self.mediaToken = mediaToken
        self.metadata = metadata
    }
}
