public import TVEModels

/// What the service answers when the viewer is logged in.
public struct AuthenticationAnswer: Sendable {
    /// The login: a token of the service, or the copy of a login that the service keeps.
    public var token: AuthenticationToken
    /// What the TV provider tells about the viewer, if it tells anything.
    public var metadata: UserMetadata?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - token: the login.
    ///   - metadata: what the TV provider tells about the viewer.
    public init(token: AuthenticationToken, metadata: UserMetadata? = nil) {
        self.token = token
        self.metadata = metadata
    }
}
