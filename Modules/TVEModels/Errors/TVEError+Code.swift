extension TVEError {
    /// What failed.
    ///
    /// Codes carry no payload, and later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable name for logs.
        public let rawValue: String

        /// Wraps a name.
        ///
        /// - Parameter rawValue: a stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The software statement is not accepted.
        public static let applicationNotRegistered = Code(rawValue: "applicationNotRegistered")
        /// The application is registered but gets no access token.
        public static let accessTokenUnavailable = Code(rawValue: "accessTokenUnavailable")
        /// The service does not know the requestor.
        public static let unknownRequestor = Code(rawValue: "unknownRequestor")
        /// The session was not started, or starting it failed.
        public static let requestorNotConfigured = Code(rawValue: "requestorNotConfigured")
        /// The service cannot be reached.
        public static let serviceUnreachable = Code(rawValue: "serviceUnreachable")
        /// The connection cannot be trusted.
        public static let connectionNotTrusted = Code(rawValue: "connectionNotTrusted")
        /// The service answered with a failure or with an unreadable answer.
        public static let serviceFailed = Code(rawValue: "serviceFailed")
        /// The service does not support a client this old.
        public static let clientTooOld = Code(rawValue: "clientTooOld")
        /// Too many requests.
        public static let throttled = Code(rawValue: "throttled")
        /// The viewer chose no TV provider, or left the login page.
        public static let providerNotSelected = Code(rawValue: "providerNotSelected")
        /// The requestor has no such TV provider.
        public static let unknownProvider = Code(rawValue: "unknownProvider")
        /// The login did not succeed.
        public static let authenticationFailed = Code(rawValue: "authenticationFailed")
        /// A token belongs to another device.
        public static let deviceMismatch = Code(rawValue: "deviceMismatch")
        /// The viewer is not logged in.
        public static let notAuthenticated = Code(rawValue: "notAuthenticated")
        /// The TV provider does not allow this viewer this resource.
        public static let notAuthorized = Code(rawValue: "notAuthorized")
        /// The resource is empty or malformed.
        public static let invalidResource = Code(rawValue: "invalidResource")
        /// Authorization failed for another reason than the provider's denial.
        public static let authorizationFailed = Code(rawValue: "authorizationFailed")
        /// The TempPass has expired.
        public static let temporaryAccessExpired = Code(rawValue: "temporaryAccessExpired")
        /// More resources were asked about at once than the TV provider answers.
        public static let tooManyResources = Code(rawValue: "tooManyResources")
        /// Preauthorization failed for another reason.
        public static let preauthorizationFailed = Code(rawValue: "preauthorizationFailed")
        /// Storage could not be read or written.
        public static let storageFailed = Code(rawValue: "storageFailed")

        var recovery: Recovery {
            switch self {
            case .serviceUnreachable, .serviceFailed, .throttled, .authorizationFailed,
                .preauthorizationFailed:
                .retry
            case .notAuthenticated, .deviceMismatch, .authenticationFailed: .signInAgain
            case .providerNotSelected, .unknownProvider, .temporaryAccessExpired: .chooseProvider
            case .applicationNotRegistered, .accessTokenUnavailable, .unknownRequestor, .requestorNotConfigured,
                .connectionNotTrusted, .invalidResource, .tooManyResources:
                .fixConfiguration
            case .clientTooOld: .updateApplication
            case .storageFailed: .checkStorage
            default: .none
            }
        }
    }

    /// What to do about an error.
    public enum Recovery: Sendable, Hashable {
        /// Nothing helps; tell the viewer.
        case none
        /// The same call may succeed later.
        case retry
        /// The viewer must log in again.
        case signInAgain
        /// The viewer must choose a TV provider.
        case chooseProvider
        /// The app's set-up is wrong: statement, requestor, resource or network.
        case fixConfiguration
        /// A newer version of the app is needed.
        case updateApplication
        /// Disk space, permissions or the storage backend need attention.
        case checkStorage
    }
}
