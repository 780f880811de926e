/// An advanced status code as the `status` callback reports it (error reporting reference).
public struct StatusCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code, for example `CFG404`.
    public let rawValue: String

    /// Wraps a code.
    ///
    /// - Parameter rawValue: the code, for example `CFG404`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code.
    public var description: String { rawValue }

    /// How grave a status is.
    public enum Level: String, Sendable {
        /// Nothing is wrong.
        case info
        /// The flow goes on, but something deserves attention.
        case warning
        /// The flow failed.
        case error
    }

    /// The documented level of the code: `error` for codes that are not in the table.
    public var level: Level {
        switch self {
        case .notAuthenticated, .providerSelectionCancelled: .info
        case .clockSkew, .deviceMismatch: .warning
        default: .error
        }
    }

    /// Internal error.
    public static let internalError = StatusCode(rawValue: "500")
    /// The device's clock or time zone is wrong.
    public static let clockSkew = StatusCode(rawValue: "CFG100")
    /// Unknown or empty requestor id.
    public static let unknownRequestor = StatusCode(rawValue: "CFG400")
    /// The service cannot be found or reached.
    public static let serviceNotFound = StatusCode(rawValue: "CFG404")
    /// The service no longer talks to a client this old.
    public static let clientTooOld = StatusCode(rawValue: "CFG410")
    /// Too many requests during start-up.
    public static let throttledAtStart = StatusCode(rawValue: "CFG429")
    /// Not authenticated.
    public static let notAuthenticated = StatusCode(rawValue: "N000")
    /// The viewer closed the provider picker.
    public static let providerSelectionCancelled = StatusCode(rawValue: "N005")
    /// No AuthN token on the session.
    public static let noTokenOnSession = StatusCode(rawValue: "N130")
    /// Internal authentication error.
    public static let authenticationFailed = StatusCode(rawValue: "N500")
    /// The application is not registered, or its statement is invalid or revoked.
    public static let applicationNotRegistered = StatusCode(rawValue: "R400")
    /// No access token could be had.
    public static let accessTokenUnavailable = StatusCode(rawValue: "R401")
    /// No registration code could be had.
    public static let registrationCodeUnavailable = StatusCode(rawValue: "REG500")
    /// A token belongs to another device; the tokens were dropped.
    public static let deviceMismatch = StatusCode(rawValue: "SEC412")
    /// The connection cannot be trusted.
    public static let connectionNotTrusted = StatusCode(rawValue: "SEC420")
    /// Denied by the TV provider.
    public static let denied = StatusCode(rawValue: "Z100")
    /// The resource is empty or malformed.
    public static let invalidResource = StatusCode(rawValue: "Z130")
    /// Internal authorization error.
    public static let authorizationFailed = StatusCode(rawValue: "Z500")

    /// The code for an HTTP 5xx answer during start-up: `CFG` and the status.
    ///
    /// - Parameter status: an HTTP status from 500 to 599; others count as 500.
    /// - Returns: for example `CFG503`.
    public static func serviceFailedAtStart(_ status: Int) -> StatusCode {
        StatusCode(rawValue: "CFG\((500...599).contains(status) ? status : 500)")
    }
}
