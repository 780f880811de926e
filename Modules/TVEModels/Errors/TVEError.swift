/// The one error of the public API: what failed, what to do about it, and the documented status code.
///
/// Its texts have three owners. ``providerMessage`` is the TV provider's, for the viewer. ``message`` is this library's or the
/// service's, for a developer. `localizedDescription` is for the viewer in every case: the provider's words, else the
/// suggested sentence of ``viewerSentence``, which an app can translate.
///
/// Two errors are equal when their codes are; the rest is context.
public struct TVEError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed.
    public let code: Code
    /// The documented status code that goes with it.
    public let status: StatusCode?
    /// A sentence for developers and logs, in English: not for the viewer, and never a secret.
    public let message: String?
    /// The TV provider's own words for the viewer, which may be HTML; nil where it gave none.
    public let providerMessage: String?
    /// The lower layer's error, when there is one.
    public let underlying: (any Error)?
    /// What to do about the error: the service's advice, else the usual one for the code.
    public let recovery: Recovery

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what failed.
    ///   - status: the documented status code.
    ///   - message: a sentence for developers.
    ///   - providerMessage: the TV provider's own words for the viewer.
    ///   - recovery: what to do about it; nil for the usual advice for the code.
    ///   - underlying: the lower layer's error.
    public init(
        _ code: Code, status: StatusCode? = nil, message: String? = nil, providerMessage: String? = nil,
        recovery: Recovery? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.providerMessage = providerMessage
        self.underlying = underlying
        self.recovery = recovery ?? code.recovery
    }

    /// Code, status, the developer's sentence and the cause in one line, without secrets.
    public var description: String {
        var parts = [code.rawValue]
        if let status { parts.append("[\(status)]") }
        if let message { parts.append(message) }
        if let underlying { parts.append("(\(underlying))") }
        return parts.joined(separator: " ")
    }

    /// Compares the codes alone.
    public static func == (left: TVEError, right: TVEError) -> Bool { left.code == right.code }
}

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
        /// No login can come back to the app: its redirect is not registered for the application.
        public static let redirectNotRegistered = Code(rawValue: "redirectNotRegistered")
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
        /// A promotional TempPass needs the viewer's id, which the app passes as the data of the call.
        public static let viewerIdentityMissing = Code(rawValue: "viewerIdentityMissing")
        /// The TempPass has expired.
        public static let temporaryAccessExpired = Code(rawValue: "temporaryAccessExpired")
        /// More resources were asked about at once than the TV provider answers.
        public static let tooManyResources = Code(rawValue: "tooManyResources")
        /// Preauthorization failed for another reason.
        public static let preauthorizationFailed = Code(rawValue: "preauthorizationFailed")
        /// The service does not offer households to this requestor.
        public static let householdNotOffered = Code(rawValue: "householdNotOffered")
        /// The code of another device is unknown, was used or has ended.
        public static let linkCodeInvalid = Code(rawValue: "linkCodeInvalid")
        /// The device is in no household.
        public static let notInHousehold = Code(rawValue: "notInHousehold")
        /// Storage could not be read or written.
        public static let storageFailed = Code(rawValue: "storageFailed")
    }
}
