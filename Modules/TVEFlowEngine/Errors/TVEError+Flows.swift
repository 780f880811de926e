import TVEModels
import TVENetworking

extension TVEError {
    static let loginAbandoned = TVEError(
        .providerNotSelected, status: .providerSelectionCancelled,
        message: "The viewer chose no TV provider, or left the login.")

    static let unknownProvider = TVEError(
        .unknownProvider, status: .authenticationFailed,
        message: "The requestor does not work with this TV provider. Choose one from its configuration.")

    static let noProviders = TVEError(
        .authenticationFailed, status: .authenticationFailed,
        message: "The requestor works with no TV provider. Ask the operator of the service to integrate one.",
        recovery: .fixConfiguration)

    static let registrationCodeExpired = TVEError(
        .authenticationFailed, status: .noTokenOnSession,
        message: "The code expired before the viewer typed it. Begin the login again.")

    /// Creates the error for a login page that ended with an error.
    ///
    /// - Parameter name: the error that the redirect of the login page names.
    static func loginRefused(_ name: String) -> TVEError {
        TVEError(
            .authenticationFailed, status: .noTokenOnSession,
            message: "The login page ended with the error \(name), so there is no login.")
    }

    static func pageNotOpened(_ failure: PageNotOpened) -> TVEError {
        TVEError(
            .authenticationFailed, status: .authenticationFailed,
            message: "The browser could not open the login page: \(failure.reason).", underlying: failure)
    }

    static let pageOfTempPass = TVEError(
        .authenticationFailed, status: .authenticationFailed,
        message: "The service asks for a login page, which a TempPass must not need. Ask the operator of the service.",
        recovery: .fixConfiguration)

    static let tokenOfOtherLogin = TVEError(
        .authenticationFailed, status: .authenticationFailed, message: "The service sent a token for another login.")

    static let loginHasEndedAlready: TVEError = {
        var error = TVEError(
            .authenticationFailed, status: .authenticationFailed,
            message: "The login that the service sent has already ended. Compare the device's clock with the service's."
        )
        error.viewerCause = .clockOrNetwork
        return error
    }()

    static let tempPassExpired = TVEError(
        .temporaryAccessExpired, status: .tempPassExpired, message: "The TempPass has expired.")

    static let tempPassUsedUp = TVEError(
        .temporaryAccessExpired, status: .tempPassExpired, message: "The resources of the TempPass are used up.")

    /// Creates the error for a call to a session that has not started.
    ///
    /// - Parameter failure: the error of the last start, if it failed. Its recovery becomes the recovery of this error,
    ///   and so does its advice for the viewer.
    static func sessionIsNotStarted(_ failure: TVEError?) -> TVEError {
        var error = TVEError(
            .requestorNotConfigured,
            message: failure.map { "The session could not be started: \($0.message ?? $0.code.rawValue)" }
                ?? "The session was not started. Call start(using:) or setRequestor first.",
            recovery: failure?.recovery, underlying: failure)
        if failure?.isAboutConnection == true { error.viewerCause = .clockOrNetwork }
        return error
    }

    static let noUsableRedirect = TVEError(
        .redirectNotRegistered, status: .applicationNotRegistered,
        message: "The redirect of the app is not among those that are registered for the application. "
            + "Use one of those, or the software statement of an application for which this one is registered.")

    static let sessionIsClosed = TVEError(.requestorNotConfigured, message: "The session was closed. Create a new one.")

    /// A Boolean value that indicates whether the same request may succeed later, so that its login page stays stored.
    var canAskAgain: Bool {
        recovery == .retry || code == .requestorNotConfigured || code == .storageFailed || code == .providerNotSelected
    }

    // MARK: - Permissions

    /// The error of an authorization without a login, which has no status code of its own (API reference, row AZ1).
    static let nobodyIsLoggedIn = TVEError(.notAuthenticated, message: "Nobody is logged in.")

    static let loggedOutMeanwhile = TVEError(.notAuthenticated, message: "The viewer has logged out in the meantime.")

    static let authorizationCancelled = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The call was cancelled.")

    static let tokenOfOtherDevice = TVEError(
        .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")

    static let foreignToken = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The service sent a token for another request.")

    /// A Boolean value that indicates whether the service answered that the login of the request has ended.
    var meansLoginIsOver: Bool {
        if case .pendingLogout? = underlying as? ServiceError { true } else { false }
    }

    // MARK: - Starts

    static let noService = TVEError(
        .serviceUnreachable, status: .serviceNotFound, message: "No service was named. Pass at least one.")

    static let startCancelled = TVEError(
        .serviceUnreachable, message: "The start was cancelled.", underlying: TransportError.cancelled)
}
