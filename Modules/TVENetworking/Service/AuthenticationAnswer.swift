public import TVEModels

/// The service's answer for a viewer who is logged in.
public struct AuthenticationAnswer: Sendable {
    /// The login, which is a token of the service or the copy of a login that the service stores.
    public var token: AuthenticationToken
    /// The TV provider's metadata about the viewer, if there is any.
    public var metadata: UserMetadata?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - token: the login.
    ///   - metadata: the TV provider's metadata about the viewer.
    public init(token: AuthenticationToken, metadata: UserMetadata? = nil) {
        self.token = token
        self.metadata = metadata
    }
}

extension UserMetadata {
    /// A Boolean value that indicates whether the metadata came with a login from the platform's sign-on.
    package var isFromPlatform: Bool { data["tokenSource"] == .string("Apple") }
}
