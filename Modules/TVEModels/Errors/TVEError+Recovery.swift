extension TVEError {
    /// The recommended reaction to an error.
    ///
    /// Its description is a sentence for a developer; ``viewerSentence`` is one for the viewer.
    public enum Recovery: Sendable, Hashable, CustomStringConvertible {
        /// The same call fails again. Inform the viewer.
        ///
        /// The text for the viewer says what helps, if anything does, such as a new code from the other device.
        case none
        /// The same call may succeed later.
        case retry
        /// The viewer must log in.
        case logIn
        /// The viewer must choose a TV provider.
        case chooseProvider
        /// The app's configuration is wrong: the statement, the requestor, a resource or the network.
        case fixConfiguration
        /// A newer version of the app is needed.
        case updateApplication
        /// Disk space, permissions or the storage backend need attention.
        case checkStorage

        /// The recommendation as a sentence, in English.
        public var description: String {
            switch self {
            case .none: "The same call fails again; show the viewer the `localizedDescription`."
            case .retry: "The same call may succeed later."
            case .logIn: "The viewer must log in."
            case .chooseProvider: "The viewer must choose a TV provider."
            case .fixConfiguration: "The set-up of the app is wrong: statement, requestor, resource or network."
            case .updateApplication: "A newer version of the app is needed."
            case .checkStorage: "Disk space, permissions or the storage backend need attention."
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
