public import TVEModels

/// Whether the viewer is logged in.
public enum AuthenticationStatus: Sendable, Equatable {
    /// The viewer is logged in, with this profile.
    case authenticated(Profile)
    /// The viewer is not logged in, for this reason.
    case notAuthenticated(TVEError)

    init(_ outcome: Result<Profile, TVEError>) {
        self =
            switch outcome {
            case .success(let profile): .authenticated(profile)
            case .failure(let error): .notAuthenticated(error)
            }
    }
}
