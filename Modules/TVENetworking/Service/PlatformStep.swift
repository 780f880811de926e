import TVEModels

/// The next step of a login with the platform's account.
public enum PlatformStep: Sendable {
    /// The platform must answer this opaque request, with these attributes if there are any.
    case ask(request: String, attributeNames: [String])
    /// The service needs no answer: the viewer is logged in.
    case loggedIn(AuthenticationAnswer)
}
