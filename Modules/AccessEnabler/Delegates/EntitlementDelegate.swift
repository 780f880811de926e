public import Foundation

/// The receiver of the results of `AccessEnabler`'s calls, on the main queue unless another run was given (API
/// reference, `EntitlementDelegate`).
///
/// As with the original, a delegate is a subclass of `NSObject`.
///
/// Every method is required except `navigate(toUrl:useSVC:)`, `sendTrackingData(_:forEventType:)`, and an older
/// `setMetadataStatus` that only exists in Objective-C. With Objective-C, a parameter may be declared with `!`, with
/// `?`, or without either; elsewhere only `!` compiles. The methods are isolated to the main actor, so that a delegate
/// of the main actor conforms without changes. A delegate elsewhere, with a run of its own, declares its methods
/// `nonisolated`.
#if canImport(ObjectiveC)
@objc(EntitlementDelegate)
#endif
public protocol EntitlementDelegate: NSObjectProtocol {
    /// Reports that `setRequestor` has completed.
    ///
    /// Calls that the app made before were queued. They now run in their order, or fail if the requestor could not be
    /// established. `setOptions` takes effect at once, and `preauthorize` fails until the requestor is established.
    ///
    /// - Parameter status: ``ACCESS_ENABLER_STATUS_SUCCESS``, or ``ACCESS_ENABLER_STATUS_ERROR`` if the requestor could
    ///   not be established. The status delegate has received the reason by then.
    @preconcurrency @MainActor
    func setRequestorComplete(_ status: Int32)

    /// Reports whether the viewer is logged in, at the end of an authentication or a logout.
    ///
    /// - Parameters:
    ///   - status: ``ACCESS_ENABLER_STATUS_SUCCESS`` when the viewer is logged in, otherwise
    ///     ``ACCESS_ENABLER_STATUS_ERROR``.
    ///   - code: ``USER_AUTHENTICATED`` for a viewer who is logged in, otherwise ``USER_NOT_AUTHENTICATED_ERROR``,
    ///     ``PROVIDER_NOT_SELECTED_ERROR`` or ``GENERIC_AUTHENTICATION_ERROR``.
    @preconcurrency @MainActor
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!)

    /// Asks the app to show a picker and to respond with `setSelectedProvider(_:)`, with nil when the viewer leaves.
    ///
    /// - Parameter mvpds: the providers, all of them ``MVPD``.
    @preconcurrency @MainActor
    func displayProviderDialog(_ mvpds: [Any]!)

    /// Asks the app to open a page, and to pass the URL at which the page ends to `handleExternalURL(_:)` instead of
    /// loading it.
    ///
    /// `canHandle(_:)` recognizes that URL. It is ``ADOBEPASS_REDIRECT_URL`` unless the page is one that the system's
    /// browser would have shown, which ends at the application's own redirect.
    ///
    /// - Parameter url: the login page, or the logout page, which may stay hidden.
    #if canImport(ObjectiveC)
    @objc(navigateToUrl:)
    #endif
    @preconcurrency @MainActor
    func navigate(toUrl url: String!)

    /// Asks the app to show the platform's TV provider dialog.
    ///
    /// - Parameter viewController: the view controller to show.
    @preconcurrency @MainActor
    func presentTvProviderDialog(_ viewController: PlatformViewController!)

    /// Asks the app to dismiss the platform's TV provider dialog.
    ///
    /// - Parameter viewController: the view controller that was shown.
    @preconcurrency @MainActor
    func dismissTvProviderDialog(_ viewController: PlatformViewController!)

    /// Returns the result of `getSelectedProvider`.
    ///
    /// - Parameter mvpd: the provider, or nil when none is stored.
    @preconcurrency @MainActor
    func selectedProvider(_ mvpd: MVPD!)

    /// Reports that the viewer may watch, with a token to send to the playback back end at once and never to store.
    ///
    /// - Parameters:
    ///   - token: the media token.
    ///   - resource: the requested resource.
    @preconcurrency @MainActor
    func setToken(_ token: String!, forResource resource: String!)

    /// Reports that the viewer may not watch, or that the check failed.
    ///
    /// - Parameters:
    ///   - resource: the requested resource.
    ///   - code: `USER_NOT_AUTHORIZED_ERROR`, `USER_NOT_AUTHENTICATED_ERROR` or `GENERIC_AUTHORIZATION_ERROR`.
    ///   - description: the text for the viewer in the response, or an empty text. It usually comes from the TV
    ///     provider, and from the service if the service failed.
    @preconcurrency @MainActor
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!)

    /// Returns the result of `checkPreauthorizedResources`.
    ///
    /// - Parameter resources: the requested resources that the viewer would be allowed to watch, all strings. The list
    ///   is empty when the check failed.
    @preconcurrency @MainActor
    func preauthorizedResources(_ resources: [Any]!)

    /// Returns the result of `getMetadata`.
    ///
    /// - Parameters:
    ///   - metadata: a string, number, boolean, list or dictionary, or nil when there is no value.
    ///   - encrypted: a Boolean value that indicates whether the value is encrypted for the programmer's key.
    ///   - key: the kind of value, one of the `METADATA_` constants, or -1 when the call had none.
    ///   - arguments: the argument of the call.
    @preconcurrency @MainActor
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!)

    // A comment before `#if` would belong to neither declaration.
    #if canImport(ObjectiveC)
    /// Reports an event for the app's analytics.
    ///
    /// An app may omit it.
    ///
    /// - Parameters:
    ///   - data: strings at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    @objc(sendTrackingData:forEventType:)
    @preconcurrency @MainActor optional func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
    #else
    /// Reports an event for the app's analytics.
    ///
    /// An app may omit it.
    ///
    /// - Parameters:
    ///   - data: strings at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    @preconcurrency @MainActor
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32)
    #endif

    // A comment before `#if` would belong to neither declaration.
    #if canImport(ObjectiveC)
    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// The page ends at the application's own redirect; see ``navigate(toUrl:)``. An app may omit this method. The
    /// library then calls ``navigate(toUrl:)`` instead.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @objc(navigateToUrl:useSVC:)
    @preconcurrency @MainActor optional func navigate(toUrl url: String!, useSVC: Bool)
    #else
    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// The page ends at the application's own redirect; see ``navigate(toUrl:)``. An app may omit this method. The
    /// library then calls ``navigate(toUrl:)`` instead.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String!, useSVC: Bool)
    #endif

    #if canImport(ObjectiveC)
    /// Returns the result of `getMetadata` as version 1 did, for an app in Objective-C that lacks the method with
    /// `encrypted`.
    ///
    /// - Parameters:
    ///   - metadata: a text that is not encrypted, or nil for anything else.
    ///   - key: the kind of value, one of the `METADATA_` constants, or -1 when the call had none.
    ///   - arguments: the argument of the call.
    @objc(setMetadataStatus:forKey:andArguments:)
    @preconcurrency @MainActor optional func setMetadataStatus(
        _ metadata: String!, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!)
    #endif
}

#if !canImport(ObjectiveC)
extension EntitlementDelegate {
    /// Ignores the event, for an app without analytics.
    ///
    /// - Parameters:
    ///   - data: strings at the documented positions.
    ///   - event: one of the `TRACKING_` constants.
    @MainActor public func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}

    /// Requests an ordinary page.
    ///
    /// Without Objective-C, a method can be omitted only if it has a default implementation.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String!, useSVC: Bool) { navigate(toUrl: url) }
}
#endif
