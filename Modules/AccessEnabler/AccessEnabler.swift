public import Foundation
import TVEDeviceBinding
public import TVEFlowEngine
import TVEModels
public import TVENetworking

/// The classic interface to TV Everywhere: an app makes the documented calls, and its delegates receive the documented
/// callbacks.
///
/// Calls may come from any thread and return at once. Calls made before `setRequestor(_:)` has completed are queued and
/// run in order. Delegates are referenced weakly, and are not called once the access enabler is released. A mock may
/// override every call that is not deprecated. These are declared in this file, because Swift cannot override a
/// declaration of an extension.
#if canImport(ObjectiveC)
@objc(AccessEnabler)
@objcMembers
#endif
// The conformance is unchecked because an app's subclass may add any state. The only property here is `Sendable`.
open class AccessEnabler: NSObject, @unchecked Sendable {
    /// A function that runs callbacks, which must preserve the order in which it receives them.
    ///
    /// Delegates that are isolated to the main actor need a function that runs callbacks on the main queue, as the
    /// default does.
    public typealias CallbackRun = @Sendable (@escaping @Sendable () -> Void) -> Void

    private let calls: ClassicCalls

    /// Creates an access enabler that no service will register, as a placeholder until the app has its statement.
    @available(*, deprecated, message: "Use init(_:) with the application's software statement.")
    public override convenience init() {
        self.init("")
    }

    /// Creates an access enabler that uses the device's storage, network and clock.
    ///
    /// - Parameter softwareStatement: the application's statement, a JWT. Pass nil for a placeholder that no service
    ///   will register.
    public convenience init(_ softwareStatement: String?) {
        self.init(storageCheck: .INTEGRITY_CHECK_NONE, softwareStatement: softwareStatement)
    }

    /// Creates an access enabler that checks the stored data (storage integrity page).
    ///
    /// The check begins here and needs no further call. The first `setRequestor` waits for its end.
    ///
    /// - Parameters:
    ///   - storageCheck: the kind of check. A failed check logs the viewer out.
    ///   - softwareStatement: the application's statement, a JWT. Pass nil for a placeholder that no service will
    ///     register.
    public convenience init(storageCheck: IntegrityCheckType, softwareStatement: String?) {
        self.init(softwareStatement, service: nil, storageCheck: storageCheck, keychainGroup: nil)
    }

    /// Creates an access enabler for a given dialect, or for a given keychain group in which apps share logins.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT. Each wire dialect needs its own.
    ///   - service: the wire dialect, or nil for the one for which the application is registered.
    ///   - storageCheck: the kind of check of the stored data. A failed check logs the viewer out.
    ///   - keychainGroup: on iOS, the group of apps that share logins, including the team's id. Pass nil for the group
    ///     of `AppIdentity.main`, if the app has the entitlement.
    public convenience init(
        _ softwareStatement: String?, service: ServiceDialect?,
        storageCheck: IntegrityCheckType = .INTEGRITY_CHECK_NONE, keychainGroup: String? = nil
    ) {
        let app = AppIdentity.main
        var environment = SessionEnvironment(
            storage: Self.systemStorage(app, keychainGroup: keychainGroup), app: app, redirectURL: Self.redirectURL)
        environment.identityStorage = Self.identityStorage(app, keychainGroup: keychainGroup)
        self.init(softwareStatement ?? "", service: service, storageCheck: storageCheck, environment: environment)
    }

    /// Creates an access enabler in an environment that the app chooses.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT. Each wire dialect needs its own.
    ///   - service: the wire dialect, by default the one for which the application is registered.
    ///   - storageCheck: the kind of check of the stored data before it is used.
    ///   - environment: the storage, transport, clock, app, device, platform sign-on and login redirect. Options that
    ///     are passed to `setOptions` override those of the environment.
    ///   - automaticBrowser: the browser that shows the pages of providers that need Safari, by default that of the
    ///     system, if it has one.
    ///   - callbackRun: the function that runs callbacks, by default on the main queue. The platform's dialog does not
    ///     wait for it: `presentTvProviderDialog` and `dismissTvProviderDialog` come on the main queue at once, perhaps
    ///     before an earlier callback that still waits for its run.
    public init(
        _ softwareStatement: String, service: ServiceDialect? = nil,
        storageCheck: IntegrityCheckType = .INTEGRITY_CHECK_NONE, environment: SessionEnvironment,
        automaticBrowser: (any AutomaticBrowser)? = AccessEnabler.systemBrowser,
        callbackRun: @escaping CallbackRun = { callback in DispatchQueue.main.async { callback() } }
    ) {
        calls = ClassicCalls(
            softwareStatement: softwareStatement, service: service, storageCheck: storageCheck,
            environment: environment, automaticBrowser: automaticBrowser, callbackRun: callbackRun)
        super.init()
    }

    // A call that is still running may retain `calls` beyond the end of this object.
    deinit { calls.close() }

    /// The receiver of results, referenced weakly.
    open var delegate: (any EntitlementDelegate)? {
        get { calls.callbacks.delegate }
        set { calls.callbacks.delegate = newValue }
    }

    /// The receiver of advanced status codes, referenced weakly.
    ///
    /// It may be the same object as ``delegate``.
    open var statusDelegate: (any EntitlementStatus)? {
        get { calls.callbacks.statusDelegate }
        set { calls.callbacks.statusDelegate = newValue }
    }

    /// The household of this device, whose devices share one login over REST API v2.
    ///
    /// After the device has joined, call `setRequestor` again to find the login of another device. The value is nil
    /// before `setRequestorComplete`, and over the classic services.
    public final var household: Household? { calls.household }

    /// The URL at which logins end by default.
    ///
    /// An environment can replace it.
    public static var redirectURL: URL {
        // The constant is a valid URL; `init(string:)` cannot know that.
        URL(string: ADOBEPASS_REDIRECT_URL) ?? URL(fileURLWithPath: "/")
    }

    // MARK: - Options and requestor

    /// Sets options that later requests carry; may be called at any time (API reference, `setOptions`).
    ///
    /// The classic services receive every option, those with undocumented keys in the query. REST API v2 receives only
    /// the documented ones.
    ///
    /// - Parameter options: the values by key, which are merged into those of earlier calls. `NSNull`, or a value of
    ///   another type than the documented one, removes its option.
    open func setOptions(_ options: [AnyHashable: Any]?) {
        calls.options.withLock { $0.merge(options ?? [:]) }
    }

    /// Establishes the requestor at the vendor's production service; ends with `setRequestorComplete`.
    ///
    /// With the option `applicationProfile` set to `staging`, the vendor's staging service is used.
    ///
    /// - Parameter requestorID: the case-sensitive id of the requestor. An empty id or nil fails with the status
    ///   `CFG400`.
    open func setRequestor(_ requestorID: String?) { setRequestor(requestorID, serviceProviders: nil) }

    /// Establishes the requestor at the given services; ends with `setRequestorComplete`.
    ///
    /// - Parameters:
    ///   - requestorID: the case-sensitive id of the requestor. An empty id or nil fails with the status `CFG400`.
    ///   - serviceProviders: the endpoints as strings, with https if they have no scheme. Nil or an empty list selects
    ///     `DEFAULT_SP_URL`, or ``SP_AUTH_STAGING`` with the profile `staging`. All endpoints receive a request at
    ///     once, and each provider belongs to the fastest endpoint that lists it. With the same requestor and endpoints
    ///     as before, the session continues; in the classic dialect, its configuration is loaded again (row Q14). A
    ///     start that has failed is repeated by the next call for a login or a token (row Q6).
    open func setRequestor(_ requestorID: String?, serviceProviders: [Any]?) {
        calls.setRequestor(requestorID ?? "", serviceProviders: serviceProviders)
    }

    // MARK: - Login

    /// Checks from storage alone whether the viewer is logged in; ends with `setAuthenticationStatus`.
    open func checkAuthentication() { calls.checkAuthentication() }

    /// Logs the viewer in unless the viewer is already logged in; ends with `setAuthenticationStatus`.
    ///
    /// If a login is already waiting for the app, the app receives its callback again and the login continues.
    open func getAuthentication() { getAuthentication(false, withData: nil, andFilter: nil) }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: a Boolean value that indicates whether to show a login even when the viewer is logged in.
    ///   - data: the values to send to the service, for example the viewer's id for a promotional TempPass. A whole
    ///     number that no `Double` holds, such as 2^53 + 1, is sent as text (row AZ20).
    open func getAuthentication(_ forceAuthn: Bool, withData data: [AnyHashable: Any]?) {
        getAuthentication(forceAuthn, withData: data, andFilter: nil)
    }

    /// Logs the viewer in unless the viewer is already logged in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: the MVPD ids that the platform's picker offers, under `TV_PROVIDERS` and
    ///   `FEATURED_TV_PROVIDERS`.
    open func getAuthentication(_ filter: [AnyHashable: Any]?) {
        getAuthentication(false, withData: nil, andFilter: filter)
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: a Boolean value that indicates whether to show a login even when the viewer is logged in.
    ///   - data: the values to send to the service, for example the viewer's id for a promotional TempPass. A whole
    ///     number that no `Double` holds, such as 2^53 + 1, is sent as text (row AZ20).
    ///   - filter: the MVPD ids that the platform's picker offers, under `TV_PROVIDERS` and `FEATURED_TV_PROVIDERS`.
    open func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [AnyHashable: Any]?
    ) {
        calls.getAuthentication(forceAuthn, withData: data, andFilter: filter)
    }

    /// Responds to `displayProviderDialog`, cancels a login with nil, or chooses the provider of the next login.
    ///
    /// - Parameter mvpdID: the provider, or nil when the viewer left. A TempPass logs the viewer in at once.
    open func setSelectedProvider(_ mvpdID: String?) { calls.setSelectedProvider(mvpdID) }

    /// Requests the selected provider; ends with `selectedProvider`.
    open func getSelectedProvider() { calls.getSelectedProvider() }

    /// Completes the login or logout whose page has reached the redirect, even if the app was closed in between.
    ///
    /// Other URLs, nil and repeated calls are ignored.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    open func handleExternalURL(_ url: String?) { calls.handleExternalURL(url) }

    /// Completes the login whose page has reached the redirect.
    @available(*, deprecated, renamed: "handleExternalURL(_:)")
    open func getAuthenticationToken() { calls.getAuthenticationToken() }

    /// Logs out, which erases the storage and opens the logout page; ends with `setAuthenticationStatus`.
    ///
    /// The callback follows at once when there is no page to open. Otherwise it follows when ``handleExternalURL(_:)``
    /// receives the page's redirect. If the app never completes the page, there is no callback. If the library shows
    /// the page, or the service names none in time, the callback follows within a minute (row LO8).
    open func logout() { calls.logout() }

    // MARK: - Authorization

    /// Requests a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    open func checkAuthorization(_ resource: String?) { checkAuthorization(resource, withData: nil) }

    /// Requests a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: the values to send to the service, for example the viewer's id for a promotional TempPass. A whole
    ///     number that no `Double` holds, such as 2^53 + 1, is sent as text (row AZ20).
    open func checkAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        calls.authorize(resource, data, isLoginAllowed: false)
    }

    /// Requests a media token and logs the viewer in first if necessary; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    open func getAuthorization(_ resource: String?) { getAuthorization(resource, withData: nil) }

    /// Requests a media token and logs the viewer in first if necessary; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: the values to send to the service, for example the viewer's id for a promotional TempPass. A whole
    ///     number that no `Double` holds, such as 2^53 + 1, is sent as text (row AZ20).
    open func getAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        calls.authorize(resource, data, isLoginAllowed: true)
    }

    // MARK: - Preauthorization and metadata

    /// Checks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameter resources: the resources, all of them strings.
    open func checkPreauthorizedResources(_ resources: [Any]?) { checkPreauthorizedResources(resources, cache: true) }

    /// Checks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameters:
    ///   - resources: the resources, all of them strings.
    ///   - cache: a Boolean value that indicates whether to use stored responses: the last one if it was for the same
    ///     set of resources or, over REST API v2, every resource that this session was permitted before.
    open func checkPreauthorizedResources(_ resources: [Any]?, cache: Bool) {
        calls.checkPreauthorizedResources(resources, cache: cache)
    }

    /// Checks which resources the viewer would be allowed to watch, with reasons (preauthorize page).
    ///
    /// Before the first `setRequestor` has completed, this call is not queued, and fails with
    /// `requestor_not_configured`.
    ///
    /// - Parameters:
    ///   - request: the resources, and the caches that may be used.
    ///   - callback: the callback, which is called once, on the same run as the delegates, even if the access enabler
    ///     is released before.
    open func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        calls.preauthorize(request, didCompleteWith: callback)
    }

    /// Requests a value that concerns the viewer or this device; ends with `setMetadataStatus`.
    ///
    /// - Parameter key: the kind of value under `METADATA_OPCODE_KEY`, with `METADATA_RESOURCE_ID_KEY` or
    ///   `METADATA_USER_META_KEY` where that kind needs one. The callback returns this argument with the value.
    open func getMetadata(_ key: [AnyHashable: Any]?) { calls.getMetadata(key) }

    /// Returns a Boolean value that indicates whether logins and logouts end at a URL, so that the browser must not
    /// load it.
    ///
    /// - Parameter url: the URL that the browser is about to load.
    open func canHandle(_ url: String?) -> Bool { calls.canHandle(url) }
}
