public import TVEModels

/// Whether the viewer is logged in.
public enum AuthenticationStatus: Sendable, Equatable {
    /// The viewer is logged in, with this profile.
    case authenticated(Profile)
    /// The viewer is not logged in, for this reason.
    case notAuthenticated(TVEError)
    /// Nobody can tell: the store cannot be read, or the session is not started, perhaps because the service could not be
    /// reached. A login may be stored, so this is no reason to offer one; the error's `recovery` says what to do.
    case unknown(TVEError)

    init(_ outcome: Result<Profile, TVEError>) {
        self =
            switch outcome {
            case .success(let profile): .authenticated(profile)
            case .failure(let error): AuthenticationStatus(error)
            }
    }

    /// What a failed question or login says about the viewer.
    package init(_ error: TVEError) {
        self =
            switch error.code {
            case .requestorNotConfigured, .storageFailed: .unknown(error)
            default: .notAuthenticated(error)
            }
    }
}
