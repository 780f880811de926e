import TVEModels

/// What comes next when the viewer is to log in with the platform's account.
public enum PlatformStep: Sendable {
    /// The platform is to answer this opaque request, with these attributes if any are named.
    case ask(request: String, attributeNames: [String])
    /// The service needs no answer: the viewer is logged in.
    case loggedIn(AuthenticationAnswer)
}
