/// Receives the results of `AccessEnabler`'s calls, on the main queue unless another run was given (API reference,
/// `EntitlementDelegate`).
public protocol EntitlementDelegate: AnyObject {
    /// `setRequestor` has ended; every other call was held until now.
    ///
    /// - Parameter status: ``ACCESS_ENABLER_STATUS_SUCCESS`` or ``ACCESS_ENABLER_STATUS_ERROR``.
    func setRequestorComplete(_ status: Int32)

    /// Whether the viewer is logged in; ends authentication, and logout too.
    ///
    /// - Parameters:
    ///   - status: ``ACCESS_ENABLER_STATUS_SUCCESS`` when somebody is logged in.
    ///   - code: ``USER_AUTHENTICATED`` or one of the error codes.
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!)

    /// Asks the app to show a picker and to answer with `setSelectedProvider(_:)`; nil when the viewer leaves.
    ///
    /// - Parameter mvpds: the providers, all of them ``MVPD``.
    func displayProviderDialog(_ mvpds: [Any]!)

    /// Asks the app to open a page and to call `handleExternalURL(_:)` when it reaches ``ADOBEPASS_REDIRECT_URL``.
    ///
    /// - Parameter url: the login page, or the logout page, which may stay hidden.
    func navigate(toUrl url: String!)

    /// Answers `getSelectedProvider`.
    ///
    /// - Parameter mvpd: the provider, nil when none is remembered.
    func selectedProvider(_ mvpd: MVPD!)

    /// The viewer may watch: hand the token to the playback back end at once, and never keep it.
    ///
    /// - Parameters:
    ///   - token: the short media token.
    ///   - resource: the resource that was asked for.
    func setToken(_ token: String!, forResource resource: String!)

    /// The viewer may not watch, or it could not be found out.
    ///
    /// - Parameters:
    ///   - resource: the resource that was asked for.
    ///   - code: one of the error codes.
    ///   - description: the TV provider's text for the viewer, or empty.
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!)

    /// Something to report to the app's analytics.
    ///
    /// - Parameters:
    ///   - data: texts at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
}
