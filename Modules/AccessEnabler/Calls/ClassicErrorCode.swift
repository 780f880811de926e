import TVEModels

/// The classic error codes for an error.
///
/// Each of the two callbacks has its own table.
enum ClassicErrorCode {
    /// Returns the error code for `setAuthenticationStatus`.
    static func authentication(_ error: TVEError) -> String {
        switch error.code {
        case .providerNotSelected: PROVIDER_NOT_SELECTED_ERROR
        case .notAuthenticated, .temporaryAccessExpired: USER_NOT_AUTHENTICATED_ERROR
        default: GENERIC_AUTHENTICATION_ERROR
        }
    }

    /// Returns the error code for `tokenRequestFailed`.
    ///
    /// A cancelled or refused login means that the viewer is not authenticated. A failure of the service is a generic
    /// error.
    static func authorization(_ code: TVEError.Code) -> String {
        switch code {
        case .notAuthorized, .throttled, .temporaryAccessExpired: USER_NOT_AUTHORIZED_ERROR
        case .notAuthenticated, .providerNotSelected, .unknownProvider, .authenticationFailed, .deviceMismatch:
            USER_NOT_AUTHENTICATED_ERROR
        default: GENERIC_AUTHORIZATION_ERROR
        }
    }
}
