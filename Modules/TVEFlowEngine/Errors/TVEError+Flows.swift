import TVEModels
import TVENetworking

extension TVEError {
    static let loginAbandoned = TVEError(
        .providerNotSelected, status: .providerSelectionCancelled, message: "The viewer chose no TV provider or left.")

    static let unknownProvider = TVEError(
        .unknownProvider, status: .authenticationFailed, message: "The requestor has no such TV provider.")

    static let noProviders = TVEError(
        .authenticationFailed, status: .authenticationFailed, message: "The requestor has no TV providers.")

    static let registrationCodeExpired = TVEError(
        .authenticationFailed, status: .noTokenOnSession, message: "The code expired before the viewer typed it.")

    /// - Parameter name: the error in the redirect of the login page.
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

    static let tempPassExpired = TVEError(
        .temporaryAccessExpired, status: .tempPassExpired, message: "The TempPass has expired.")

    /// - Parameter failure: why the last start failed; its recovery is what to do.
    static func sessionIsNotStarted(_ failure: TVEError? = nil) -> TVEError {
        TVEError(
            .requestorNotConfigured,
            message: failure.map { "The session could not be started: \($0.message ?? $0.code.rawValue)" }
                ?? "The session was not started.",
            recovery: failure?.recovery, underlying: failure)
    }

    static let noUsableRedirect = TVEError(
        .redirectNotRegistered, status: .applicationNotRegistered,
        message: "The redirect of the app is not among those that are registered for the application.")

    static let sessionIsClosed = TVEError(.requestorNotConfigured, message: "The session was closed.")

    /// Whether the same question may be answered later, so that its page is worth storing.
    var canAskAgain: Bool {
        recovery == .retry || code == .requestorNotConfigured || code == .storageFailed || code == .providerNotSelected
    }

    /// Whether the login is not finished yet.
    var isLoginPending: Bool { (underlying as? ServiceError)?.isLoginPending == true }

    /// Whether a promotional TempPass failed because it does not have the viewer's id.
    var needsPromotionalIdentity: Bool { code == .viewerIdentityMissing }
}

extension TVEError {
    /// An authorization without a login has no status code of its own (API reference, row AZ1).
    static let nobodyIsLoggedIn = TVEError(.notAuthenticated, message: "Nobody is logged in.")

    static let loggedOutMeanwhile = TVEError(.notAuthenticated, message: "The viewer has logged out in the meantime.")

    static let authorizationCancelled = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The call was cancelled.")

    static let foreignToken = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The service sent a token for another request.")

    /// Whether the service answered that the login of the question has ended.
    var meansLoginIsOver: Bool {
        if case .pendingLogout? = underlying as? ServiceError { true } else { false }
    }
}

extension TVEError {
    static let noService = TVEError(
        .serviceUnreachable, status: .serviceNotFound, message: "There is no service to ask.")

    static let startCancelled = TVEError(
        .serviceUnreachable, message: "The start was cancelled.", underlying: TransportError.cancelled)
}
