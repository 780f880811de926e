extension TVEError {
    /// The recommended reaction to an error.
    ///
    /// Its description is a sentence for a developer; ``viewerSentence`` is one for the viewer.
    public enum Recovery: Sendable, Hashable, CustomStringConvertible {
        /// The same call fails again, so inform the viewer.
        ///
        /// The text for the viewer says what helps, if anything does, such as a new code from the other device.
        case none
        /// The same call may succeed later.
        case retry
        /// The viewer must log in.
        case logIn
        /// The viewer must choose a TV provider.
        case chooseProvider
        /// The app's configuration is wrong: the statement, the requestor, the redirect, a resource or the network.
        case fixConfiguration
        /// A newer version of the app is needed.
        case updateApplication
        /// Disk space, permissions or the storage backend need attention.
        case checkStorage

        /// The recommendation as a sentence, in English.
        public var description: String {
            switch self {
            case .none: "The same call fails again; show the viewer the `localizedDescription`."
            case .retry: "Try the same call again later."
            case .logIn: "Let the viewer log in."
            case .chooseProvider: "Let the viewer choose a TV provider."
            case .fixConfiguration: "Correct the app's set-up: its statement, requestor, redirect, resource or network."
            case .updateApplication: "Offer the viewer a newer version of the app."
            case .checkStorage: "Check the disk space, the permissions and the storage backend."
            }
        }
    }
}

extension TVEError.Code {
    /// The usual recommendation for the code.
    var recovery: TVEError.Recovery {
        switch self {
        case .serviceUnreachable, .serviceFailed, .throttled, .authorizationFailed,
            .preauthorizationFailed:
            .retry
        case .notAuthenticated, .deviceMismatch, .authenticationFailed: .logIn
        case .providerNotSelected, .unknownProvider, .temporaryAccessExpired: .chooseProvider
        case .applicationNotRegistered, .redirectNotRegistered, .accessTokenUnavailable, .unknownRequestor,
            .requestorNotConfigured,
            .connectionNotTrusted, .invalidResource, .tooManyResources, .viewerIdentityMissing, .householdNotOffered:
            .fixConfiguration
        case .clientTooOld: .updateApplication
        case .storageFailed: .checkStorage
        default: .none
        }
    }
}
