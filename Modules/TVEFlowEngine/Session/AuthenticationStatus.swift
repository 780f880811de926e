public import TVEModels

/// The authentication status of the viewer.
public enum AuthenticationStatus: Sendable, Equatable {
    /// The viewer is logged in, with this profile.
    case authenticated(Profile)
    /// The viewer is not logged in, for the reason that the error states.
    case notAuthenticated(TVEError)
    /// The status cannot be determined, because the store cannot be read or the session is not started.
    ///
    /// A session is also not started if its service could not be reached. A login may be stored, so do not offer one;
    /// the error's `recovery` describes what to do.
    case unknown(TVEError)

    /// Creates the status that a failed request or login implies.
    package init(_ error: TVEError) {
        self =
            switch error.code {
            case .requestorNotConfigured, .storageFailed: .unknown(error)
            default: .notAuthenticated(error)
            }
    }
}
