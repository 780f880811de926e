public import TVEModels

/// Whether somebody is logged in.
public enum AuthenticationStatus: Sendable, Equatable {
    /// This viewer is.
    case authenticated(Profile)
    /// Nobody is, for this reason.
    case notAuthenticated(TVEError)
}
