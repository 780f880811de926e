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

    /// The severity of a status.
    public enum Level: String, Sendable {
        /// Nothing is wrong.
        case info
        /// The flow continues, but something deserves attention.
        case warning
        /// The flow failed.
        case error
        /// Something for the viewer is available.
        case success
    }

    /// The documented level of the code: `error` for codes that are not in the table.
    public var level: Level {
        switch self {
        case .notAuthenticated, .passiveStarted, .otherProviderChosen, .providerNotSupported,
            .providerSelectionCancelled,
            .authenticatedByTempPass, .authorizedByTempPass, .platformLogout, .platformAccessDenied,
            .platformAccessUndetermined, .platformRequestFailed:
            .info
        case .clockSkew, .deviceMismatch, .authenticatedByDegradation, .tempPassExpired, .authorizedByDegradation:
            .warning
        case .registrationCode: .success
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
    /// The service does not support a client this old.
    public static let clientTooOld = StatusCode(rawValue: "CFG410")
    /// Too many requests during start-up.
    public static let throttledAtStart = StatusCode(rawValue: "CFG429")
    /// Not authenticated.
    public static let notAuthenticated = StatusCode(rawValue: "N000")
    /// A silent login began, with the login of another requestor.
    public static let passiveStarted = StatusCode(rawValue: "N001")
    /// The viewer chose "Other TV Provider" in the platform's picker.
    public static let otherProviderChosen = StatusCode(rawValue: "N003")
    /// The requestor does not work with the provider of the platform's picker.
    public static let providerNotSupported = StatusCode(rawValue: "N004")
    /// The viewer closed the provider picker, the app's or the platform's.
    public static let providerSelectionCancelled = StatusCode(rawValue: "N005")
    /// Every viewer counts as logged in, because the provider is degraded.
    public static let authenticatedByDegradation = StatusCode(rawValue: "N010")
    /// Logged in by a TempPass.
    public static let authenticatedByTempPass = StatusCode(rawValue: "N011")
    /// The TempPass has expired.
    public static let tempPassExpired = StatusCode(rawValue: "N111")
    /// No AuthN token on the session.
    public static let noTokenOnSession = StatusCode(rawValue: "N130")
    /// Internal authentication error.
    public static let authenticationFailed = StatusCode(rawValue: "N500")
    /// Preauthorization failed, usually for too many resources.
    public static let preauthorizationFailed = StatusCode(rawValue: "P100")
    /// The application is not registered, or its statement is invalid or revoked.
    public static let applicationNotRegistered = StatusCode(rawValue: "R400")
    /// No access token was available.
    public static let accessTokenUnavailable = StatusCode(rawValue: "R401")
    /// No registration code was available.
    public static let registrationCodeUnavailable = StatusCode(rawValue: "REG500")
    /// A registration code is available to be shown.
    public static let registrationCode = StatusCode(rawValue: "REGCODE")
    /// The service does not allow this requestor or application.
    public static let notAllowed = StatusCode(rawValue: "SEC403")
    /// A token belongs to another device; the tokens were removed.
    public static let deviceMismatch = StatusCode(rawValue: "SEC412")
    /// The connection cannot be trusted.
    public static let connectionNotTrusted = StatusCode(rawValue: "SEC420")
    /// The platform's sign-on failed; the details give the cause.
    public static let platformSignOnFailed = StatusCode(rawValue: "AAPL")
    /// The login came from the platform: the viewer must also sign out in its settings.
    public static let platformLogout = StatusCode(rawValue: "VSA203")
    /// The viewer does not let the app ask for the platform's TV provider.
    public static let platformAccessDenied = StatusCode(rawValue: "VSA403")
    /// The viewer has not been asked yet about the platform's TV provider.
    public static let platformAccessUndetermined = StatusCode(rawValue: "VSA404")
    /// A request to the platform's sign-on failed.
    public static let platformRequestFailed = StatusCode(rawValue: "VSA503")
    /// Everything counts as authorized, because the provider is degraded.
    public static let authorizedByDegradation = StatusCode(rawValue: "Z010")
    /// Authorized by a TempPass.
    public static let authorizedByTempPass = StatusCode(rawValue: "Z011")
    /// Denied by the TV provider.
    public static let denied = StatusCode(rawValue: "Z100")
    /// Denied again after repeated denials; the provider was not asked.
    public static let deniedRepeatedly = StatusCode(rawValue: "Z110")
    /// The service could not reach the TV provider.
    public static let providerUnreachable = StatusCode(rawValue: "Z120")
    /// The resource is empty or malformed.
    public static let invalidResource = StatusCode(rawValue: "Z130")
    /// Everything counts as denied, because the provider is degraded.
    public static let deniedByDegradation = StatusCode(rawValue: "Z169")
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
