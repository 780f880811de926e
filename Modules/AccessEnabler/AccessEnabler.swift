public import Foundation
import TVEDeviceBinding
public import TVEFlowEngine
import TVEModels
public import TVENetworking

/// The classic entry point: documented calls in, documented callbacks out, and an `EntitlementSession` in between.
///
/// Calls may come from any thread and return at once. Calls made before `setRequestor(_:)` has ended are held and run
/// in order. Delegates are held weakly.
public final class AccessEnabler: Sendable {
    /// How callbacks are run: each is handed over in order, and the run must keep that order.
    public typealias CallbackRun = @Sendable (@escaping @Sendable () -> Void) -> Void

    let softwareStatement: SoftwareStatement
    let service: ServiceDialect
    let environment: SessionEnvironment
    let callbacks: Callbacks
    let presenter: CallbackPresenter
    let options = Guarded(Options())
    let calls = CallQueue()
    /// The check of what is stored, for the first session; a later one, of another requestor, does not look again.
    let firstCheck: Guarded<FirstCheck?>
    /// Set by `setRequestor`: the session and where it talks to, or why there is none.
    let session = Guarded<Result<EstablishedSession, TVEError>?>(nil)

    /// Makes an access enabler that no service will register: a placeholder until the statement is there.
    @available(*, deprecated, message: "Use init(_:) with the application's software statement.")
    public convenience init() {
        self.init("")
    }

    /// Makes an access enabler with storage, network and clock of the device.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT; each wire dialect wants one of its own.
    ///   - service: the wire dialect; the classic one by default.
    ///   - keychainGroup: on iOS, the group of apps that share logins, with the team's id; nil takes the one of
    ///     ``AppIdentity/main``, if the app has the entitlement.
    public convenience init(
        _ softwareStatement: String, service: ServiceDialect = .classic, keychainGroup: String? = nil
    ) {
        self.init(
            storageCheck: .INTEGRITY_CHECK_NONE, softwareStatement: softwareStatement, service: service,
            keychainGroup: keychainGroup)
    }

    /// Makes an access enabler that looks at what is stored (storage integrity page).
    ///
    /// The check begins here and needs no further call; the first `setRequestor` waits for its end.
    ///
    /// - Parameters:
    ///   - storageCheck: how to look; a failed check logs the viewer out.
    ///   - softwareStatement: the application's statement, a JWT; each wire dialect wants one of its own.
    ///   - service: the wire dialect; the classic one by default.
    ///   - keychainGroup: on iOS, the group of apps that share logins, with the team's id; nil takes the one of
    ///     ``AppIdentity/main``, if the app has the entitlement.
    public convenience init(
        storageCheck: IntegrityCheckType, softwareStatement: String, service: ServiceDialect = .classic,
        keychainGroup: String? = nil
    ) {
        let app = AppIdentity.main
        let environment = SessionEnvironment(
            storage: Self.systemStorage(app, keychainGroup: keychainGroup), app: app, redirectURL: Self.redirectURL)
        self.init(softwareStatement, service: service, storageCheck: storageCheck, environment: environment)
    }

    /// Makes an access enabler in an environment of the app's choice.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT; each wire dialect wants one of its own.
    ///   - service: the wire dialect; the classic one by default.
    ///   - storageCheck: how to look at what is stored before it is used.
    ///   - environment: storage, transport, clock, app, device, platform sign-on and where viewers log in. Options of `setOptions`
    ///     come on top of the environment's.
    ///   - automaticBrowser: shows the pages of providers that need Safari; the system's, if it has one, by default.
    ///   - callbackRun: runs callbacks; the main queue by default.
    public init(
        _ softwareStatement: String, service: ServiceDialect = .classic,
        storageCheck: IntegrityCheckType = .INTEGRITY_CHECK_NONE, environment: SessionEnvironment,
        automaticBrowser: (any AutomaticBrowser)? = AccessEnabler.systemBrowser,
        callbackRun: @escaping CallbackRun = { callback in DispatchQueue.main.async { callback() } }
    ) {
        let options = options
        var environment = environment
        environment.options = { [given = environment.options] in options.withLock { $0.client(over: given()) } }
        self.softwareStatement = SoftwareStatement(softwareStatement)
        self.service = service
        environment.safariRedirectURL = environment.safariRedirectURL ?? self.softwareStatement.ownRedirectURL
        self.environment = environment
        self.callbacks = Callbacks(run: callbackRun)
        self.presenter = CallbackPresenter(
            callbacks, automaticBrowser: automaticBrowser, appDrivesSafari: { options.withLock(\.drivesSafari) })
        firstCheck = Guarded(FirstCheck(storageCheck, environment))
    }

    deinit {
        // A login that waits for the app would wait for ever.
        if case .success(let established)? = session.withLock(\.self) { established.session.close() }
        presenter.leave()
    }

    /// Receives results; held weakly.
    public var delegate: (any EntitlementDelegate)? {
        get { callbacks.delegate }
        set { callbacks.delegate = newValue }
    }

    /// Receives advanced status codes; held weakly.
    ///
    /// May be the same object as ``delegate``.
    public var statusDelegate: (any EntitlementStatus)? {
        get { callbacks.statusDelegate }
        set { callbacks.statusDelegate = newValue }
    }

    /// Where logins end unless the environment says otherwise.
    public static var redirectURL: URL {
        // The constant is a valid URL; `init(string:)` cannot know that.
        URL(string: ADOBEPASS_REDIRECT_URL) ?? URL(fileURLWithPath: "/")
    }

    /// Whether a URL is one at which logins and logouts end, so that the browser must not load it.
    ///
    /// - Parameter url: the URL that the browser is about to load.
    public func canHandle(_ url: String?) -> Bool {
        guard let url = url.flatMap(URL.init(string:)) else { return false }
        return [environment.redirectURL, environment.safariRedirectURL].compactMap(\.self).contains { redirect in
            BrowserPage(url: redirect, redirectURL: redirect).ends(at: url)
        }
    }
}
