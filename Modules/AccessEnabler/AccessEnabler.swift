public import Foundation
import TVEDeviceBinding
public import TVEFlowEngine
import TVEModels
public import TVENetworking

/// The classic entry point: documented calls in, documented callbacks out.
///
/// Calls may come from any thread and return at once. Calls made before `setRequestor(_:)` has ended are held and run
/// in order. Delegates are held weakly, and not called once the access enabler is released. A mock may override every
/// call. Every documented call is declared in this file, because Swift cannot override a declaration of an extension.
#if canImport(ObjectiveC)
@objc(AccessEnabler)
@objcMembers
#endif
// Unchecked, because an app's subclass may add anything; the only property here is `Sendable`.
open class AccessEnabler: NSObject, @unchecked Sendable {
    /// How callbacks are run: each is handed over in order, and the run must keep that order.
    ///
    /// Delegates that belong to the main actor need a run on the main queue, which is the default.
    public typealias CallbackRun = @Sendable (@escaping @Sendable () -> Void) -> Void

    private let calls: ClassicCalls

    /// Makes an access enabler that no service will register: a placeholder until the app has its statement.
    @available(*, deprecated, message: "Use init(_:) with the application's software statement.")
    public override convenience init() {
        self.init("")
    }

    /// Makes an access enabler with the device's storage, network and clock.
    ///
    /// - Parameter softwareStatement: the application's statement, a JWT; nil is a placeholder that no service will register.
    public convenience init(_ softwareStatement: String?) {
        self.init(storageCheck: .INTEGRITY_CHECK_NONE, softwareStatement: softwareStatement)
    }

    /// Makes an access enabler that checks what is stored (storage integrity page).
    ///
    /// The check begins here and needs no further call; the first `setRequestor` waits for its end.
    ///
    /// - Parameters:
    ///   - storageCheck: how to check; a failed check logs the viewer out.
    ///   - softwareStatement: the application's statement, a JWT; nil is a placeholder that no service will register.
    public convenience init(storageCheck: IntegrityCheckType, softwareStatement: String?) {
        self.init(softwareStatement, service: nil, storageCheck: storageCheck, keychainGroup: nil)
    }

    /// Makes an access enabler for a given dialect, or for a given keychain group in which apps share logins.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT; each wire dialect needs its own.
    ///   - service: the wire dialect; nil takes the one that the application is registered for.
    ///   - storageCheck: how to check what is stored; a failed check logs the viewer out.
    ///   - keychainGroup: on iOS, the group of apps that share logins, with the team's id; nil takes that of
    ///     `AppIdentity.main`, if the app has the entitlement.
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

    /// Makes an access enabler in an environment that the app chooses.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT; each wire dialect needs its own.
    ///   - service: the wire dialect; by default the one that the application is registered for.
    ///   - storageCheck: how to check what is stored before it is used.
    ///   - environment: storage, transport, clock, app, device, platform sign-on and where viewers log in. Options of
    ///     `setOptions` override the environment's.
    ///   - automaticBrowser: shows the pages of providers that need Safari; the system's, if it has one, by default.
    ///   - callbackRun: runs callbacks; the main queue by default.
    public init(
        _ softwareStatement: String, service: ServiceDialect? = nil,
        storageCheck: IntegrityCheckType = .INTEGRITY_CHECK_NONE, environment: SessionEnvironment,
        automaticBrowser: (any AutomaticBrowser)? = AccessEnabler.systemBrowser,
        callbackRun: @escaping CallbackRun = { callback in DispatchQueue.main.async { callback() } }
    ) {
        calls = ClassicCalls(softwareStatement, service, storageCheck, environment, automaticBrowser, callbackRun)
        super.init()
    }

    // A call that is running keeps `calls` for a while.
    deinit { calls.close() }

    /// Receives results; held weakly.
    open var delegate: (any EntitlementDelegate)? {
        get { calls.callbacks.delegate }
        set { calls.callbacks.delegate = newValue }
    }

    /// Receives advanced status codes; held weakly.
    ///
    /// May be the same object as ``delegate``.
    open var statusDelegate: (any EntitlementStatus)? {
        get { calls.callbacks.statusDelegate }
        set { calls.callbacks.statusDelegate = newValue }
    }

    /// The household of this device, whose devices share one login over REST API v2.
    ///
    /// After the device has joined, call `setRequestor` again: it finds the login of another device.
    ///
    /// - Returns: the household of the current requestor; nil before `setRequestorComplete`, and over the classic services.
    public final var household: Household? { calls.household }

    /// Where logins end unless the environment says otherwise.
    public static var redirectURL: URL {
        // The constant is a valid URL; `init(string:)` cannot know that.
        URL(string: ADOBEPASS_REDIRECT_URL) ?? URL(fileURLWithPath: "/")
    }

    // MARK: - Options and requestor

    /// Takes options, which every later request carries; may be called at any time (API reference, `setOptions`).
    ///
    /// - Parameter options: values by key; they are merged into those of earlier calls. `NSNull`, or a value of another
    ///   type than the documented one, removes its option.
    open func setOptions(_ options: [AnyHashable: Any]?) {
        calls.options.withLock { $0.merge(options ?? [:]) }
    }

    /// Establishes the requestor at the vendor's production service; ends with `setRequestorComplete`.
    ///
    /// - Parameter requestorID: the requestor.
    open func setRequestor(_ requestorID: String?) { setRequestor(requestorID, serviceProviders: nil) }

    /// Establishes the requestor at the given services; ends with `setRequestorComplete`.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - serviceProviders: endpoints as strings, https if without a scheme; nil or empty means `DEFAULT_SP_URL`, or ``SP_AUTH_STAGING`` with the profile `staging`. All
    ///     are asked at once, and each provider belongs to the fastest endpoint that knows it. With the same requestor
    ///     and endpoints as before, the session continues, and in the classic dialect its configuration is loaded again (row Q14).
    open func setRequestor(_ requestorID: String?, serviceProviders: [Any]?) {
        calls.setRequestor(requestorID ?? "", serviceProviders: serviceProviders)
    }

    // MARK: - Login

    /// Asks whether the viewer is logged in, from storage alone; ends with `setAuthenticationStatus`.
    open func checkAuthentication() { calls.checkAuthentication() }

    /// Logs the viewer in unless logged in already; ends with `setAuthenticationStatus`.
    ///
    /// While a login waits for the app, the app is told about it again and the login continues.
    open func getAuthentication() { getAuthentication(false, withData: nil, andFilter: nil) }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when the viewer is logged in.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    open func getAuthentication(_ forceAuthn: Bool, withData data: [AnyHashable: Any]?) {
        getAuthentication(forceAuthn, withData: data, andFilter: nil)
    }

    /// Logs the viewer in unless logged in already; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: MVPD ids under `TV_PROVIDERS` and `FEATURED_TV_PROVIDERS`: what the platform's picker offers.
    open func getAuthentication(_ filter: [AnyHashable: Any]?) {
        getAuthentication(false, withData: nil, andFilter: filter)
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when the viewer is logged in.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    ///   - filter: MVPD ids under `TV_PROVIDERS` and `FEATURED_TV_PROVIDERS`: what the platform's picker offers.
    open func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [AnyHashable: Any]?
    ) {
        calls.getAuthentication(forceAuthn, withData: data, andFilter: filter)
    }

    /// Answers `displayProviderDialog`, cancels a login with nil, or chooses the provider of the next login.
    ///
    /// - Parameter mvpdID: the provider, nil when the viewer left. A TempPass logs the viewer in at once.
    open func setSelectedProvider(_ mvpdID: String?) { calls.setSelectedProvider(mvpdID) }

    /// Asks for the remembered provider; ends with `selectedProvider`.
    open func getSelectedProvider() { calls.getSelectedProvider() }

    /// Finishes the login or logout whose page has reached the redirect, also when the app was closed in between.
    ///
    /// Other URLs, nil and repeats are ignored.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    open func handleExternalURL(_ url: String?) { calls.handleExternalURL(url) }

    /// Finishes the login whose page has reached the redirect.
    @available(*, deprecated, renamed: "handleExternalURL(_:)")
    open func getAuthenticationToken() { calls.getAuthenticationToken() }

    /// Logs out: wipes the storage and opens the logout page; ends with `setAuthenticationStatus`.
    ///
    /// The answer comes at once when there is no page to open, else when ``handleExternalURL(_:)`` receives the page's
    /// redirect. If the app never finishes the page, there is no answer.
    open func logout() { calls.logout() }

    // MARK: - Authorization

    /// Asks for a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    open func checkAuthorization(_ resource: String?) { checkAuthorization(resource, withData: nil) }

    /// Asks for a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    open func checkAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        calls.authorize(resource, data, isLoginAllowed: false)
    }

    /// Asks for a media token, logging the viewer in first if needed; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    open func getAuthorization(_ resource: String?) { getAuthorization(resource, withData: nil) }

    /// Asks for a media token, logging the viewer in first if needed; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    open func getAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        calls.authorize(resource, data, isLoginAllowed: true)
    }

    // MARK: - Preauthorization and metadata

    /// Asks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameter resources: strings.
    open func checkPreauthorizedResources(_ resources: [Any]?) { checkPreauthorizedResources(resources, cache: true) }

    /// Asks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameters:
    ///   - resources: strings.
    ///   - cache: whether the last answer may be used, if it was about the same set.
    open func checkPreauthorizedResources(_ resources: [Any]?, cache: Bool) {
        calls.checkPreauthorizedResources(resources, cache: cache)
    }

    /// Asks which resources the viewer would be allowed to watch, with reasons (preauthorize page).
    ///
    /// This call is not held: before `setRequestor` has ended it fails with `requestor_not_configured`.
    ///
    /// - Parameters:
    ///   - request: the resources, and which caches may answer.
    ///   - callback: called once, on the same run as the delegates.
    open func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        calls.preauthorize(request, didCompleteWith: callback)
    }

    /// Asks about the viewer or this device; ends with `setMetadataStatus`.
    ///
    /// - Parameter key: the question under `METADATA_OPCODE_KEY`, with `METADATA_RESOURCE_ID_KEY` or
    ///   `METADATA_USER_META_KEY` where the question needs one. The callback returns it with the answer.
    open func getMetadata(_ key: [AnyHashable: Any]?) { calls.getMetadata(key) }

    /// Whether logins and logouts end at this URL, so that the browser must not load it.
    ///
    /// - Parameter url: the URL that the browser is about to load.
    open func canHandle(_ url: String?) -> Bool { calls.canHandle(url) }
}
