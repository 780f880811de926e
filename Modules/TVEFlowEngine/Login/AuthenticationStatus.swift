public import TVEModels

/// Whether somebody is logged in.
public enum AuthenticationStatus: Sendable, Equatable {
    /// This viewer is.
    case authenticated(Profile)
    /// Nobody is, for this reason.
    case notAuthenticated(TVEError)

    init(_ outcome: Result<Profile, TVEError>) {
        self =
            switch outcome {
            case .success(let profile): .authenticated(profile)
            case .failure(let error): .notAuthenticated(error)
            }
    }
}
