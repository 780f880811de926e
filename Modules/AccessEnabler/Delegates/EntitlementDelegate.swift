/// Receives the results of `AccessEnabler`'s calls, on the main queue unless another run was given (API reference,
/// `EntitlementDelegate`).
///
/// Every method is required except `navigate(toUrl:useSVC:)`, `sendTrackingData(_:forEventType:)`, and an older
/// `setMetadataStatus` that only Objective-C has. With Objective-C, a parameter may be written with `!`, with `?`, or
/// without; elsewhere only `!` compiles. The methods belong to the main actor, so that a delegate of the main actor
/// conforms as it is. A delegate elsewhere, with a run of its own, says `nonisolated`.
#if canImport(ObjectiveC)
@objc(EntitlementDelegate)
#endif
public protocol EntitlementDelegate: AnyObject {
    /// `setRequestor` has ended; every other call was held until now.
    ///
    /// - Parameter status: ``ACCESS_ENABLER_STATUS_SUCCESS`` or ``ACCESS_ENABLER_STATUS_ERROR``.
    @preconcurrency @MainActor
    func setRequestorComplete(_ status: Int32)

    /// Whether the viewer is logged in; ends authentication, and logout too.
    ///
    /// - Parameters:
    ///   - status: ``ACCESS_ENABLER_STATUS_SUCCESS`` when the viewer is logged in.
    ///   - code: ``USER_AUTHENTICATED`` or one of the error codes.
    @preconcurrency @MainActor
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!)

    /// Asks the app to show a picker and to answer with `setSelectedProvider(_:)`; nil when the viewer leaves.
    ///
    /// - Parameter mvpds: the providers, all of them ``MVPD``.
    @preconcurrency @MainActor
    func displayProviderDialog(_ mvpds: [Any]!)

    /// Asks the app to open a page and to call `handleExternalURL(_:)` when it reaches ``ADOBEPASS_REDIRECT_URL``.
    ///
    /// - Parameter url: the login page, or the logout page, which may stay hidden.
    #if canImport(ObjectiveC)
    @objc(navigateToUrl:)
    #endif
    @preconcurrency @MainActor
    func navigate(toUrl url: String!)

    /// Asks the app to show the platform's TV provider dialog.
    ///
    /// - Parameter viewController: what to show.
    @preconcurrency @MainActor
    func presentTvProviderDialog(_ viewController: PlatformViewController!)

    /// Asks the app to dismiss the platform's TV provider dialog.
    ///
    /// - Parameter viewController: what was shown.
    @preconcurrency @MainActor
    func dismissTvProviderDialog(_ viewController: PlatformViewController!)

    /// Answers `getSelectedProvider`.
    ///
    /// - Parameter mvpd: the provider, nil when none is remembered.
    @preconcurrency @MainActor
    func selectedProvider(_ mvpd: MVPD!)

    /// The viewer may watch: send the token to the playback back end at once, and never store it.
    ///
    /// - Parameters:
    ///   - token: the media token.
    ///   - resource: the resource that was asked for.
    @preconcurrency @MainActor
    func setToken(_ token: String!, forResource resource: String!)

    /// The viewer may not watch, or the check failed.
    ///
    /// - Parameters:
    ///   - resource: the resource that was asked for.
    ///   - code: `USER_NOT_AUTHORIZED_ERROR`, `USER_NOT_AUTHENTICATED_ERROR` or `GENERIC_AUTHORIZATION_ERROR`.
    ///   - description: the text for the viewer that came with the answer, or empty: mostly the TV provider's, of a
    ///     failure at the service the service's.
    @preconcurrency @MainActor
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!)

    /// Answers `checkPreauthorizedResources`.
    ///
    /// - Parameter resources: the requested resources, all strings, that the viewer would be allowed to watch; empty
    ///   when the check failed.
    @preconcurrency @MainActor
    func preauthorizedResources(_ resources: [Any]!)

    /// Answers `getMetadata`.
    ///
    /// - Parameters:
    ///   - metadata: a string, number, boolean, list or dictionary; nil when nothing is known.
    ///   - encrypted: whether the value is encrypted for the programmer's key.
    ///   - key: the question, one of the `METADATA_` constants; -1 when the call had none.
    ///   - arguments: the argument of the call.
    @preconcurrency @MainActor
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!)

    /// An event for the app's analytics.
    ///
    /// An app may omit it.
    ///
    /// - Parameters:
    ///   - data: strings at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    #if canImport(ObjectiveC)
    @objc(sendTrackingData:forEventType:)
    @preconcurrency @MainActor optional func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
    #else
    @preconcurrency @MainActor
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
    #endif

    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// An app may omit it; ``navigate(toUrl:)`` is called instead.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    #if canImport(ObjectiveC)
    @objc(navigateToUrl:useSVC:)
    @preconcurrency @MainActor optional func navigate(toUrl url: String!, useSVC: Bool)
    #else
    @preconcurrency @MainActor
    func navigate(toUrl url: String!, useSVC: Bool)
    #endif

    #if canImport(ObjectiveC)
    /// Answers `getMetadata` as version 1 did: for an app in Objective-C that lacks the method with `encrypted`.
    ///
    /// - Parameters:
    ///   - metadata: a text that is not encrypted; nil for anything else.
    ///   - key: the question, one of the `METADATA_` constants; -1 when the call had none.
    ///   - arguments: what the call was given.
    @objc(setMetadataStatus:forKey:andArguments:)
    @preconcurrency @MainActor optional func setMetadataStatus(
        _ metadata: String!, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!)
    #endif
}

#if !canImport(ObjectiveC)
extension EntitlementDelegate {
    /// Does nothing: an app without analytics wants no events.
    ///
    /// - Parameters:
    ///   - data: strings at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    @MainActor public func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}

    /// Asks for an ordinary page: without Objective-C a method can be omitted only if it has a default.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String!, useSVC: Bool) { navigate(toUrl: url) }
}
#endif
