public import Foundation
public import TVEFlowEngine
import TVEModels
import TVENetworking

/// The classic entry point: documented calls in, documented callbacks out, and an `EntitlementSession` in between.
///
/// Calls may come from any thread and return at once. Calls made before `setRequestor(_:)` has ended are held and run
/// in order. Delegates are held weakly.
public final class AccessEnabler: Sendable {
    /// How callbacks are run: each is handed over in order, and the run must keep that order.
    public typealias CallbackRun = @Sendable (@escaping @Sendable () -> Void) -> Void

    let softwareStatement: SoftwareStatement
    let environment: SessionEnvironment
    let callbacks: Callbacks
    let presenter: CallbackPresenter
    let calls = CallQueue()
    /// Set by `setRequestor`: the session and where it talks to, or why there is none.
    let session = Guarded<Result<EstablishedSession, TVEError>?>(nil)

    /// Makes an access enabler with storage, network and clock of the device.
    ///
    /// - Parameter softwareStatement: the application's statement, a JWT.
    public convenience init(_ softwareStatement: String) {
        let bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let environment = SessionEnvironment(
            storage: SealedStorage.file(FileStorage.defaultDirectory(name: bundleID)),
            app: AppIdentity(bundleID: bundleID, teamID: ""), redirectURL: Self.redirectURL)
        self.init(softwareStatement, environment: environment)
    }

    /// Makes an access enabler in an environment of the app's choice.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT.
    ///   - environment: storage, transport, clock, app and device.
    ///   - callbackRun: runs callbacks; the main queue by default.
    public init(
        _ softwareStatement: String, environment: SessionEnvironment,
        callbackRun: @escaping CallbackRun = { callback in DispatchQueue.main.async { callback() } }
    ) {
        self.softwareStatement = SoftwareStatement(softwareStatement)
        self.environment = environment
        self.callbacks = Callbacks(run: callbackRun)
        self.presenter = CallbackPresenter(callbacks)
    }

    deinit {
        // A login that waits for the app would wait for ever.
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
}
