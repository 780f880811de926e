/// An advanced status code, as the `status` callback reports it (error reporting reference).
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

    /// The documented level of the code, or `error` for codes that are not in the table.
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

    /// An internal error occurred.
    public static let internalError = StatusCode(rawValue: "500")
    /// The device's clock or time zone is wrong.
    public static let clockSkew = StatusCode(rawValue: "CFG100")
    /// The requestor id is unknown or empty.
    public static let unknownRequestor = StatusCode(rawValue: "CFG400")
    /// The service cannot be found or reached.
    public static let serviceNotFound = StatusCode(rawValue: "CFG404")
    /// The service no longer supports a client of this version.
    public static let clientTooOld = StatusCode(rawValue: "CFG410")
    /// The client sent too many requests during start-up.
    public static let throttledAtStart = StatusCode(rawValue: "CFG429")
    /// The viewer is not authenticated.
    public static let notAuthenticated = StatusCode(rawValue: "N000")
    /// A silent login with the login of another requestor has started.
    public static let passiveStarted = StatusCode(rawValue: "N001")
    /// The viewer chose "Other TV Provider" in the platform's picker.
    public static let otherProviderChosen = StatusCode(rawValue: "N003")
    /// The requestor does not support the provider that the viewer chose in the platform's picker.
    public static let providerNotSupported = StatusCode(rawValue: "N004")
    /// The viewer left the app's picker, the login page or the code, or the picker of the platform.
    public static let providerSelectionCancelled = StatusCode(rawValue: "N005")
    /// The provider is degraded, and the service treats every viewer as logged in.
    public static let authenticatedByDegradation = StatusCode(rawValue: "N010")
    /// A TempPass logged the viewer in.
    public static let authenticatedByTempPass = StatusCode(rawValue: "N011")
    /// The TempPass has expired, or its resources are used up.
    public static let tempPassExpired = StatusCode(rawValue: "N111")
    /// A login ended without a token, or its last registration code has expired.
    public static let noTokenOnSession = StatusCode(rawValue: "N130")
    /// An internal authentication error occurred.
    public static let authenticationFailed = StatusCode(rawValue: "N500")
    /// Preauthorization failed, usually because the request named too many resources.
    public static let preauthorizationFailed = StatusCode(rawValue: "P100")
    /// The application is not registered, or its statement is invalid or revoked.
    public static let applicationNotRegistered = StatusCode(rawValue: "R400")
    /// No access token was available.
    public static let accessTokenUnavailable = StatusCode(rawValue: "R401")
    /// No registration code was available.
    public static let registrationCodeUnavailable = StatusCode(rawValue: "REG500")
    /// A registration code is available and can be shown to the viewer.
    public static let registrationCode = StatusCode(rawValue: "REGCODE")
    /// The service does not allow this requestor or application.
    public static let notAllowed = StatusCode(rawValue: "SEC403")
    /// A token belongs to another device, so the client does not use it.
    public static let deviceMismatch = StatusCode(rawValue: "SEC412")
    /// The connection cannot be trusted.
    public static let connectionNotTrusted = StatusCode(rawValue: "SEC420")
    /// The platform's sign-on failed.
    ///
    /// The details contain the cause.
    public static let platformSignOnFailed = StatusCode(rawValue: "AAPL")
    /// The login came from the platform, so the viewer must also sign out in the platform's settings.
    public static let platformLogout = StatusCode(rawValue: "VSA203")
    /// The viewer has denied the app access to the platform's TV provider.
    public static let platformAccessDenied = StatusCode(rawValue: "VSA403")
    /// The viewer has not decided yet whether the app may access the platform's TV provider.
    public static let platformAccessUndetermined = StatusCode(rawValue: "VSA404")
    /// A request to the platform's sign-on failed.
    public static let platformRequestFailed = StatusCode(rawValue: "VSA503")
    /// The provider is degraded, and the service authorizes every request.
    public static let authorizedByDegradation = StatusCode(rawValue: "Z010")
    /// A TempPass authorized the request.
    public static let authorizedByTempPass = StatusCode(rawValue: "Z011")
    /// The TV provider denied the request, or the service answered it with HTTP 429 twice.
    public static let denied = StatusCode(rawValue: "Z100")
    /// The service denied the request without asking the provider, because the provider has denied it repeatedly.
    public static let deniedRepeatedly = StatusCode(rawValue: "Z110")
    /// The service could not reach the TV provider.
    public static let providerUnreachable = StatusCode(rawValue: "Z120")
    /// The resource is empty or malformed.
    public static let invalidResource = StatusCode(rawValue: "Z130")
    /// The provider is degraded, and the service denies every request.
    public static let deniedByDegradation = StatusCode(rawValue: "Z169")
    /// An internal authorization error occurred.
    public static let authorizationFailed = StatusCode(rawValue: "Z500")

    /// Returns the code for an HTTP 5xx response during start-up: `CFG` followed by the status.
    ///
    /// - Parameter status: an HTTP status from 500 to 599. Any other value is treated as 500.
    /// - Returns: the code, for example `CFG503`.
    public static func serviceFailedAtStart(_ status: Int) -> StatusCode {
        StatusCode(rawValue: "CFG\((500...599).contains(status) ? status : 500)")
    }
}
