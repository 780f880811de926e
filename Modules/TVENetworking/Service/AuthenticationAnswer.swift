public import TVEModels

/// The service's answer when the viewer is logged in.
public struct AuthenticationAnswer: Sendable {
    /// The login: a token of the service, or the copy of a login that the service keeps.
    public var token: AuthenticationToken
    /// The TV provider's data about the viewer, if there is any.
    public var metadata: UserMetadata?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - token: the login.
    ///   - metadata: the TV provider's data about the viewer.
    public init(token: AuthenticationToken, metadata: UserMetadata? = nil) {
        self.token = token
        self.metadata = metadata
    }
}
