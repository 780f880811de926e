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

    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// An app may leave it out; ``navigate(toUrl:)`` is called in its place then.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    func navigate(toUrl url: String!, useSVC: Bool)

    /// Asks the app to show the platform's TV provider dialog.
    ///
    /// - Parameter viewController: what to show.
    func presentTvProviderDialog(_ viewController: PlatformViewController!)

    /// Asks the app to take the platform's TV provider dialog away.
    ///
    /// - Parameter viewController: what was shown.
    func dismissTvProviderDialog(_ viewController: PlatformViewController!)

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

    /// Answers `checkPreauthorizedResources`.
    ///
    /// - Parameter resources: those of the asked resources, texts all of them, that the viewer would be allowed to watch; empty when it
    ///   could not be found out.
    func preauthorizedResources(_ resources: [Any]!)

    /// Answers `getMetadata`.
    ///
    /// - Parameters:
    ///   - metadata: a text, number, boolean, list or dictionary; nil when nothing is known.
    ///   - encrypted: whether the value is encrypted for the programmer's key.
    ///   - key: the question, one of the `METADATA_` constants; -1 when the call had none.
    ///   - arguments: what the call was given.
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!)

    /// Something to report to the app's analytics.
    ///
    /// - Parameters:
    ///   - data: texts at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
}

/// What an app may leave out: `navigate(toUrl:useSVC:)` as documented, and answers to calls that it does not make. The documented
/// protocol requires all but the first, so existing apps have them.
extension EntitlementDelegate {
    /// Asks for the page as if a web view would do.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    public func navigate(toUrl url: String!, useSVC: Bool) { navigate(toUrl: url) }

    /// Ignores the answer.
    ///
    /// - Parameter mvpd: the provider.
    public func selectedProvider(_ mvpd: MVPD!) {}

    /// Ignores the answer.
    ///
    /// - Parameter resources: the resources.
    public func preauthorizedResources(_ resources: [Any]!) {}

    /// Ignores the answer.
    ///
    /// - Parameters:
    ///   - metadata: the value.
    ///   - encrypted: whether the value is encrypted.
    ///   - key: the question.
    ///   - arguments: what the call was given.
    public func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}

    /// Reports nothing.
    ///
    /// - Parameters:
    ///   - data: texts at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    public func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
}
