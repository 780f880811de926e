/// The error of every call of a session: what failed, how to recover, and the documented status code.
///
/// Its texts have three owners. The TV provider writes ``providerMessage`` for the viewer. This library or the service
/// writes ``message`` for a developer. `localizedDescription` is always for the viewer: it is the provider's message
/// or, without one, the suggested sentence of ``viewerSentence``, which an app can translate.
///
/// Two errors are equal when their codes are; the rest is context.
public struct TVEError: Error, Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The code of the failure.
    public let code: Code
    /// The documented status code that corresponds to the failure.
    public let status: StatusCode?
    /// A sentence for developers and logs, in English: not for the viewer, and never a secret.
    public let message: String?
    /// The TV provider's own message for the viewer, which may be HTML, or nil if it sent none.
    public let providerMessage: String?
    /// The lower layer's error, when there is one.
    public let underlying: (any Error)?
    /// The recommended reaction: the service's recommendation or, without one, the usual one for the code.
    public let recovery: Recovery
    /// A cause that has sentences of its own for the viewer, or nil if those of the code and the recovery say enough.
    package var viewerCause: ViewerCause?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the code of the failure.
    ///   - status: the documented status code.
    ///   - message: a sentence for developers.
    ///   - providerMessage: the TV provider's own message for the viewer.
    ///   - recovery: the recommended reaction, or nil for the usual one for the code.
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

    /// The code, status, developer message and cause on one line, without secrets.
    public var description: String {
        var parts = [code.rawValue]
        if let status { parts.append("[\(status)]") }
        if let message { parts.append(message.onOneLine()) }
        // The message is often that of the cause.
        if let underlying, !"\(underlying)".isSameBytes(as: message ?? "") {
            parts.append("(\("\(underlying)".onOneLine(most: 1_000)))")
        }
        return parts.joined(separator: " ")
    }

    /// A mirror without children, so that `dump` shows only the description and not the provider's text for one viewer.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Compares the codes alone.
    public static func == (left: TVEError, right: TVEError) -> Bool { left.code == right.code }
}

extension TVEError {
    /// The code of a failure.
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

        /// The service does not accept the software statement.
        public static let applicationNotRegistered = Code(rawValue: "applicationNotRegistered")
        /// The login cannot return to the app, because its redirect is not registered for the application.
        public static let redirectNotRegistered = Code(rawValue: "redirectNotRegistered")
        /// The application is registered but does not receive an access token.
        public static let accessTokenUnavailable = Code(rawValue: "accessTokenUnavailable")
        /// The service does not know the requestor.
        public static let unknownRequestor = Code(rawValue: "unknownRequestor")
        /// The session was not started, or starting it failed.
        public static let requestorNotConfigured = Code(rawValue: "requestorNotConfigured")
        /// The service cannot be reached.
        public static let serviceUnreachable = Code(rawValue: "serviceUnreachable")
        /// The connection cannot be trusted.
        public static let connectionNotTrusted = Code(rawValue: "connectionNotTrusted")
        /// The service responded with a failure or with an unreadable response.
        public static let serviceFailed = Code(rawValue: "serviceFailed")
        /// The service no longer supports a client of this version.
        public static let clientTooOld = Code(rawValue: "clientTooOld")
        /// The client sent too many requests.
        public static let throttled = Code(rawValue: "throttled")
        /// The viewer did not choose a TV provider, or left the login page.
        public static let providerNotSelected = Code(rawValue: "providerNotSelected")
        /// The requestor has no integration with this TV provider.
        public static let unknownProvider = Code(rawValue: "unknownProvider")
        /// The login did not succeed.
        public static let authenticationFailed = Code(rawValue: "authenticationFailed")
        /// A token belongs to another device.
        public static let deviceMismatch = Code(rawValue: "deviceMismatch")
        /// The viewer is not logged in.
        public static let notAuthenticated = Code(rawValue: "notAuthenticated")
        /// The TV provider does not allow this viewer to watch this resource.
        public static let notAuthorized = Code(rawValue: "notAuthorized")
        /// The resource is empty or malformed.
        public static let invalidResource = Code(rawValue: "invalidResource")
        /// Authorization failed for a reason other than the provider's denial.
        public static let authorizationFailed = Code(rawValue: "authorizationFailed")
        /// A promotional TempPass needs the viewer's id, which the app passes as the data of the call.
        public static let viewerIdentityMissing = Code(rawValue: "viewerIdentityMissing")
        /// The TempPass has expired, or its resources are used up.
        public static let temporaryAccessExpired = Code(rawValue: "temporaryAccessExpired")
        /// The request named more resources than the TV provider accepts at once.
        public static let tooManyResources = Code(rawValue: "tooManyResources")
        /// Preauthorization failed for a reason other than the number of resources.
        public static let preauthorizationFailed = Code(rawValue: "preauthorizationFailed")
        /// The service does not offer households to this requestor.
        public static let householdNotOffered = Code(rawValue: "householdNotOffered")
        /// The code of another device is unknown, has been used or has expired.
        public static let linkCodeInvalid = Code(rawValue: "linkCodeInvalid")
        /// The device does not belong to a household.
        public static let notInHousehold = Code(rawValue: "notInHousehold")
        /// Storage could not be read or written.
        public static let storageFailed = Code(rawValue: "storageFailed")
    }
}
